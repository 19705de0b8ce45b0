import { describe, expect, test } from 'vitest'
import { formOf } from '../../src/app/diagnose/form.ts'
import { diagnose } from '../../src/app/diagnose.ts'

/** Bytes in, both outputs and the exit status out; `step`: in pieces of so many bytes. */
async function run(text: string | Uint8Array, words: readonly string[] = [], step = 1 << 16) {
  const bytes = Buffer.from(text)
  async function* input() {
    for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
  }
  const [out, err]: [string[], string[]] = [[], []]
  const status = await diagnose(
    words,
    input(),
    { write: (said) => out.push(said) },
    { write: (said) => err.push(said) },
  )
  return { status, out: out.join(''), err: err.join('') }
}

async function codeOf(text: string): Promise<unknown> {
  const { out, err } = await run(text, ['--json'])
  expect(err).toBe('')
  const { id, code } = JSON.parse(out)
  expect(id).toBeNull()
  return code
}

const SMI = `Mon Jan  5 10:00:00 2026
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 580.65.06              Driver Version: 580.65.06      CUDA Version: 13.0     |
`
const CHAT =
  '{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hello there."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4}}'
const SSE = 'data: {"choices":[{"delta":{"content":"Hello"},"finish_reason":null}]}\n\n'
const WIRE = '{"id":1,"kind":"D","input":{"command":"id","event":{"type":"close","code":0}}}'

test('a healthy card is called healthy, and its remark stands below', async () => {
  const table = `${SMI}|   0  NVIDIA A100-SXM4-80GB          On  |   00000000:07:00.0 Off |                    0 |
| N/A   34C    P0             65W /  400W |    4127MiB /  81920MiB |      0%      Default |
`
  const { out } = await run(table)
  expect(out.split('\n', 1)).toEqual(['✓ Healthy. Nothing is wrong; some readings do not exist there.'])
  expect(out).toContain('a card that the server cools has no fan of its own')
})

test('what curl says where no answer comes is the server, and not a log without a cause', async () => {
  expect(
    await codeOf('curl: (7) Failed to connect to 127.0.0.1 port 30000 after 0 ms: Could not connect to server\n'),
  ).toBe('server.unreachable')
})

describe('what a text is by its looks', () => {
  test.each([
    ['a document', WIRE, 'documents'],
    ['a document over several lines', '{\n  "id": "x",\n  "kind": "B",\n  "input": {\n', 'documents'],
    ['a document of which the kind is missing', '{"id":1,"input":{}}', 'documents'],
    ['a labelled case', '{"id":"B-1","slug":"a","kind":"B","input":{"log":""}}', 'documents'],
    ['documents below what npm prints', `\n> pilotflame@0.1.0 pilotflame\n${WIRE}\n`, 'documents'],
    ['half a document', WIRE.slice(0, -9), 'documents'],
    ['JSON that is nothing of it', '[1, 2]', 'documents'],
    ['bytes that are no text', '\u0000\u0001', 'documents'],
    ['an answer', CHAT, 'answer'],
    ['an answer over several lines', JSON.stringify(JSON.parse(CHAT), null, 2), 'answer'],
    ['an error', '{"error":{"message":"model not found","type":"NotFoundError","code":404}}', 'answer'],
    ['an error of FastAPI', '{"detail":"Not Found"}', 'answer'],
    ['an answer of Ollama', '{"model":"q","created_at":"t","message":{"content":"Hi"},"done":true}', 'answer'],
    ['an answer that quotes a document', CHAT.replace('Hello there.', WIRE.replaceAll('"', '\\"')), 'answer'],
    ['a stream', SSE, 'answer'],
    ['a stream that is kept open first', `: ping\n\n: ping\n\n${SSE}`, 'answer'],
    ['a stream with names of events', `event: message\n${SSE}`, 'answer'],
    ['an answer with its head', `HTTP/1.1 200 OK\r\nserver: uvicorn\r\n\r\n${CHAT}`, 'answer'],
    ['a page of a gateway', '<html>\r\n<head><title>502 Bad Gateway</title></head>', 'answer'],
    ['nvidia-smi', SMI, 'tool'],
    ['nvidia-smi that fails', "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.", 'tool'],
    ['nvidia-smi -L', 'GPU 0: NVIDIA RTX A6000 (UUID: GPU-1234)', 'tool'],
    ['nvidia-smi -q', '\n==============NVSMI LOG==============\n', 'tool'],
    ['a query', 'index, name, memory.used [MiB]\n0, NVIDIA RTX A6000, 3 MiB', 'tool'],
    ['rocm-smi', '\n======================= ROCm System Management Interface =======================\n', 'tool'],
    ['a tool that is missing', 'sh: 1: nvidia-smi: not found', 'tool'],
    ['a log of SGLang', '[2026-01-01 10:02:12] The server is fired up and ready to roll!', 'log'],
    ['a log of ranks', '[rank0]:[W] a warning', 'log'],
    ['a traceback', 'Traceback (most recent call last):\n  File "x.py", line 1', 'log'],
    ['a log as JSON lines', '{"log":"[t] Load weight begin","stream":"stderr","time":"t"}\n', 'log'],
    ['a log of the journal as JSON', '{"MESSAGE":"Load weight begin","__CURSOR":"s=1"}\n', 'log'],
    [
      'a log that quotes nvidia-smi later',
      `[t] start\n[t] more\n[t] more\n[t] more\n[t] more\n[t] more\n${SMI}`,
      'log',
    ],
    ['a log that quotes an answer', `[t] response: ${CHAT}`, 'log'],
    ['an object of Kubernetes in a log', `[t] start\n{"kind":"Pod","input":{}}`, 'log'],
    ['words', 'Connection refused', 'log'],
    ['a figure', '137', 'log'],
    ['a word of JSON', 'null', 'log'],
    ['words in quotes', '"Killed"', 'log'],
  ])('%s', (_, text, form) => {
    expect(formOf(text)).toBe(form)
  })
})

