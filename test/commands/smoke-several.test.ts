import { expect, test } from 'vitest'
import type { Completion } from '../../src/domain/completion.ts'
import type { Report } from '../../src/domain/report.ts'
import { exitOf } from '../../src/surfaces/terminal/exit.ts'
import type { Script } from './house.ts'
import { answersWell, CHANNEL, healthy, openHouse, target } from './house.ts'

const THREAD = { channel: CHANNEL, thread: '1700000000.000100' }
const seven = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(target)

const answers =
  (completion: Completion): Script =>
  async () => ({ completion, failure: null })

const empty = answers({ ...healthy, reasoning: null, content: null, pieces: 0 })
const spent = answers({
  ...healthy,
  content: '',
  finish: 'length',
  tokens: { ...healthy.tokens, completion: 4096, reasoning: 4096 },
})

function rowsOf(report: Report | undefined): readonly (readonly string[])[] {
  return report?.tables[0]?.rows ?? []
}

test('a smoke on several targets is one message: a table that fills in, and one table at the end, worst first', async () => {
  const { say, store } = await openHouse({ targets: seven, scripts: { c: empty, f: spent } })
  const heard = await say('/smoke "Say hello" on all')
  expect(heard.begun).toHaveLength(1)
  expect(heard.begun[0]?.title).toBe('0 of 7 targets done')
  expect(rowsOf(heard.begun[0])[0]).toEqual(['a', 'waits for its turn'])
  expect(heard.updates.at(-1)?.title).toBe('7 of 7 targets done')
  expect(heard.ended).toHaveLength(1)

  const told = heard.answer()
  expect(told).toMatchObject({ title: '5 of 7 healthy', status: 'broken', tone: 'bad' })
  expect(told?.lead).toBe('Anna asked 7 targets: Say hello')
  expect(rowsOf(told).map(([name]) => name)).toEqual(['c', 'f', 'a', 'b', 'd', 'e', 'g'])
  expect(rowsOf(told)[0]).toEqual(['c', 'Broken', 'sglang 0.5.18', '0.1 s', '48.8', expect.any(String)])
  expect(rowsOf(told)[2]?.[1]).toBe('Healthy')
  expect(told?.summary).toMatch(/^c: .*\nNext: /s)
  expect(told?.sections.map(({ title, folded }) => [title.slice(0, 13), folded])).toEqual([
    ['c: Diagnosis:', true],
    ['f: Diagnosis:', true],
  ])
  expect(exitOf(told?.status ?? 'running')).toBe(1)
  expect(told?.json).toMatchObject({ healthy: 5, total: 7, targets: { length: 7 } })
  const kept = await store.attemptTargets(THREAD)
  expect(kept).toEqual({ ok: true, value: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] })
})

test('while it runs, what runs stands first, then what is not healthy, then the healthy, then what waits', async () => {
  const { say } = await openHouse({ targets: seven, scripts: { a: empty, c: empty, f: spent } })
  const shown = (await say('/smoke "Say hello" on all')).updates.map(rowsOf)
  const placeOf = (state = '') =>
    [/^(Waiting|Thinking|Answering)/, /^(?!Healthy|waits)/, /^Healthy/, /^waits/].findIndex((sort) => sort.test(state))
  const places = shown.map((rows) => rows.map(([, state]) => placeOf(state)))
  for (const row of places) expect(row).toEqual(row.toSorted())
  const seen = new Set(places.map((row) => new Set(row).size))
  expect(Math.max(...seen)).toBe(4)
})

test('it runs four at once, never more', async () => {
  let [now, most] = [0, 0]
  const script: Script = async () => {
    now += 1
    most = Math.max(most, now)
    await new Promise((done) => setImmediate(done))
    now -= 1
    return { completion: healthy, failure: null }
  }
  const { say } = await openHouse({ targets: seven, script })
  expect((await say('/smoke on all')).answer()?.title).toBe('7 of 7 healthy')
  expect(most).toBe(4)
})

