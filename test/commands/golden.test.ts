import { expect, test } from 'vitest'
import type { Completion } from '../../src/domain/completion.ts'
import type { Failure } from '../../src/domain/failure.ts'
import { paint } from '../../src/surfaces/terminal/paint.ts'
import { renderReport } from '../../src/surfaces/terminal/render.ts'
import type { Script } from './house.ts'
import { CHANNEL, healthy, openHouse, target } from './house.ts'

/*
 * Golden files are named after the command line that they show, so that a reviewer reads the product in the diff.
 * `npx vitest run test/commands -u` writes them anew.
 */
const answering =
  (completion: Completion, failure: Failure | null = null): Script =>
  async () => ({ completion, failure })

const nothing: Completion = {
  ...healthy,
  reasoning: null,
  content: null,
  pieces: 0,
  tokens: { ...healthy.tokens, completion: 2, reasoning: 0 },
}
const spent: Completion = { ...healthy, content: '', tokens: { ...healthy.tokens, completion: 1996, reasoning: 1996 } }
const down: Failure = {
  kind: 'refused',
  thing: 'target qwen (127.0.0.1:30000)',
  observed: 'connection refused',
  next: 'start the server, or correct targets.qwen.url in pilotflame.yml',
}

const open = (id: string) => ({
  roles: { admins: [], operators: [], adminGroups: [], operatorGroups: [] },
  channels: [{ id, targets: [], target: null }],
})

const shown: readonly {
  readonly line: string
  readonly name?: string
  readonly given?: Parameters<typeof openHouse>[0]
  readonly channel?: string
}[] = [
  { line: 'smoke "Say hello"' },
  { line: 'smoke "Say hello in one sentence." --max-tokens 200', given: { script: answering(nothing) } },
  { line: 'smoke "Write a Python is_prime function" --max-tokens 2000', given: { script: answering(spent) } },
  { line: 'smoke "Is it up"', given: { unreachable: down } },
  {
    line: 'smoke "Say hello" on qwen, spare',
    given: { targets: [target('qwen'), target('spare')], scripts: { spare: answering(nothing) } },
  },
  { line: 'smoke --max-tokens many' },
  { line: 'help' },
  { line: 'help smoke' },
  { line: 'help sglang' },
  { line: 'help access' },
  { line: 'sglang' },
  { line: 'lock qwen too hot' },
  { line: 'sglang logs' },
  { line: 'smoke --target qwne' },
  { line: 'knowledge check Qwen3.6-27B --engine sglang --version 0.5.9 --tp 2' },
  { line: 'whoami', channel: 'C0123ABCD', given: { policy: open('C0123ABCD') } },
]

test.each(shown)('$line', async ({ line, given, channel = CHANNEL }) => {
  const { say } = await openHouse(given)
  const heard = await say(line, { how: 'mention', place: { channel, thread: null } })
  const report = heard.answer()
  if (report === undefined) throw new Error('no answer')
  const text = renderReport(report, { style: paint(false), clean: (words) => words, remembers: true, full: true })
  await expect(text).toMatchFileSnapshot(`golden/${line.replaceAll('"', "'")}.txt`)
})
