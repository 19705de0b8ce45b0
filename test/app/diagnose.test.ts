import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { writerNamed } from '../../src/app/diagnose/log-document.ts'
import { diagnose } from '../../src/app/diagnose.ts'
import { sanitise } from '../../src/domain/sanitise.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')
const ok = { command: 'hostname', event: { type: 'close', code: 0, signal: null }, stdout: 'gpu1\n', stderr: '' }
const refused = { command: null, event: { type: 'error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' } }
const slow = { command: 'df', event: { type: 'timeout', after_ms: 5000 } }
const line = (input: unknown, id: string | number = 'one', kind = 'D') => JSON.stringify({ id, kind, input })

/** Bytes in, both outputs and the exit status out; `step`: in pieces of so many bytes. */
async function run(text: string | Uint8Array, words: readonly string[] = [], step = 1 << 20) {
  const bytes = Buffer.from(text)
  async function* input() {
    for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
  }
  const [out, err] = [screen(), screen()]
  const status = await diagnose(words, input(), out, err)
  return { status, out: out.text(), err: err.text() }
}

function screen() {
  const said: string[] = []
  return { write: (text: string) => said.push(text), text: () => said.join('') }
}

const Answer = z.object({ id: z.unknown(), verdict: z.string(), code: z.string() }).loose()
const answersIn = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((one) => Answer.parse(JSON.parse(one)))

describe('--json', () => {
  test('answers each document on one line, with the fields of the format', async () => {
    const { status, out, err } = await run(`${line(ok, 'a')}\n${line(refused, 7)}\n`, ['--json'])
    expect({ status, err }).toEqual({ status: 1, err: '' })
    expect(answersIn(out).map(({ id, verdict, code }) => [id, verdict, code])).toEqual([
      ['a', 'healthy', 'ok.ran'],
      [7, 'unreachable', 'ssh.refused'],
    ])
    for (const answer of answersIn(out))
      expect(Object.keys(answer)).toEqual([
        'id',
        'verdict',
        'code',
        'cause',
        'because',
        'remedy',
        'confidence',
        'parsed',
      ])
  })

  test('takes a whole labelled case and does not read what it claims', async () => {
    const lie = { id: 'x', kind: 'D', input: ok, truth: { verdict: 'broken', code: 'ssh.jump' }, slug: 'dropped' }
    expect(answersIn((await run(JSON.stringify(lie), ['--json'])).out)).toMatchObject([{ code: 'ok.ran' }])
  })

  test('keeps what a parser says of a key', async () => {
    const thrown = {
      command: null,
      event: { type: 'error', message: 'Cannot parse privateKey: Unsupported key format' },
    }
    expect((await run(line(thrown), ['--json'])).out).not.toContain('redacted')
  })

  test('hides secrets and shows no control character', async () => {
    const told = 'password: hunter22 \u001b]0;title\u0007\u202e'
    const { out } = await run(line({ ...ok, stdout: `${told}\n` }), ['--json'])
    expect(out).not.toContain('hunter22')
    expect(sanitise(out)).toBe(out)
  })
})

test('to people it tells the cause, the evidence, what to do and the page', async () => {
  const { status, out } = await run(line(refused))
  expect(status).toBe(1)
  expect(out).toContain('✗ Unreachable. Nothing listens at the SSH port.')
  expect(out).toContain('the host: connection refused.')
  expect(out).toContain('docs/problems/ssh.refused.md')
  expect(out).toContain('1. Start sshd there')
})

test('one document over several lines is one', async () => {
  const whole = readFileSync(join(FIXTURES, 'cases/D-17.json'), 'utf8')
  for (const step of [1, 7, 1 << 20]) {
    const { status, out, err } = await run(whole, ['--json'], step)
    expect({ status, err }).toEqual({ status: 1, err: '' })
    expect(answersIn(out)).toMatchObject([{ id: 'D-17', code: 'ssh.stdout-noise', parsed: { rows: 2 } }])
  }
})

test.each([
  ['a byte order mark', `\uFEFF${line(ok)}\n`],
  ['line ends of Windows', `${line(ok)}\r\n\r\n`],
  ['no last line end', line(ok)],
  ['blank lines', `\n\n${line(ok)}\n  \n`],
  ['letters of several bytes, cut anywhere', line({ ...ok, stdout: 'Größe 30,000 €\n' })],
])('takes %s', async (_, text) => {
  for (const step of [1, 1 << 20]) {
    const { status, out, err } = await run(text, ['--json'], step)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(answersIn(out)).toMatchObject([{ code: 'ok.ran' }])
    expect(out).not.toContain('\uFFFD')
  }
})

