import { expect, test } from 'vitest'
import type { Ask } from '../../../src/domain/ask.ts'
import type { Conversation } from '../../../src/domain/conversation.ts'
import { redactor } from '../../../src/domain/redact.ts'
import type { Report } from '../../../src/domain/report.ts'
import { refusal, report } from '../../../src/domain/report.ts'
import { terminalSurface } from '../../../src/surfaces/terminal/index.ts'
import { screen } from './screen.ts'

interface Given {
  readonly words?: readonly string[]
  readonly tty?: boolean
  readonly plain?: boolean
  readonly remembers?: boolean
  readonly interrupted?: AbortSignal
  handle(ask: Ask, talk: Conversation): Promise<void>
}

/** Runs one command line with a clock that only moves when told. */
async function type(given: Given) {
  const { words = [], tty = false, plain = false, remembers = true, interrupted = new AbortController().signal } = given
  const [out, err] = [screen(tty), screen(tty)]
  const time = { ms: 0 }
  const clock = { now: () => 1000, monotonic: () => time.ms }
  const redact = redactor(['s3cret-value'])
  const { handle } = given
  const surface = terminalSurface({
    words,
    login: 'dana',
    out,
    err,
    plain,
    remembers,
    clock,
    interrupted,
    redact,
    handle,
  })
  const status = await surface.run()
  return { status, out: out.text(), err: err.text() }
}

const noButtons = async () => null

function answer(given: Report): Given['handle'] {
  return async (_ask, talk) => void (await talk.end(given, noButtons))
}

const verdict = report({
  tone: 'bad',
  status: 'broken',
  title: 'Broken. The model ends at once.',
  lead: 'dana asked qwen: “Say hello”',
  facts: [
    { label: 'Tokens', value: '2' },
    { label: 'Finish reason', value: 'stop' },
  ],
  tables: [
    {
      title: 'Boxes',
      columns: ['box', 'state'],
      rows: [
        ['gpu-box-1', 'up'],
        ['盒子', 'down'],
      ],
    },
  ],
  sections: [
    {
      kind: 'reasoning',
      title: 'Reasoning (20 lines)',
      body: Array.from({ length: 20 }, (_, at) => `thought ${at + 1}`).join('\n'),
      folded: true,
    },
    { kind: 'content', title: 'Content (empty)', body: 'The server sent null: no content at all.', folded: false },
  ],
  actions: [
    { label: 'Retry', line: 'retry', style: 'plain' },
    { label: 'Again', line: 'smoke "$(reboot)"', style: 'plain' },
  ],
  json: { verdict: 'broken', said: 'a\u202eb \u009b31m s3cret-value' },
})

test('the words become an ask, without the flags that are the surface’s own', async () => {
  const asks: Ask[] = []
  await type({
    words: ['smoke', 'Say hello', '--target', 'qwen', '--json', '--full'],
    async handle(ask, talk) {
      asks.push(ask)
      await talk.end(verdict, noButtons)
    },
  })
  expect(asks).toMatchObject([
    {
      how: 'terminal',
      said: { form: 'words', words: ['smoke', 'Say hello', '--target', 'qwen'] },
      person: { team: 'local', id: 'dana', kind: 'local' },
      place: { channel: 'terminal', thread: null },
      at: 1000,
    },
  ])
})

test('a report in a pipe: plain text, folded sections by head and tail, only what a shell takes is offered', async () => {
  const { status, out, err } = await type({ handle: answer(verdict) })
  expect(status).toBe(1)
  expect(err).toBe('')
  expect(out).toBe(`✗ Broken. The model ends at once.
  dana asked qwen: “Say hello”

  Tokens         2
  Finish reason  stop

Reasoning (20 lines)
  thought 1
  thought 2
  thought 3
  thought 4
  thought 5
  thought 6
  … 11 lines, 117 characters more (--full shows them) …
  thought 18
  thought 19
  thought 20

Content (empty)
  The server sent null: no content at all.

Boxes
  box        state
  gpu-box-1  up
  盒子       down

Next
  pilotflame retry  Retry
`)
})

test('a question back is shown with what may be answered', async () => {
  const picker = report({
    tone: 'neutral',
    status: 'needs-clarification',
    title: 'Which target?',
    sections: [{ kind: 'text', title: 'Targets', body: 'Add --target NAME: llama, qwen.', folded: false }],
    actions: [{ label: 'qwen', line: 'smoke "Say hello" --target qwen', style: 'plain' }],
  })
  const { out, status } = await type({ remembers: false, handle: answer(picker) })
  expect(out).toBe('• Which target?\n\nTargets\n  Add --target NAME: llama, qwen.\n')
  expect(status).toBe(3)
})

test('--full shows folded sections whole; a one-shot run offers nothing that would need its memory', async () => {
  const { out } = await type({ words: ['smoke', '--full'], remembers: false, handle: answer(verdict) })
  expect(out).toContain('thought 12')
  expect(out).not.toContain('pilotflame retry')
})

