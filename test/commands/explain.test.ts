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

test('it says which file it reads, and 30 s are enough for all of them: the rest is named, what came is explained', async () => {
  const limits: (readonly [ms: number, run: () => void])[] = []
  const every = (...limit: readonly [ms: number, run: () => void]) => {
    limits.push(limit)
    return () => {}
  }
  const asked = Promise.withResolvers<void>()
  const deaf: ShownFile = {
    name: 'b.log',
    read: () => {
      asked.resolve()
      return new Promise(() => {})
    },
  }
  const never: ShownFile = { name: 'c.log', read: () => Promise.reject(new Error('asked after the limit')) }
  const { start } = await openHouse({ every, shown: { files: [file('a.log', ok(LOG)), deaf, never], above: ok([]) } })
  const { heard, done } = start('explain', MENTION)
  await asked.promise
  expect(heard.begun[0]?.title).toBe('Reading a.log: 0 of 3 files read')
  expect(heard.begun[0]?.actions.map(({ label }) => label)).toEqual(['Stop'])
  await new Promise(setImmediate)
  for (const [ms, run] of limits) if (ms === 1000) run()
  expect(heard.updates.at(-1)?.title).toBe('Reading b.log: 1 of 3 files read')
  for (const [ms, run] of limits) if (ms === 30_000) run()
  await done
  const late = 'it did not come within the 30 s that all files of a message have. Next: paste its text instead.'
  expect(heard.answer()?.sections.map(({ title }) => title)).toEqual([
    expect.stringMatching(/^Diagnosis: mem\./),
    'Not read: 2 texts',
  ])
  expect(heard.answer()?.sections[1]?.body).toBe(`b.log: ${late}\nc.log: ${late}`)
})

test('between two files others get their turn, since hiding the secrets of each takes a while', async () => {
  const turns: string[] = []
  const redact = (text: string): string => {
    if (text === LOG) {
      turns.push('file')
      setImmediate(() => turns.push('other'))
    }
    return text
  }
  const { say } = await openHouse({
    redact,
    shown: { files: [file('a.log', ok(LOG)), file('b.log', ok(LOG)), file('c.log', ok(LOG))], above: ok([]) },
  })
  await say('explain', MENTION)
  expect(turns.slice(0, 5)).toEqual(['file', 'other', 'file', 'other', 'file'])
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

test.each([
  ['CUDA out of memory', 'Anna showed a pasted text, read as a log'],
  ['Killed', 'Anna showed a pasted text, read as a log'],
  ['Connection refused', 'Anna showed a pasted text, read as a log'],
  ['this', 'Anna asked why attempt 1 on qwen ended so'],
  ['the log above, please', 'Anna asked why attempt 1 on qwen ended so'],
  ['why did it fail?', 'Anna asked why attempt 1 on qwen ended so'],
])('behind a smoke “explain %s” means what it says: %s', async (words, lead) => {
  const { say } = await openHouse({ script: empty, shown: { files: [], above: ok([]) } })
  await say('/smoke "Hi"')
  expect((await say(`explain ${words}`, MENTION)).answer()?.lead).toBe(lead)
})

test('what other people asked is not quoted from a log that is shown', async () => {
  const asked = '{"role":"user","content":"my salary is 4"}'
  const found = JSON.stringify(await explained(`explain ${LOG}\n${asked}`))
  expect(found).toContain('Not enough memory')
  expect(found).not.toContain('salary')
  const none = JSON.stringify(
    await explained(`explain [t] started\nReceive: obj=GenerateReqInput(text='my salary is 4')`),
  )
  expect(none).toContain('Receive: obj=GenerateReqInput([request hidden]')
  expect(none).not.toContain('salary')
})

test('without anything shown the last smoke is explained with what its host tells now, and stays one attempt', async () => {
  const qwen: Target = { ...target('qwen'), host: 'box', unit: 'main' }
  let script: Parameters<typeof fakeHost>[0] = {}
  const { say, store } = await openHouse({ script: empty, targets: [qwen], host: () => fakeHost(script) })
  await say('/smoke "Hi"')
  script = GOOD
  const heard = await say('explain', MENTION)
  expect(heard.answer()?.sections.at(-1)).toMatchObject({
    title: 'Looked at for this diagnosis: 10 things',
    folded: true,
  })
  expect(heard.answer()?.status).toBe('broken')
  expect(await store.numberedAttempt(THREAD, 2)).toEqual(ok(null))
})

test.each([
  'NVRM: Xid (PCI:0000:41:00): 31, pid=9999, name=jupyter, Ch 00000008',
  'NVRM: Xid (PCI:0000:41:00): 31, pid=4711, name=the server itself, Ch 00000008',
  'NVRM: Xid (PCI:0000:41:00): 79, pid=1, GPU has fallen off the bus.',
  'Out of memory: Killed process 4242 (python3) total-vm:1kB, anon-rss:1kB',
])('a smoke that was healthy stays so, whatever its host tells now: %s', async (line) => {
  const qwen: Target = { ...target('qwen'), host: 'box', unit: 'main' }
  const told = { ...GOOD, 'dmesg-gpu': { dmesg: `2026-05-01T10:15:00,000000+00:00 ${line}` } }
  const { say } = await openHouse({ targets: [qwen], host: () => fakeHost(told) })
  const smoke = (await say('/smoke "Hi"')).answer()
  const answer = (await say('explain', MENTION)).answer()
  expect([smoke?.status, answer?.status, answer?.title]).toEqual(['healthy', 'healthy', smoke?.title])
  expect(answer?.sections.map(({ title }) => title)).toEqual([
    expect.stringMatching(/^Diagnosis: ok\./),
    'Looked at for this diagnosis: 10 things',
  ])
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
  const next = 'Next: pilotflame diagnose < FILE reads what you would paste there.'
  expect(answer?.title).toBe(`explain is asked for in a chat; a terminal has none. ${next}`)
  const told = (await say('help explain', { how: 'terminal' })).answer()?.sections.map(({ body }) => body)
  expect(told?.join()).toContain(next)
  expect(told?.join()).not.toContain('e.g.')
  const inChat = (await say('help explain')).answer()?.sections.map(({ body }) => body)
  expect(inChat?.join()).toContain('e.g. explain RuntimeError')
})

test('people who talk in a thread do not ask for it without a mention', async () => {
  const { start } = await openHouse({ script: empty })
  const { heard, done } = start('explain', { how: 'thread', place: THREAD })
  await done
  expect(heard.answer()).toBeUndefined()
})