test.each([
  ['fine', [ok], 0],
  ['could not tell', [ok, slow], 3],
  ['not fine', [slow, refused, ok], 1],
])('exit status of the worst: %s', async (_, inputs, expected) => {
  expect((await run(inputs.map((input) => line(input)).join('\n'))).status).toBe(expected)
})

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const BAD: readonly (readonly [what: string, text: string | Uint8Array, says: RegExp])[] = [
  ['no JSON', '{connection refused', /^line 1: is no JSON; write one document a line/],
  ['half a document', line(ok).slice(0, -9), /^line 1: is no JSON/],
  ['no object', '[1, 2]', /^line 1: is no JSON object; write \{"id"/],
  ['a list of numbers', '[7]', /^line 1: is no JSON object/],
  ['no kind', JSON.stringify({ id: 'x', input: ok }), /^line 1: "kind" is missing; write one of A, B, C, D, E/],
  ['an unknown kind', line(ok, 'x', 'constructor'), /^line 1: kind "constructor" is not known; write one of A/],
  ['no input', JSON.stringify({ id: 'x', kind: 'D' }), /^line 1: "input" is missing/],
  ['an input that is no object', line('close'), /^line 1: "input" is no object/],
  ['no event', line({ command: 'id', stdout: '' }), /^line 1: "input.event" is missing; write \{"type": "close"/],
  ['an event without an end', line({ event: { type: 'ready' } }), /^line 1: "input.event" tells no end; write/],
  ['an error without a message', line({ event: { type: 'error' } }), /^line 1: "input.event" tells no end/],
  ['output that is no text', line({ ...ok, stdout: 5 }), /^line 1: "input.stdout" is no text/],
  ['a command that is a list', line({ ...ok, command: ['id'] }), /^line 1: "input.command" is no text/],
  [
    'a text of Slack without its surface',
    line({ text: 'x' }, 'x', 'E'),
    /^line 1: "input.surface" is not known; write "slash"/,
  ],
  [
    'a surface that nobody knows',
    line({ surface: 'fax', text: 'x' }, 'x', 'E'),
    /^line 1: "input.surface" is not known/,
  ],
  [
    'a text of Slack that is a list',
    line({ surface: 'slash', text: ['x'] }, 'x', 'E'),
    /^line 1: "input.text" is no text/,
  ],
  [
    'a slash command that is a number',
    line({ surface: 'slash', text: 'x', command: 7 }, 'x', 'E'),
    /^line 1: "input.command" is no text/,
  ],
  [
    'what was typed, as a number',
    line({ surface: 'slash', text: 'x', typed: 7 }, 'x', 'E'),
    /^line 1: "input.typed" is no text/,
  ],
  [
    'an answer of Slack that is missing',
    line({ surface: 'api-error', text: null }, 'x', 'E'),
    /^line 1: "input.response" is missing/,
  ],
  [
    'an answer of Slack that is a text',
    line({ surface: 'api-error', response: 'no' }, 'x', 'E'),
    /^line 1: "input.response" is missing/,
  ],
  ['an input of Slack that is no object', line('x', 'x', 'E'), /^line 1: "input" is no object/],
  ['depth', `{"id":1,"kind":"D","input":${deep}}`, /^line 1: is nested deeper than 64 levels/],
  [
    'values without number',
    `{"kind":"D","input":[${'0,'.repeat(200_000)}0]}`,
    /^line 1: holds more than 100,000 values/,
  ],
  [
    'a line of 10 MB',
    line({ ...ok, stdout: 'x'.repeat(10_000_000) }),
    /^line 1: longer than 4 MiB, not read: the document has 10,000,\d{3} bytes; cut/,
  ],
  [
    'a document of 10 MB',
    `{\n"kind": "D",\n${' '.repeat(10_000_000)}\n}`,
    /^line 1: longer than 4 MiB, not read: the document has 10,000,\d{3} bytes/,
  ],
  ['an empty list', '[]', /^line 1: is an empty list, and holds nothing to judge; give/],
  ['bytes that are no text', new Uint8Array([0, 255, 254, 128, 10]), /^line 1: is no text/],
]

describe('a line that is no document', () => {
  it.each(BAD)('%s', async (_, text, says) => {
    const { status, out, err } = await run(text, ['--json'])
    expect(status).toBe(2)
    expect(JSON.parse(out)).toEqual({ status: 'usage', title: expect.stringMatching(says) })
    expect(err).toMatch(says)
    expect(err.length).toBeLessThan(400)
  })

  test('is told by its number, and the others are judged', async () => {
    const { status, out, err } = await run(`${line(ok)}\n\nnonsense\n${line(refused)}\n`, ['--json'])
    expect(status).toBe(2)
    expect(answersIn(out).map(({ code }) => code)).toEqual(['ok.ran', 'ssh.refused'])
    expect(err).toMatch(/^line 3: [^\n]+\n$/)
  })
})

test.each([
  ['A', /^line 1: "input.response" is missing/],
  ['B', /^line 1: "input.log" is missing/],
])('kind %s says what it misses', async (kind, says) => {
  const { status, err } = await run(line({}, 'x', kind), ['--json'])
  expect(status).toBe(2)
  expect(err).toMatch(says)
})

describe('a log, kind B', () => {
  const OOM = 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 896.00 MiB.'
  const log = `[t TP0] Capture cuda graph begin. avail mem=0.90 GB\n${OOM}`

  test('is judged with what is known besides', async () => {
    const { status, out } = await run(line({ engine: 'SGLang', log, context: { gpu: '24GB' } }, 'b', 'B'), ['--json'])
    expect(status).toBe(1)
    expect(answersIn(out)).toMatchObject([{ id: 'b', verdict: 'misconfigured', code: 'mem.cuda-graph', parsed: {} }])
  })

  test('may be a list of lines', async () => {
    const { out } = await run(line({ engine: 'sglang', log: log.split('\n') }, 'b', 'B'), ['--json'])
    expect(answersIn(out)).toMatchObject([{ code: 'mem.cuda-graph' }])
  })

  test('takes what nvidia-smi printed beside it as readings', async () => {
    const context = { nvidia_smi: "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n" }
    const { out } = await run(line({ engine: 'vllm', log: 'a line', context }, 'b', 'B'), ['--json'])
    expect(answersIn(out)).toMatchObject([{ code: 'driver.not-loaded' }])
  })

  test.each([
    ['sglang', 'sglang'],
    ['SGLang v0.5.11', 'sglang'],
    ['vLLM', 'vllm'],
    ['llama.cpp', 'llama-cpp'],
    ['llama-server', 'llama-cpp'],
    ['llama-cpp', 'llama-cpp'],
    ['Ollama', 'ollama'],
    ['journald', 'systemd'],
    ['tgi', null],
    ['', null],
  ])('whose engine is called %j', (name, writer) => {
    expect(writerNamed(name)).toBe(writer)
  })
})

describe('what is written of the format works', () => {
  test('the lines of the guide, one of each kind of end', async () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/hosts.md'), 'utf8')
    const [, lines = ''] = /```jsonl\n([\s\S]*?)```/.exec(guide) ?? []
    const { err, out } = await run(lines, ['--json'])
    expect(err).toBe('')
    expect(answersIn(out).map(({ id, code }) => [id, code])).toEqual([
      ['exit status', 'ssh.path'],
      ['signal', 'cmd.signal'],
      ['no status', 'ssh.dropped-mid'],
      ['error', 'ssh.refused'],
      ['timeout', 'cmd.timeout'],
      ['limit', 'cmd.output-truncated'],
    ])
  })

  test.each(['--help', '-h'])('%s prints the shape, the kinds and an example that works', async (word) => {
    const { status, out, err } = await run('', [word])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toContain('this version judges kinds A, B, C, D, E')
    for (const type of ['close', 'error', 'timeout', 'limit']) expect(out).toContain(`{"type": "${type}"`)
    const [example = ''] = /^ +(\{"id":"try".*\}\})$/m.exec(out) ?? []
    expect(answersIn((await run(example, ['--json'])).out)).toMatchObject([{ id: 'try', code: 'ssh.path' }])
    for (const [event] of out.matchAll(/\{"type".*?\}/g)) {
      const { status: judged, err: none } = await run(`{"kind":"D","input":{"command":"id","event":${event}}}`)
      expect({ event, none, known: judged !== 2 }).toEqual({ event, none: '', known: true })
    }
  })
})

test('says how it is used', async () => {
  expect(await run('')).toMatchObject({ status: 2, err: expect.stringContaining('standard input is empty') })
  expect(await run(line(ok), ['now'])).toMatchObject({ status: 2, out: '', err: expect.stringContaining('"now"') })
})