test('it runs on those that are named, each once; one name is an ordinary smoke', async () => {
  const { say } = await openHouse({ targets: seven })
  expect(rowsOf((await say('/smoke "hi" on b, a, b')).answer()).map(([name]) => name)).toEqual(['b', 'a'])
  expect((await say('/smoke "hi" on c')).answer()?.json).toMatchObject({ target: 'c', verdict: 'healthy' })
})

test.each([
  ['/smoke "hi" on a, nobody', /no target “nobody” here; here are a, b, .*on all/],
  ['/smoke "hi" on who, where', /no targets “who”, “where” here/],
  ['/smoke "hi" on nobody', /no target “nobody” here/],
  ['/smoke "hi" --target a --on b', /--target or --on, not both/],
])('%s is answered with what there is', async (line, words) => {
  const { say } = await openHouse({ targets: seven })
  const heard = await say(line)
  expect(heard.answer()).toMatchObject({ status: 'usage', title: expect.stringMatching(words) })
  expect(heard.begun).toHaveLength(0)
})

test('it uses only targets that may be used in the channel', async () => {
  const channels = [{ id: CHANNEL, targets: ['a', 'b'], target: 'a' }]
  const roles = { admins: [], operators: [], adminGroups: [], operatorGroups: [] }
  const { say } = await openHouse({ targets: seven, policy: { roles, channels } })
  expect(rowsOf((await say('/smoke on all')).answer()).map(([name]) => name)).toEqual(['a', 'b'])
  const heard = await say('/smoke "hi" on a, c')
  expect(heard.answer()?.title).toMatch(/no target “c” here; here are a, b\. Next/)
})

test('it shows the diagnosis of the worst eight and names the rest', async () => {
  const many = Array.from({ length: 12 }, (_, at) => target(`t${at}`))
  const { say } = await openHouse({ targets: many, script: empty })
  const told = (await say('/smoke on all')).answer()
  expect(told?.title).toBe('0 of 12 healthy')
  expect(told?.sections.filter(({ kind }) => kind === 'diagnosis')).toHaveLength(8)
  expect(told?.sections.at(-1)).toMatchObject({
    title: '4 more that are not healthy',
    body: expect.stringMatching(/^t8, t9, t10, t11\nNext: /),
  })
  expect(told?.actions).toHaveLength(8)
})

const waiting =
  (begun: () => void): Script =>
  async (_request, _watch, signal) => {
    begun()
    await new Promise((done) => signal.addEventListener('abort', done))
    return { completion: healthy, failure: { kind: 'stopped', thing: 'x', observed: 'y', next: 'z' } }
  }

test('a target with two runs under way is busy, and the others are judged', async () => {
  const both = Promise.withResolvers<void>()
  let running = 0
  const scripts = { a: waiting(() => void (++running === 2 && both.resolve())) }
  const { say, start } = await openHouse({ targets: seven, scripts })
  const runs = [start('/smoke "one" --target a'), start('/smoke "two" --target a')]
  await both.promise
  const told = (await say('/smoke on a, b')).answer()
  expect(told).toMatchObject({ title: '1 of 2 healthy', status: 'inconclusive' })
  expect(rowsOf(told)[0]).toEqual(['a', 'Busy', '–', '–', '–', 'Not run: two runs on it were under way'])
  expect(told?.summary).toContain('Next: ask again')
  expect(exitOf(told?.status ?? 'running')).toBe(3)
  for (const { heard, done } of runs) {
    await say(heard.begun[0]?.actions[0]?.line ?? '', { how: 'button' })
    await done
  }
})

