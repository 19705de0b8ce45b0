import type { Code } from '../../domain/code.ts'
import type { Verdict } from '../../domain/verdict.ts'

/** A way in which a client gets no answer. `PORT` in its steps stands for the port that was asked. */
export interface Way {
  readonly is: RegExp
  readonly code: Code
  readonly verdict: Verdict
  /** what follows the address in the sentence */
  readonly cause: string
  readonly remedy: readonly string[]
  readonly unless?: string
}

const LISTENS =
  "On the server's host: ss -ltnp | grep :PORT shows who listens; systemctl status UNIT (or docker ps -a) whether it runs, its log why not."
const STARTS = 'Where it is starting: wait until its log says that it is ready. SGLang opens its port only then.'
const OTHER_PLACE =
  'Where it runs: compare host and port of the URL. 127.0.0.1 is only the machine, the container or the guest that asks; from elsewhere the server must be started with --host 0.0.0.0 (Ollama: OLLAMA_HOST=0.0.0.0).'
const ITS_LOG = "Read the server's log of this moment: a crash, a restart, or a refusal stands there."

const UNREACHABLE = { code: 'server.unreachable', verdict: 'unreachable' } as const
const REFUSED = [LISTENS, STARTS, OTHER_PLACE]

/** Where the words only say that there was no connection. */
export const UNSAID: Way = {
  ...UNREACHABLE,
  is: /$^/,
  cause: 'no connection came about, and the line does not say why: as a rule nothing listens there.',
  remedy: ['curl -v URL/v1/models says how far it comes: name, connection, TLS.', ...REFUSED],
  unless: 'the name, the way or TLS is at fault: curl -v tells.',
}

