import { expect, it } from 'vitest'
import { clientUnreached } from '../../../src/judge/rules/client-unreached.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const gone = { code: 'server.unreachable', verdict: 'unreachable' } as const
const REFUSED = 'curl: (7) Failed to connect to 127.0.0.1 port 30000 after 0 ms: Could not connect to server'
const HTTPX = 'httpx.ConnectError: [Errno 111] Connection refused'
const PLAIN = 'curl: (7) Failed to connect to 127.0.0.1 port 30000 after 0 ms: Connection refused'
const MODELS = '{"object":"list","data":[{"id":"qwen3","object":"model"}]}'
const NEW_CONNECTION =
  "requests.exceptions.ConnectionError: HTTPConnectionPool(host='gpu-box', port=30000): Max retries exceeded with url: /v1/models (Caused by NewConnectionError('<urllib3.connection.HTTPConnection object at 0x7f>: Failed to establish a new connection: [Errno 111] Connection refused'))"

const says = (words: string) => expect.stringContaining(words)

function steps(...parts: readonly string[]): string[] {
  return expect.arrayContaining(parts.map((part) => expect.stringContaining(part)))
}

ruleTable(clientUnreached, {
  speaks: {
    'curl, refused at once': [
      logged(REFUSED),
      {
        ...gone,
        confidence: 'likely',
        cause: expect.stringContaining('127.0.0.1:30000'),
        remedy: steps('grep :30000'),
      },
    ],
    'curl -v, which says refused': [
      logged([
        '*   Trying 127.0.0.1:30000...',
        '* connect to 127.0.0.1 port 30000 from 127.0.0.1 port 51944 failed: Connection refused',
        REFUSED,
      ]),
      {
        ...gone,
        confidence: 'certain',
        because: [expect.stringContaining('log line 2'), expect.stringContaining('curl: (7)')],
      },
    ],
    'an older curl': [
      logged('curl: (7) Failed to connect to localhost port 8000: Connection refused'),
      { ...gone, confidence: 'certain', cause: expect.stringContaining('localhost:8000') },
    ],
    'curl without a way': [
      logged('curl: (7) Failed to connect to 10.0.0.4 port 8000 after 3052 ms: No route to host'),
      { ...gone, cause: expect.stringContaining('no way leads'), remedy: steps('ip route') },
    ],
    'curl without the name': [
      logged('curl: (6) Could not resolve host: gpu-box'),
      { ...gone, cause: 'gpu-box: the name is not resolved, so nobody was asked.', confidence: 'certain' },
    ],
    'curl that came nowhere in time': [
      logged('curl: (28) Failed to connect to 10.0.0.4 port 8000 after 130412 ms: Connection timed out'),
      { ...gone, cause: expect.stringContaining('no connection came about in time'), remedy: steps('127.0.0.1:8000') },
    ],
    'curl that got no answer in time': [
      logged('curl: (28) Operation timed out after 30001 milliseconds with 0 bytes received'),
      { code: 'engine.hang', verdict: 'inconclusive', confidence: 'likely', remedy: steps('/health', 'restart') },
    ],
    'curl that cut an answer itself': [
      logged('curl: (28) Operation timed out after 30001 milliseconds with 1532 bytes received'),
      { code: 'transport.truncated', verdict: 'inconclusive', remedy: steps('longer limit') },
    ],
    'curl and an answer that was cut': [
      logged('curl: (18) transfer closed with outstanding read data remaining'),
      { code: 'transport.truncated', verdict: 'inconclusive' },
    ],
    'curl with TLS to a plain port': [
      logged('curl: (35) TLS connect error: error:0A0000C6:SSL routines::packet length too long'),
      { ...gone, cause: expect.stringContaining('https'), remedy: steps('http://') },
    ],
    'curl and a certificate of its own': [
      logged('curl: (60) SSL certificate problem: self-signed certificate'),
      { ...gone, cause: expect.stringContaining('certificate') },
    ],
    'curl and an empty reply': [
      logged('curl: (52) Empty reply from server'),
      { ...gone, confidence: 'likely', cause: expect.stringContaining('closed without an answer') },
    ],
    'curl and a reset': [
      logged('curl: (56) Recv failure: Connection reset by peer'),
      { ...gone, cause: expect.stringContaining('closed without an answer') },
    ],
    'curl and a proxy': [
      logged('curl: (56) CONNECT tunnel failed, response 403'),
      { ...gone, cause: expect.stringContaining('proxy'), remedy: steps('--noproxy') },
    ],
    wget: [
      logged('Connecting to localhost (localhost)|127.0.0.1|:30000... failed: Connection refused.'),
      { ...gone, confidence: 'certain', cause: expect.stringContaining('127.0.0.1:30000') },
    ],
    'wget without the name': [
      logged('wget: unable to resolve host address ‘gpu-box’'),
      { ...gone, cause: expect.stringContaining('not resolved') },
    ],
    'Ollama of the command line': [
      logged('Error: could not connect to ollama server, run `ollama serve` to start it'),
      { ...gone, confidence: 'certain', remedy: steps('systemctl start ollama') },
    ],
    'Ollama at another address': [
      logged('Error: Head "http://127.0.0.1:11434/": dial tcp 127.0.0.1:11434: connect: connection refused'),
      { ...gone, cause: expect.stringContaining('127.0.0.1:11434') },
    ],
    'httpx, which asks for many things': [
      logged(['Traceback (most recent call last):', HTTPX]),
      { ...gone, confidence: 'likely', cause: says('Whatever was asked: '), unless: says('no model server') },
    ],
    'openai, and the reason above it': [
      logged([
        'httpcore.ConnectError: [Errno -2] Name or service not known',
        'openai.APIConnectionError: Connection error.',
      ]),
      { ...gone, cause: expect.stringContaining('not resolved') },
    ],
    'openai, and no reason': [
      logged('openai.APIConnectionError: Connection error.'),
      { ...gone, confidence: 'likely', remedy: steps('curl -v') },
    ],
    'openai and its limit': [logged('openai.APITimeoutError: Request timed out.'), { code: 'engine.hang' }],
    requests: [
      logged(NEW_CONNECTION),
      { ...gone, confidence: 'likely', cause: says('Whatever was asked at gpu-box:30000: ') },
    ],
    'requests and its limit': [
      logged(
        "requests.exceptions.ReadTimeout: HTTPConnectionPool(host='localhost', port=30000): Read timed out. (read timeout=60)",
      ),
      { code: 'engine.hang', cause: expect.stringContaining('localhost:30000') },
    ],
    'a server that hung up': [
      logged('httpx.RemoteProtocolError: Server disconnected without sending a response.'),
      { ...gone, confidence: 'likely' },
    ],
    aiohttp: [
      logged(
        "aiohttp.client_exceptions.ClientConnectorError: Cannot connect to host localhost:8000 ssl:default [Connect call failed ('127.0.0.1', 8000)]",
      ),
      { ...gone, cause: expect.stringContaining('localhost:8000') },
    ],
    node: [
      logged(['TypeError: fetch failed', '  [cause]: Error: connect ECONNREFUSED 127.0.0.1:30000']),
      { ...gone, cause: expect.stringContaining('127.0.0.1:30000') },
    ],
    'urllib without an address': [
      logged('urllib.error.URLError: <urlopen error [Errno -2] Name or service not known>'),
      { ...gone, confidence: 'likely', cause: says('Whatever was asked: ') },
    ],
    'a public name at the port of the web': [
      logged('curl: (7) Failed to connect to llm.example.com port 443 after 12 ms: Connection refused'),
      { ...gone, confidence: 'likely', cause: says('Whatever was asked at llm.example.com:443') },
    ],
    'a private address at the port of the web': [
      logged('curl: (7) Failed to connect to 10.0.0.4 port 443 after 12 ms: Connection refused'),
      { ...gone, confidence: 'certain', cause: says('10.0.0.4:443: ') },
    ],
    'a public name at a port of its own': [
      logged('curl: (7) Failed to connect to llm.example.com port 30000 after 12 ms: Connection refused'),
      { ...gone, confidence: 'certain' },
    ],
    'an address of IPv6': [
      logged('Connecting to localhost (localhost)|::1|:30000... failed: Connection refused.'),
      { ...gone, cause: says('[::1]:30000: '), remedy: steps('grep :30000') },
    ],
    'a start that a line below tells of': [
      logged([PLAIN, 'waiting for server...', 'server is ready after 84 s']),
      { ...gone, confidence: 'likely', unless: says('it answered later') },
    ],
    'a start below a failure that does not say why': [
      logged([REFUSED, 'server is ready after 84 s']),
      { ...gone, confidence: 'likely', unless: says('"No route to host"; or it answered later') },
    ],
    'a line below that tells of no start': [
      logged([PLAIN, 'the server is not ready']),
      { ...gone, confidence: 'certain' },
    ],
    'an answer that came before it': [logged([MODELS, PLAIN]), { ...gone, confidence: 'certain' }],
    'a status of a refusal below': [logged([PLAIN, '503', '$']), { ...gone, confidence: 'certain' }],
    'a registry above, and the own server below': [
      logged(['curl: (6) Could not resolve host: nvidia.github.io', PLAIN]),
      { ...gone, confidence: 'certain', cause: says('127.0.0.1:30000') },
    ],
    'the last of several tries': [
      logged([REFUSED, REFUSED, 'curl: (28) Connection timed out after 5001 milliseconds']),
      { ...gone, cause: expect.stringContaining('in time') },
    ],
  },
  silent: {
    ...ORDINARY,
    'a server that cannot fetch a model': logged([
      '  File "/opt/venv/lib/python3.12/site-packages/huggingface_hub/file_download.py", line 1546, in _get_metadata',
      'httpx.ConnectError: [Errno -3] Temporary failure in name resolution',
    ]),
    'a look at the hub': logged('curl: (6) Could not resolve host: huggingface.co'),
    'a request of a server at work': logged([READY, HTTPX]),
    'a probe in the journal': logged(
      'May 01 10:00:00 gpu-box check[12]: curl: (7) Failed to connect to 127.0.0.1 port 30000',
    ),
    'a library in the log of an engine': logged([
      '  File "/opt/vllm/lib/python3.12/site-packages/httpx/_client.py", line 1',
      HTTPX,
    ]),
    'NCCL that finds no peer': logged(
      'gpu1:240:240 [6] misc/socket.cc:533 NCCL WARN socketPollConnect: Connect to 10.0.0.4<56849> returned 113(No route to host) errno 115(Operation now in progress)',
    ),
    'a line of code': logged('    raise APIConnectionError(request=request) from err'),
    'curl that found its file': logged('curl: (23) Failure writing output to destination'),
    'tries, and an answer in the end': logged([REFUSED, '{"object":"list","data":[]}']),
    'an answer, and what the shell says after it': logged([PLAIN, '$ curl -s localhost:30000/v1/models', MODELS, '$']),
    'an answer of many lines': logged([
      PLAIN,
      '{',
      '  "object": "list",',
      ...Array<string>(40).fill('  "x": 1,'),
      '}',
      '$',
    ]),
    'a status alone': logged([PLAIN, '200', '$']),
    'a head of curl -v': logged([PLAIN, '< HTTP/1.1 200 OK', '< server: uvicorn', '']),
    'a stream': logged([PLAIN, 'data: {"id":"1"}', 'real 0m0.5s']),
    'wget, refused by one address and taken by the other': logged([
      'Connecting to localhost (localhost)|::1|:30000... failed: Connection refused.',
      'Connecting to localhost (localhost)|127.0.0.1|:30000... connected.',
      'HTTP request sent, awaiting response... 200 OK',
      'Length: 0 [application/json]',
    ]),
    'docker, which asks a registry in the same words': logged(
      'Error: Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: i/o timeout',
    ),
    'an index of packages': logged('curl: (6) Could not resolve host: nvidia.github.io'),
    'pip without a way': logged(
      "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded (Caused by NewConnectionError: [Errno 111] Connection refused)",
    ),
    'a long log': logged([REFUSED, ...Array.from({ length: 400 }, () => 'ordinary line')]),
    'an advice': logged('If you see curl: (7) Failed to connect to localhost port 8000, start the server.'),
  },
})

it('speaks of a text of 400 lines, and of none of 401', () => {
  const of = (lines: number) =>
    clientUnreached.check(logged([...Array.from({ length: lines - 1 }, () => 'x'), REFUSED]))
  expect(of(400)).toHaveLength(1)
  expect(of(401)).toEqual([])
})