test('it counts among the two runs of each of its targets, until that one is judged', async () => {
  const both = Promise.withResolvers<void>()
  let running = 0
  const scripts = { b: waiting(() => void (++running === 2 && both.resolve())) }
  const { say, start } = await openHouse({ targets: seven, scripts })
  const [several, other] = [start('/smoke on a, b'), start('/smoke on b, c')]
  await both.promise
  const third = await say('/smoke "x" --target b')
  expect(third.answer()?.title).toMatch(/Two runs on b are under way/)
  expect((await say('/smoke "x" --target a')).answer()?.status).toBe('healthy')
  for (const { heard, done } of [several, other]) {
    await say(heard.begun[0]?.actions[0]?.line ?? '', { how: 'button' })
    await done
  }
  expect((await say('/smoke "x" --target a')).answer()?.status).toBe('healthy')
})

test('Stop ends all: what runs is judged as stopped, what waits is not begun', async () => {
  const four = Promise.withResolvers<void>()
  let running = 0
  const script = waiting(() => void (++running === 4 && four.resolve()))
  const { say, start } = await openHouse({ targets: seven, script })
  const { heard, done } = start('/smoke on all')
  await four.promise
  expect(heard.begun[0]?.actions.map(({ label }) => label)).toEqual(['Stop'])
  expect((await say('stop', { how: 'mention', place: THREAD })).answer()?.status).toBe('done')
  await done
  const told = heard.answer()
  expect(running).toBe(4)
  expect(told?.facts).toContainEqual({ label: 'Stopped by', value: 'Anna' })
  expect(rowsOf(told).filter(([, verdict]) => verdict === 'Not run')).toHaveLength(3)
})

test('a secret in the prompt is shown nowhere', async () => {
  const redact = (text: string): string => text.replaceAll('s3cret', '[hidden]')
  const { say } = await openHouse({ targets: seven, redact, scripts: { a: empty } })
  const heard = await say('/smoke "my s3cret" on a, b')
  expect(JSON.stringify([heard.begun, heard.updates, heard.ended])).not.toContain('s3cret')
})

async function afterSmoke() {
  const targets = seven.slice(0, 3)
  const opened = await openHouse({ targets, scripts: { a: answersWell, b: empty } })
  const heard = await opened.say('/smoke "Say hello" on all --max-tokens 77')
  return { ...opened, heard }
}

test('its thread is bound to none of them: retry and raw ask which', async () => {
  const { say, store, heard } = await afterSmoke()
  expect(await store.threadTarget(THREAD)).toEqual({ ok: true, value: null })
  for (const line of ['retry', 'raw']) {
    const asked = (await say(line, { how: 'mention', place: THREAD })).answer()
    expect(asked).toMatchObject({ title: 'Which target?', status: 'needs-clarification' })
    expect(asked?.actions.map(({ label }) => label)).toEqual(['a', 'b', 'c'])
  }
  expect(heard.answer()?.actions.map(({ label }) => label)).toEqual(['Retry b', 'Raw b'])
})

test('each of its buttons belongs to the attempt on its own target', async () => {
  const { say, store, heard } = await afterSmoke()
  const pressed = async (label: string) => {
    const button = await store.button(heard.buttons.get(label) ?? '')
    if (!button.ok || button.value === null) throw new Error(`no button ${label}`)
    const { line, attempt } = button.value
    return (await say(line, { how: 'button', place: THREAD, attempt })).answer()
  }
  expect((await pressed('Raw b'))?.title).toMatch(/^Raw exchange of attempt \d on b$/)
  expect((await pressed('Retry b'))?.json).toMatchObject({ target: 'b', completion: { budget: 77 } })
})

test('in its thread a target that is named is taken, with its own last request', async () => {
  const { say } = await afterSmoke()
  const raw = await say('raw --target a', { how: 'mention', place: THREAD })
  expect(raw.answer()?.title).toMatch(/on a$/)
  const none = await say('raw --target zzz', { how: 'mention', place: THREAD })
  expect(none.answer()?.title).toMatch(/No smoke on zzz has ended in this thread/)
  const again = await say('retry --target c', { how: 'mention', place: THREAD })
  expect(again.answer()?.json).toMatchObject({ target: 'c', completion: { budget: 77 } })
})
