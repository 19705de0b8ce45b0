import type { Signature } from '../../domain/signature.ts'

type Signatures = readonly [Signature, ...Signature[]]

/** What a client of one's own says in a terminal; no server writes it into its log. */
export const clientSignatures: Signatures = [
  {
    name: 'client-curl',
    anchors: ['curl: ('],
    pattern: /^\s{0,4}curl: \((?:1|5|6|7|18|28|35|51|52|55|56|60|92)\) (?<said>.{1,400})/,
    example: 'curl: (7) Failed to connect to 127.0.0.1 port 30000 after 0 ms: Could not connect to server',
    nearMiss: 'gpu-box curl[1]: curl: (7) Failed to connect to 127.0.0.1 port 30000',
  },
  {
    name: 'client-wget',
    anchors: ['Connecting to ', 'wget: ', 'No data received.'],
    pattern:
      /^(?:Connecting to \S{1,200}(?: \([^)]{1,200}\))?.{0,80}\.\.\. (?<said>failed: .{1,120})|wget: (?<words>(?:unable to resolve host|can't connect|bad address|download timed out|error getting response).{0,200})|.{0,80}HTTP request sent, awaiting response\.\.\. (?<none>No data received\.|Read error .{0,80}))/,
    example: 'Connecting to localhost (localhost)|127.0.0.1|:30000... failed: Connection refused.',
    nearMiss: 'Connecting to localhost (localhost)|127.0.0.1|:30000... connected.',
  },
  {
    name: 'client-ollama',
    anchors: [
      'could not connect to ollama',
      'could not connect to a running Ollama',
      'Error: Head "http',
      'Error: Get "http',
      'Error: Post "http',
    ],
    pattern:
      /^(?:Error|Warning): (?<said>could not connect to (?:an? (?:running )?)?[oO]llama.{0,120}|(?:Head|Get|Post) "https?:\/\/[^"\s]{0,160}(?::11434\b|\/api\/)[^"]{0,200}".{0,120}?(?:dial tcp|EOF|connection reset).{0,160})/,
    example: 'Error: could not connect to ollama server, run `ollama serve` to start it',
    // the same words of Go are those of docker, helm and others, which ask a registry
    nearMiss: 'Error: Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: i/o timeout',
  },
  {
    name: 'client-openai',
    anchors: ['openai.APIConnectionError', 'openai.APITimeoutError', 'APIConnectionError: Connection error'],
    pattern: /^(?:openai\.)?(?<said>API(?:Connection|Timeout)Error(?::.{0,200})?)\s*$/,
    example: 'openai.APIConnectionError: Connection error.',
    nearMiss: '    raise APIConnectionError(request=request) from err',
  },
]

/** What libraries of clients say, which servers use as well: to fetch a model, to reach one another. */
export const librarySignatures: Signatures = [
  {
    name: 'client-library',
    anchors: [
      ...(['httpx.ConnectError', 'httpx.ConnectTimeout', 'httpx.ReadTimeout', 'httpx.RemoteProtocolError'] as const),
      ...(['httpx.ReadError', 'requests.exceptions.', 'aiohttp.client_exceptions.', 'urllib.error.URLError'] as const),
    ],
    pattern:
      /^(?:httpx\.(?:ConnectError|ConnectTimeout|ReadTimeout|ReadError|RemoteProtocolError)|requests\.exceptions\.(?:ConnectionError|ConnectTimeout|ReadTimeout|SSLError|ProxyError|ChunkedEncodingError)|aiohttp\.client_exceptions\.(?:ClientConnector\w{0,20}Error|ServerDisconnectedError|ClientPayloadError|ConnectionTimeoutError)|urllib\.error\.URLError)(?<said>:.{0,600})?\s*$/,
    example: 'httpx.ConnectError: [Errno 111] Connection refused',
    nearMiss: '    raise httpx.ConnectError(message) from exc',
  },
  {
    name: 'client-node',
    anchors: ['Error: connect E', 'Error: getaddrinfo E', 'Error: socket hang up'],
    pattern:
      /^(?:\s*\[cause\]: )?Error: (?<said>connect E(?:CONNREFUSED|HOSTUNREACH|NETUNREACH|TIMEDOUT) .{1,120}|getaddrinfo E(?:NOTFOUND|AI_AGAIN) .{1,120}|socket hang up)/,
    example: '  [cause]: Error: connect ECONNREFUSED 127.0.0.1:30000',
    nearMiss: '    at TCPConnectWrap.afterConnect (node:net:1637:16)',
  },
]

/** Lines beside it that say why, and in a traceback who wanted to connect. */
export const besideSignatures: Signatures = [
  {
    name: 'client-why',
    anchors: [' failed: ', 'Error: [Errno ', 'gaierror: [Errno', 'Error: [SSL', 'Error: Multiple exceptions: ['],
    pattern:
      /^\* (?:connect to (?<at>\S{1,100} port \d{1,5}) .{0,80}?failed: |.{0,60} failed: )(?<said>.{1,80})|^(?:ConnectionRefusedError|ConnectionResetError|OSError|TimeoutError|(?:socket\.)?gaierror|ssl\.SSL\w{0,30}|httpcore\.Connect(?:Error|Timeout)): (?<words>(?:Multiple exceptions: )?\[.{1,300})/,
    example: '* connect to 127.0.0.1 port 30000 from 127.0.0.1 port 51944 failed: Connection refused',
    nearMiss: '* Connected to 127.0.0.1 (127.0.0.1) port 30000',
  },
  {
    name: 'client-of-a-hub',
    anchors: [
      ...(['huggingface', 'hf-mirror', 'modelscope', 'registry.ollama', 'transformers/', 'vllm/entrypoints'] as const),
      ...(['sglang/srt', 'torch/distributed', 'githubusercontent', 'pypi.org', 'download.pytorch'] as const),
    ],
    pattern:
      /huggingface|hf-mirror|modelscope|registry\.ollama|transformers\/|vllm\/entrypoints|sglang\/srt|torch\/distributed|githubusercontent|pypi\.org|download\.pytorch/,
    example: '  File "/opt/venv/lib/python3.12/site-packages/huggingface_hub/file_download.py", line 1',
    nearMiss: '  File "/opt/venv/lib/python3.12/site-packages/openai/_base_client.py", line 1',
  },
]

/** What a terminal shows of an answer; a bare status has no text to look for and is not among them. */
export const answeredSignature: Signature = {
  name: 'client-answered',
  anchors: [
    ...(['"choices"', '"object"', '"models"', '"version"', '"response"', 'data: '] as const),
    ...(['HTTP/1.0 2', 'HTTP/1.1 2', 'HTTP/2 2', '... connected.', 'awaiting response... 2'] as const),
  ],
  pattern:
    /^\s{0,40}(?:\{.{0,400}?)?"(?:choices|object|models|version|response)"\s{0,4}:|^(?:data: |(?:< )?HTTP\/(?:1\.[01]|2) 2\d\d\b)|\.\.\. connected\.\s*$|awaiting response\.\.\. 2\d\d\b/,
  example: '{"object":"list","data":[{"id":"qwen3","object":"model"}]}',
  nearMiss: '< HTTP/1.1 503 Service Unavailable',
}