/** In this order: the words of one way may stand within those of another. */
export const WAYS: readonly Way[] = [
  {
    ...UNREACHABLE,
    is: /CONNECT tunnel failed|ProxyError|resolve proxy|Proxy CONNECT aborted|from proxy after CONNECT/i,
    cause: 'a proxy lies between, and did not let the request through. A model server in the own network needs none.',
    remedy: [
      'Ask past it: curl --noproxy "*" URL, or NO_PROXY with the name and the address of the host.',
      'env | grep -i proxy shows which proxy is set.',
    ],
  },
  {
    ...UNREACHABLE,
    is: /Could ?n[o']t resolve|Could not resolve|unable to resolve|bad address|Name or service not known|name resolution|nodename nor servname|NameResolutionError|getaddrinfo|no such host|No address associated|Resolving timed out/i,
    cause: 'the name is not resolved, so nobody was asked.',
    remedy: [
      'Correct the name in the URL; getent hosts NAME shows whether this machine knows it.',
      'Use the address, or enter the name in /etc/hosts; in a container the name of the service is known only in its own network, and localhost is the container.',
    ],
  },
  {
    ...UNREACHABLE,
    is: /WRONG_VERSION_NUMBER|wrong version number|packet length too long|record layer failure|unrecognized name/i,
    cause: 'TLS was spoken to a port that does not speak it: the URL says https, and the server plain HTTP.',
    remedy: ['Write http:// in the URL: model servers speak plain HTTP unless somebody gave them a certificate.'],
  },
  {
    ...UNREACHABLE,
    is: /certificate|CERTIFICATE_VERIFY_FAILED|self.signed/i,
    cause: 'the certificate was not accepted, so no request was sent.',
    remedy: [
      'Give the authority that signed it: curl --cacert FILE, SSL_CERT_FILE=FILE for Python, NODE_EXTRA_CA_CERTS=FILE for Node.',
      'Or ask by the name that stands in the certificate; its dates must be valid too.',
    ],
  },
  {
    ...UNREACHABLE,
    is: /^(?:\s*curl: \(35\)(?!.*timeout)|requests\.exceptions\.SSLError|ssl\.SSL)|HTTP\/0\.9 when not allowed|\[SSL/,
    cause: 'no TLS came about; what listens there speaks another protocol, or another TLS.',
    remedy: [
      'Try http:// in place of https://, and the reverse: model servers speak plain HTTP as a rule.',
      'ss -ltnp | grep :PORT on its host shows which program listens there.',
    ],
  },
  {
    ...UNREACHABLE,
    is: /No route to host|Network is unreachable|Host is unreachable|EHOSTUNREACH|ENETUNREACH|Errno 1(?:13|01)\b/i,
    cause: 'no way leads to this address: the machine is off, in another network, or a firewall refuses.',
    remedy: [
      'ping HOST and ip route get ADDRESS show the way; see whether the machine is up, and whether a VPN is needed.',
      'A firewall on it may answer so too: sudo nft list ruleset (ufw status, firewall-cmd --list-all), and open the port.',
    ],
  },
  {
    ...UNREACHABLE,
    is: /could not connect to (?:an? )?(?:running )?ollama|:11434.{0,40}connection refused/i,
    cause: 'nothing listens where Ollama is looked for: it is not started, or at another address.',
    remedy: [
      'Start it: sudo systemctl start ollama (a desktop: open the app; else ollama serve); where it does not stay up, journalctl -u ollama -n 50 says why.',
      'Where it runs: give the client the address that it listens at (ss -ltnp | grep ollama), OLLAMA_HOST=HOST:11434 ollama list. In a container 127.0.0.1 is the container.',
    ],
  },
  {
    ...UNREACHABLE,
    is: /Connection refused|ECONNREFUSED|Connect call failed|Errno (?:111|61)\b/i,
    cause:
      'the connection was refused: nothing listens there. The server is not started, not ready yet, or on another port.',
    remedy: REFUSED,
  },
  {
    ...UNREACHABLE,
    is: /Connection timed out|Connection timeout|ConnectTimeout|connect timeout|ETIMEDOUT|Errno 110\b|SSL connection timeout|i\/o timeout|ConnectionTimeoutError/i,
    cause: 'no connection came about in time: the machine is off, or a firewall drops what comes.',
    remedy: [
      'ping HOST shows whether it is up; from the host itself curl http://127.0.0.1:PORT/v1/models shows whether the server answers there.',
      'If it does: open the port in the firewall between, or go by SSH: ssh -L PORT:127.0.0.1:PORT HOST.',
    ],
  },
  {
    ...UNREACHABLE,
    // without a word of why: at once it was refused
    is: /^\s*curl: \(7\) Failed to connect to .{1,200} after \d{1,3} ms: Could(?: not|n't) connect to server/,
    cause:
      'no connection, and that at once: as a rule nothing listens there. The server is not started, not ready yet, or on another port.',
    remedy: REFUSED,
    unless: 'no way leads there: curl -v says "Connection refused" or "No route to host".',
  },
  {
    code: 'transport.truncated',
    verdict: 'inconclusive',
    is: /with [1-9]\d* (?:out of -?\d+ )?bytes received|outstanding read data|transfer closed|incomplete chunked read|IncompleteRead|ChunkedEncodingError|ClientPayloadError|not closed cleanly/i,
    cause: 'the answer had begun, and was cut before its end.',
    remedy: [
      'Repeat with a longer limit (curl -m SECONDS; timeout= of the library) and with "stream": true, where the limit was your own.',
      ITS_LOG,
      'Ask the server itself, past any proxy, whose limit may be shorter.',
    ],
  },
  {
    code: 'engine.hang',
    verdict: 'inconclusive',
    is: /Operation timed out after|ReadTimeout|Read timed out|APITimeoutError|Request timed out|download timed out/i,
    cause: 'it takes connections, and no answer came within the limit of the client.',
    remedy: [
      'curl -m 5 URL/health (Ollama: /api/version): where that answers at once, the server lives and is loading, full, or at a long prompt.',
      'See its queue and its log (running and waiting requests), then repeat with a short prompt, "max_tokens": 16 and a longer limit.',
      'Only where it stays silent with nothing running: py-spy dump --pid PID of its processes, then restart it.',
    ],
    unless:
      'it is only full, loading, or reads a very long prompt; or a firewall swallows the packets: look before a restart.',
  },
  {
    ...UNREACHABLE,
    is: /Empty reply|reset by peer|ConnectionReset|RemoteDisconnected|without (?:sending a )?response|ServerDisconnected|socket hang up|Broken pipe|No data received|\bEOF\b|Read error|Errno 104\b/i,
    cause:
      'the connection came about and was closed without an answer: the server died or restarts, or the port speaks something else (TLS, SSH).',
    remedy: [
      ITS_LOG,
      'Try https:// in place of http://. A port that a container publishes is taken also where nothing listens in the container: docker logs NAME, and --host 0.0.0.0 for the server in it.',
      'ss -ltnp | grep :PORT on its host shows which program listens there.',
    ],
    unless: 'the server crashed at this very request: then its log names why.',
  },
]