describe('text as it stands', () => {
  test.each([
    ['a log', '[t TP0] Capture cuda graph begin.\ntorch.OutOfMemoryError: CUDA out of memory.', 'mem.cuda-graph'],
    [
      'a log as JSON lines',
      '{"log":"OSError: [Errno 98] error while attempting to bind on address (\'0.0.0.0\', 30000): address already in use","stream":"stderr"}\n',
      'proc.port-taken',
    ],
    ['an answer', CHAT, 'ok.answered'],
    [
      'an answer with its head',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nserver: uvicorn\r\n\r\n${CHAT}`,
      'ok.answered',
    ],
    ['a stream that ended early', SSE, 'stream.ended-without-finish'],
    [
      'a gateway in front of nothing',
      'HTTP/1.1 502 Bad Gateway\r\nserver: nginx\r\n\r\n<html><title>502 Bad Gateway</title></html>',
      'proxy.backend-down',
    ],
    [
      'nvidia-smi that fails',
      "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n",
      'driver.not-loaded',
    ],
    ['what ssh left', 'demo@gpu1: Permission denied (publickey).\n', 'ssh.auth'],
    ['words', 'Connection refused', 'log.need-more'],
  ])('%s is judged as what it is', async (_, text, code) => {
    expect(await codeOf(text)).toBe(code)
  })

  test('is one document, whatever its pieces', async () => {
    const text = `${'[t TP0] Capture cuda graph begin.\r\n'.repeat(3)}torch.OutOfMemoryError: CUDA out of memory.`
    for (const step of [1, 7, 1 << 16]) {
      const { out } = await run(text, ['--json'], step)
      expect(JSON.parse(out)).toMatchObject({ id: null, code: 'mem.cuda-graph' })
    }
  })

  test('says to people what it was taken for', async () => {
    expect((await run(SMI)).out).toContain('read as the output of a GPU tool')
    expect((await run('[t] Load weight begin')).out).toContain('read as a log')
  })

  test('hides secrets of a log', async () => {
    const { out } = await run('ValueError: password: hunter22 is not known', ['--json'])
    expect(out).not.toContain('hunter22')
  })
})

const FINGERPRINT = 'SHA256:qX8f0yJ2Yb9pJm2m0Yt0xT8n8q5f2wXv1yA4cB7dE9g'
const frame = '@'.repeat(59)
const CHANGED = [
  frame,
  '@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @',
  frame,
  'IT IS POSSIBLE THAT SOMEONE IS DOING SOMETHING NASTY!',
  'Someone could be eavesdropping on you right now (man-in-the-middle attack)!',
  'It is also possible that a host key has just been changed.',
  'The fingerprint for the ED25519 key sent by the remote host is',
  `${FINGERPRINT}.`,
  'Please contact your system administrator.',
  'Add correct host key in /home/demo/.ssh/known_hosts to get rid of this message.',
  'Offending ED25519 key in /home/demo/.ssh/known_hosts:14',
  '  remove with:',
  "  ssh-keygen -f '/home/demo/.ssh/known_hosts' -R 'gpu1'",
  'Host key for gpu1 has changed and you have requested strict checking.',
  'Host key verification failed.',
]

describe('what ssh says of a host key', () => {
  test('is told in its own words: the host, the key it sent, and where the other one stands', async () => {
    const { out } = await run(`${CHANGED.join('\r\n')}\r\n`, ['--json'])
    expect(JSON.parse(out)).toMatchObject({
      verdict: 'unreachable',
      code: 'ssh.hostkey',
      cause: `gpu1: its host key has changed; it sent the ED25519 key ${FINGERPRINT}; line 14 of /home/demo/.ssh/known_hosts holds another one.`,
      because: [
        'said: “WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!”',
        `said: “${FINGERPRINT}.”`,
        'said: “Offending ED25519 key in /home/demo/.ssh/known_hosts:14”',
        'said: “Host key for gpu1 has changed and you have requested strict checking.”',
        'said: “Host key verification failed.”',
      ],
      remedy: [expect.stringContaining('ssh-keygen -f /home/demo/.ssh/known_hosts -R gpu1')],
    })
  })

  test.each([
    ['its beginning', CHANGED.slice(0, 3), 'the host: its host key has changed.'],
    ['its end', CHANGED.slice(-2), 'gpu1: its host key has changed.'],
    ['its last line', CHANGED.slice(-1), /^the host: its host key is not the pinned one, or none is pinned/],
    [
      'a key that is not known',
      [
        'No ED25519 host key is known for gpu1 and you have requested strict checking.',
        'Host key verification failed.',
      ],
      /^gpu1: its host key is not known/,
    ],
  ])('%s: nothing is made up', async (_, lines, cause) => {
    const { out } = await run(lines.join('\n'), ['--json'])
    expect(JSON.parse(out)).toMatchObject({ code: 'ssh.hostkey', cause: expect.stringMatching(cause) })
    expect(out).not.toMatch(/exit status|@@/)
  })

  test('a name that a shell would read stands in no command', async () => {
    const { out } = await run(CHANGED.join('\n').replaceAll('gpu1', 'gpu1;reboot'), ['--json'])
    expect(out).not.toContain('-R ')
  })

  test('of an account that runs nothing no status is made up either', async () => {
    const { out } = await run('This account is currently not available.\n', ['--json'])
    expect(JSON.parse(out)).toMatchObject({ code: 'ssh.exec-refused' })
    expect(out).not.toContain('exit status')
  })
})

describe('large inputs', () => {
  test('of a log on one line of 50 MB it says what was read', async () => {
    const piece = Buffer.alloc(10_000, 'a')
    async function* input() {
      for (let n = 0; n < 5000; n += 1) yield piece
    }
    const out: string[] = []
    const status = await diagnose(['--json'], input(), { write: (said) => out.push(said) }, { write: () => true })
    expect(status).toBe(3)
    expect(JSON.parse(out.join(''))).toMatchObject({
      code: 'log.need-more',
      cause:
        'The log is a single line of 50,000,000 bytes. Its first 4,000 characters were read, and they do not hold a cause.',
      because: ['1 line read, its first 4,000 characters'],
      remedy: ['Give the log with its line ends, one message a line.'],
    })
  })

  test('a line that is too long among others is told', async () => {
    const { out } = await run(`one line\n${'a'.repeat(100_000)}\nand the last\n`, ['--json'])
    expect(JSON.parse(out).because).toEqual([
      '3 lines read, of line 2 (100,000 bytes) its first 4,000 characters',
      'the last one: “and the last”',
    ])
  })

  test('a log of 20 MB is read within 40 MB more', async () => {
    const chunk = Buffer.from(
      '[2026-01-01 10:02:12 TP0] a line of a log that says nothing of any interest at all\n'.repeat(800),
    )
    const pieces = Math.ceil((20 * 2 ** 20) / chunk.length)
    async function* input() {
      for (let n = 0; n < pieces; n += 1) yield chunk
      yield Buffer.from('OSError: [Errno 98] error while attempting to bind on address: address already in use\n')
    }
    const out: string[] = []
    const before = process.memoryUsage().arrayBuffers
    await diagnose(['--json'], input(), { write: (said) => out.push(said) }, { write: () => true })
    const grown = process.memoryUsage().arrayBuffers - before
    expect(JSON.parse(out.join(''))).toMatchObject({ code: 'proc.port-taken' })
    expect(grown).toBeLessThan(40 * 2 ** 20)
  })

  test('an answer of 10 MB is read, one of 17 MB is not', async () => {
    const answer = (mib: number) => CHAT.replace('Hello there.', 'word '.repeat((mib * 2 ** 20) / 5))
    expect((await run(answer(10), ['--json'])).status).not.toBe(2)
    expect(await run(answer(17), ['--json'])).toMatchObject({
      status: 2,
      err: 'line 1: longer than 16 MiB, not read: what begins like an answer has 17,825,968 bytes; cut the long text in it to its two ends.\n',
    })
  })
})

test('blank lines alone are nothing', async () => {
  expect(await run('\n \n')).toMatchObject({ status: 2, err: expect.stringContaining('standard input is empty') })
})

describe('with --json a wrong use is one document', () => {
  test.each([
    ['nothing', '', [], /standard input is empty/],
    ['a flag that nobody knows', CHAT, ['--foo'], /"--foo" is not known/],
    ['a file', CHAT, ['start.log'], /Next: pilotflame diagnose < start\.log$/],
  ])('%s', async (_, text, words, title) => {
    const { status, out, err } = await run(text, ['--json', ...words])
    expect({ status, err }).toEqual({ status: 2, err: '' })
    expect(JSON.parse(out)).toEqual({ status: 'usage', title: expect.stringMatching(title) })
  })
})

test.each([
  ['logs/start.log', 'pilotflame diagnose < logs/start.log\n'],
  ['my log; reboot', 'pilotflame diagnose < FILE\n'],
  ['-', 'pilotflame diagnose < FILE\n'],
])('the file %s is to be opened by the shell', async (word, next) => {
  const { status, out, err } = await run(CHAT, [word])
  expect({ status, out }).toEqual({ status: 2, out: '' })
  expect(err.endsWith(`Next: ${next}`)).toBe(true)
})