test('--json prints one line that holds the value and nothing that acts', async () => {
  const { out, status } = await type({ words: ['--json'], tty: true, handle: answer(verdict) })
  expect(status).toBe(1)
  expect(out).toMatch(/^[^\n]*\n$/)
  expect(out).not.toMatch(/(?!\n)\p{Cc}|\u202e/u)
  expect(JSON.parse(out)).toEqual({ verdict: 'broken', said: 'a\u202eb \u009b31m [redacted]' })
  const refused = await type({ words: ['--json'], handle: answer(refusal('Not run: no role.')) })
  expect(JSON.parse(refused.out)).toEqual({ status: 'refused', title: 'Not run: no role.' })
})

test('colours only on a screen, and not where NO_COLOR is set', async () => {
  const [onScreen, plain] = [
    await type({ tty: true, handle: answer(verdict) }),
    await type({ tty: true, plain: true, handle: answer(verdict) }),
  ]
  expect(onScreen.out).toContain('\u001b[1;31m✗ Broken')
  expect(onScreen.out).toContain('\u001b[2mthought 1\u001b[0m')
  expect(plain.out).not.toContain('\u001b')
})

test('text from outside can neither act on the screen, nor break a line of ours, nor show a secret', async () => {
  const hostile = '\u001b[2J\u001b]0;owned\u0007ok\rBAD \u202e s3cret-value'
  const { out } = await type({
    handle: answer(
      report({
        tone: 'good',
        status: 'healthy',
        title: `${hostile}\nFAKE`,
        lead: hostile,
        facts: [{ label: hostile, value: `1\n${hostile}` }],
        sections: [{ kind: 'content', title: hostile, body: `one\ttab\n${hostile}`, folded: false }],
        tables: [{ title: hostile, columns: [hostile], rows: [[`a\nb${hostile}`]] }],
      }),
    ),
  })
  expect(out).not.toMatch(/(?![\n\t])\p{Cc}|\u202e/u)
  expect(out).not.toContain('s3cret-value')
  expect(out.split('\n')[0]).toBe('✓ ok\\u{d}BAD \\u{202e} [redacted] FAKE')
})

test('one endless line is cut in a folded section, with the number of what is missing', async () => {
  const section = { kind: 'reasoning', title: 'Reasoning', body: 'ab'.repeat(5000), folded: true } as const
  const { out } = await type({
    handle: answer(report({ tone: 'bad', status: 'broken', title: 'Broken', sections: [section] })),
  })
  expect(out).toContain('… 9,650 characters more (--full shows them) …')
  expect(out.length).toBeLessThan(600)
})

test('progress is one line on stderr that the answer wipes; silent in a pipe', async () => {
  const running = (title: string): Report => report({ tone: 'running', status: 'running', title })
  const handle: Given['handle'] = async (_ask, talk) => {
    expect(await talk.begin(running('Thinking'), noButtons)).toMatchObject({
      place: { channel: 'terminal', thread: null },
    })
    talk.update(running('within 100 ms of the last one, so not drawn'))
    await talk.end(verdict, noButtons)
  }
  const [watched, piped] = [await type({ tty: true, handle }), await type({ handle })]
  expect(watched.err).toBe('\r\u001b[2KThinking\r\u001b[2K')
  expect(piped.err).toBe('')
})

test('progress never wraps, however long or wide', async () => {
  const { err } = await type({
    tty: true,
    async handle(_ask, talk) {
      await talk.begin(report({ tone: 'running', status: 'running', title: `${'思'.repeat(60)}\n` }), noButtons)
      await talk.end(verdict, noButtons)
    },
  })
  expect(err).toBe(`\r\u001b[2K${'思'.repeat(19)}…\r\u001b[2K`)
})

test('Ctrl-C is acknowledged at once, also in a pipe', async () => {
  const abort = new AbortController()
  const { err, out } = await type({
    interrupted: abort.signal,
    async handle(_ask, talk) {
      abort.abort()
      await talk.end(report({ tone: 'neutral', status: 'inconclusive', title: 'Stopped by dana.' }), noButtons)
    },
  })
  expect(err).toBe('Stopping…\n')
  expect(out).toContain('Stopped by dana.')
})

test.each([
  ['healthy', 0],
  ['ok-normalized', 0],
  ['done', 0],
  ['broken', 1],
  ['degraded', 1],
  ['misconfigured', 1],
  ['hardware-fault', 1],
  ['unreachable', 1],
  ['request-limit', 1],
  ['client-error', 1],
  ['refused', 1],
  ['failed', 1],
  ['usage', 2],
  ['inconclusive', 3],
  ['not-ready', 3],
  ['overloaded', 3],
  ['needs-clarification', 3],
  ['running', 3],
] as const)('%s exits with %i', async (status, code) => {
  const ended = await type({ handle: answer(report({ tone: 'neutral', status, title: 'x' })) })
  expect(ended.status).toBe(code)
})

test('an answer that never came is admitted', async () => {
  const { status, err } = await type({ handle: async () => {} })
  expect(status).toBe(1)
  expect(err).toContain('no answer came back')
})
