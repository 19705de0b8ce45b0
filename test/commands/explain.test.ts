import { expect, test } from 'vitest'
import type { Outcome } from '../../src/domain/outcome.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import type { Shown, ShownFile, ShownMessage } from '../../src/domain/shown.ts'
import type { Target } from '../../src/domain/target.ts'
import { fakeHost, GOOD } from '../gather/fake-host.ts'
import type { Script } from './house.ts'
import { CHANNEL, healthy, openHouse, target } from './house.ts'

const LOG = [
  '[2026-05-01 10:00:01 TP0] Init torch distributed begin.',
  '[2026-05-01 10:00:02 TP0] Load weight begin. avail mem=23.10 GB',
  'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.',
].join('\n')
const NULL_ANSWER =
  '{"choices":[{"message":{"role":"assistant","content":null},"finish_reason":"stop"}],"usage":{"completion_tokens":1}}'
const THREAD = { channel: CHANNEL, thread: '1700000000.000100' }
const MENTION = { how: 'mention', place: THREAD } as const
const AT = 1_700_000_000_000

const file = (name: string, text: Outcome<string>): ShownFile => ({ name, read: async () => text })
const above = (...messages: readonly Partial<ShownMessage>[]): Shown => ({
  files: [],
  above: ok(messages.map((one) => ({ at: AT, text: '', files: [], isFirst: false, ...one }))),
})
const empty: Script = async () => ({
  completion: { ...healthy, reasoning: null, content: null, pieces: 0, tokens: { ...healthy.tokens, completion: 1 } },
  failure: null,
})

async function explained(line: string, shown?: Shown) {
  const { say } = await openHouse(shown === undefined ? {} : { shown })
  return (await say(line, MENTION)).answer()
}

test.each([
  ['as it is', LOG],
  ['in a code block, with words around it', `please look\n\`\`\`\n${LOG}\n\`\`\`\nthanks`],
])('a log that is pasted %s is explained, with its line quoted', async (_, pasted) => {
  const answer = await explained(`explain ${pasted}`)
  expect(answer?.lead).toBe('Anna showed a pasted text, read as a log')
  expect(answer?.sections).toHaveLength(1)
  expect(answer?.sections[0]?.title).toMatch(/^Diagnosis: mem\./)
  expect(answer?.sections[0]?.body).toContain('log line 3: “RuntimeError: Not enough memory.')
})

test('an answer and an nvidia-smi output are known by what they hold', async () => {
  expect(await explained(`explain ${NULL_ANSWER}`)).toMatchObject({
    status: 'broken',
    lead: expect.stringContaining('read as the answer of a model server'),
  })
  const smi = 'Failed to initialize NVML: Driver/library version mismatch'
  expect((await explained(`explain ${smi}`))?.sections[0]?.title).toContain('driver.lib-mismatch')
})

test('what looks like flags and help in a pasted text is text; 39,000 characters of it are read', async () => {
  const noise = 'usage: launch_server --help --tp 2 --target nobody “quoted\n'.repeat(650)
  const answer = await explained(`explain ${noise}${LOG}`)
  expect(noise.length).toBeGreaterThan(35_000)
  expect(answer?.sections[0]?.title).toMatch(/^Diagnosis: mem\./)
})

test('a secret in what is shown is hidden before anything is quoted', async () => {
  const { say } = await openHouse({ redact: (text) => text.replaceAll('hunter2', '[redacted]') })
  const answer = (await say(`explain ${LOG.replace('memory.', 'memory hunter2.')}`, MENTION)).answer()
  expect(JSON.stringify(answer)).not.toContain('hunter2')
})

test('nothing that was shown is stored', async () => {
  const { say, store } = await openHouse()
  await say(`explain ${LOG}`, MENTION)
  const [last, audits] = [await store.lastAttempt(THREAD, null), await store.audits(10)]
  expect(last).toEqual(ok(null))
  expect(audits).toMatchObject({ ok: true, value: [{ command: 'explain' }, { command: 'explain' }] })
  expect(JSON.stringify(audits)).not.toContain('memory')
})

test('files of the message are read; one that cannot be is named with what mends it', async () => {
  const no = failed<string>({ kind: 'config', thing: 'file b', observed: 'no scope', next: 'click there' })
  const answer = await explained('explain', { files: [file('a.log', ok(LOG)), file('b.log', no)], above: ok([]) })
  expect(answer?.sections.map(({ title }) => title)).toEqual([
    expect.stringMatching(/^Diagnosis: mem\./),
    'Not read: 1 text',
  ])
  expect(answer?.sections[1]?.body).toBe('b.log: no scope. Next: click there.')
  const alone = await explained('explain', { files: [file('b.log', no)], above: ok([]) })
  expect(alone).toMatchObject({ title: 'Not explained.', summary: 'b.log: no scope. Next: click there.' })
})

test('“explain this” means what stands above it: the latest that shows something, and no talk', async () => {
  const talk = above({ text: 'hm, strange' }, { text: LOG }, { text: NULL_ANSWER, isFirst: true })
  expect((await explained('explain this', talk))?.lead).toContain('a log')
  const first = above({ text: 'hm, strange' }, { text: 'RuntimeError: CUDA out of memory', isFirst: true })
  expect((await explained('explain', first))?.lead).toContain('a log')
})

test('what was shown before the thread’s last smoke is not meant, what came after it is', async () => {
  const before = await openHouse({ script: empty, shown: above({ at: AT - 1, text: LOG }) })
  await before.say('/smoke "Hi"')
  expect((await before.say('explain', MENTION)).answer()?.lead).toBe('Anna asked why attempt 1 on qwen ended so')
  const after = await openHouse({ script: empty, shown: above({ at: AT + 1, text: LOG }) })
  await after.say('/smoke "Hi"')
  expect((await after.say('explain', MENTION)).answer()?.lead).toContain('a log')
})

test('without anything shown the last smoke is explained with what its host tells now, and stays one attempt', async () => {
  const qwen: Target = { ...target('qwen'), host: 'box', unit: 'main' }
  let script: Parameters<typeof fakeHost>[0] = {}
  const { say, store } = await openHouse({ script: empty, targets: [qwen], host: () => fakeHost(script) })
  await say('/smoke "Hi"')
  script = GOOD
  const heard = await say('explain', MENTION)
  expect(heard.answer()?.sections.at(-1)).toMatchObject({ title: 'Looked at: 10 of 10', folded: true })
  expect(heard.answer()?.status).toBe('broken')
  expect(await store.numberedAttempt(THREAD, 2)).toEqual(ok(null))
})

test('where nothing can be meant, it says what to write; where the thread could not be read, why', async () => {
  expect((await explained('explain'))?.title).toMatch(/^There is nothing to explain/)
  const why = failed<readonly ShownMessage[]>({ kind: 'config', thing: 'Slack', observed: 'no scope', next: 'click' })
  expect((await explained('explain', { files: [], above: why }))?.title).toBe(
    'Nothing to explain came with it. Slack: no scope. Next: click.',
  )
  expect((await explained('explain this'))?.status).toBe('inconclusive')
})

test('in a terminal it is diagnose', async () => {
  const { say } = await openHouse()
  const answer = (await say('explain', { how: 'terminal' })).answer()
  expect(answer?.title).toContain('pilotflame diagnose < FILE')
})

test('people who talk in a thread do not ask for it without a mention', async () => {
  const { start } = await openHouse({ script: empty })
  const { heard, done } = start('explain', { how: 'thread', place: THREAD })
  await done
  expect(heard.answer()).toBeUndefined()
})
