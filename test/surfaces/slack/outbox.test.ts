import { expect, test } from 'vitest'
import { EVENT } from '../../../src/surfaces/slack/outbox/call.ts'
import { boxOver, fakeSlack, fakeTime, final, fresh, memoryLetters, no, REFUSED, RESET, words } from './outbox-world.ts'

const HOUR = 3_600_000
const AGAIN = '(sent again: Slack did not say whether the first one arrived)'

test('the row stands, and is marked, before the call; it goes when Slack has the message', async () => {
  const time = fakeTime()
  const store = memoryLetters()
  const seen: unknown[] = []
  const slack = fakeSlack(time, () => {
    seen.push([...store.rows.values()].map(({ title, sentAt, place }) => ({ title, sentAt, place })))
    return null
  })
  const box = boxOver(time, slack, { store })
  const sent = box.add(fresh('C', 'first line\nsecond'))
  await time.pass(1_000)
  expect(await sent).toEqual({ ok: true, ts: slack.messages[0]?.ts })
  expect(seen).toEqual([
    [{ title: 'first line', sentAt: time.clock.now() - 1_000, place: { channel: 'C', thread: null } }],
  ])
  expect(store.rows.size).toBe(0)
})

test('metadata hold the id of the letter and nothing else', async () => {
  const time = fakeTime()
  const slack = fakeSlack(time)
  void boxOver(time, slack).add(fresh('C', 'secret prompt'))
  await time.pass(1_000)
  expect(slack.messages[0]?.metadata).toEqual({
    event_type: EVENT,
    event_payload: { letter: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  })
})

test('posts of a channel keep their order, one a second', async () => {
  const time = fakeTime()
  const slack = fakeSlack(time)
  const box = boxOver(time, slack)
  for (let at = 0; at < 5; at += 1) void box.add(fresh('C', `m${at}`))
  await time.pass(10_000)
  expect(slack.messages.map(({ text }) => text)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4'])
  expect(slack.messages.map(({ at }) => at)).toEqual([0, 1_000, 2_000, 3_000, 4_000])
})

test('the latest final state of a message overtakes those that wait, also one that failed', async () => {
  const time = fakeTime()
  const store = memoryLetters()
  let fails = 1
  const slack = fakeSlack(time, (method) => {
    fails -= 1
    return method === 'chat.update' && fails >= 0 ? { done: false, refusal: RESET } : null
  })
  const ts = slack.stand('C', 'begun')
  const box = boxOver(time, slack, { store })
  const answers = [box.add(final('C', ts, 'old'))]
  await time.pass(50)
  for (const text of ['older', 'newest']) answers.push(box.add(final('C', ts, text)))
  await time.pass(30_000)
  expect(await Promise.all(answers)).toEqual([1, 2, 3].map(() => ({ ok: true, ts })))
  const said = slack.calls.filter(({ method }) => method === 'chat.update').map(({ args }) => args['text'])
  expect(said).toEqual(['old', 'newest'])
  expect(store.rows.size).toBe(0)
})

test('progress waits for nothing: none while a final state does, none while Slack orders a wait', async () => {
  const time = fakeTime()
  let limited = false
  const slack = fakeSlack(time, () => (limited ? { done: false, refusal: no('limited', 'ratelimited', 30_000) } : null))
  const ts = slack.stand('C', 'begun')
  const box = boxOver(time, slack)
  const at = { channel: 'C', ts }
  const first = box.show(at, words('p1'))
  expect(await box.show(at, words('p2'))).toMatchObject({ ok: false })
  await time.pass(200)
  expect(await first).toEqual({ ok: true, ts })
  limited = true
  const refused = box.show(at, words('p3'))
  await time.pass(200)
  expect(await refused).toMatchObject({ ok: false, refusal: { code: 'ratelimited' } })
  limited = false
  expect(await box.show(at, words('p4'))).toMatchObject({ ok: false })
  await time.pass(30_000)
  void box.add(final('C', ts, 'final'))
  await time.pass(0)
  expect(await box.show(at, words('p5'))).toMatchObject({ ok: false })
  await time.pass(1_000)
  expect(slack.calls.map(({ args }) => args['text'])).toEqual(['p1', 'p3', 'final'])
})

test.each(['channels:history', null])(
  'a lost answer: looked for with the scope, else sent again with words (%s)',
  async (scope) => {
    const time = fakeTime()
    let posts = 0
    const slack = fakeSlack(time, (method) => {
      if (method.startsWith('conversations.'))
        return scope === null ? { done: false, refusal: no('no', 'missing_scope') } : null
      posts += 1
      return posts === 1 ? { done: true, refusal: RESET } : null
    })
    const box = boxOver(time, slack)
    const sent = box.add(fresh('C', 'answer'))
    await time.pass(60_000)
    expect(await sent).toMatchObject({ ok: true, ts: slack.messages.at(-1)?.ts })
    expect(slack.messages.map(({ text }) => text)).toEqual(scope === null ? ['answer', `answer\n${AGAIN}`] : ['answer'])
  },
)

test('what surely did not arrive is not looked for; what may have is looked for after 3 s', async () => {
  const time = fakeTime()
  const faults = [REFUSED, RESET]
  const slack = fakeSlack(time, (method) => {
    const refusal = method === 'chat.postMessage' ? faults.shift() : undefined
    return refusal === undefined ? null : { done: false, refusal }
  })
  void boxOver(time, slack).add(fresh('C', 'answer'))
  await time.pass(60_000)
  expect(slack.calls.map(({ method, at }) => [method, at])).toEqual([
    ['chat.postMessage', 0],
    ['chat.postMessage', 1_100],
    ['conversations.history', 4_200],
    ['chat.postMessage', 4_300],
  ])
})

test('where Slack cannot be reached whoever asked is told after 20 s that it is kept, the next one at once', async () => {
  const time = fakeTime()
  const slack = fakeSlack(time, () => ({ done: false, refusal: REFUSED }))
  const box = boxOver(time, slack)
  const first = box.add(fresh('C', 'first'))
  await time.pass(40_000)
  expect(await first).toMatchObject({ ok: false, kept: expect.any(String), refusal: { code: 'ECONNREFUSED' } })
  expect(await box.add(fresh('C', 'second'))).toMatchObject({ ok: false, kept: expect.any(String) })
  expect(await box.add({ ...fresh('C', 'thinking'), passing: true })).toEqual({ ok: false, refusal: REFUSED })
  expect(box.waiting()).toMatchObject({ count: 2, refusal: 'ECONNREFUSED' })
})

test('a first sign that may stand is found and becomes the verdict', async () => {
  const time = fakeTime()
  let down = false
  const slack = fakeSlack(time, (method) => {
    if (!down) return null
    return { done: method === 'chat.postMessage' && slack.messages.length === 0, refusal: RESET }
  })
  const box = boxOver(time, slack, { store: memoryLetters() })
  down = true
  const begun = box.add({ ...fresh('C', 'thinking'), passing: true })
  await time.pass(10_000)
  const sent = await begun
  expect(sent).toMatchObject({ ok: false, maybe: { sentAt: expect.any(Number) } })
  const verdict = box.add({ ...fresh('C', 'verdict'), over: sent.ok ? null : (sent.maybe ?? null) })
  down = false
  await time.pass(60_000)
  expect(await verdict).toEqual({ ok: true, ts: slack.messages[0]?.ts })
  expect(slack.messages.map(({ text }) => text)).toEqual(['verdict'])
})

test('one that Slack cannot do lets others go first after eight tries, and is kept all the same', async () => {
  const time = fakeTime()
  const trouble = no('unknown', 'fatal_error')
  const slack = fakeSlack(time, (_, args) => (args['text'] === 'poison' ? { done: false, refusal: trouble } : null))
  const store = memoryLetters()
  const box = boxOver(time, slack, { store })
  const bad = box.add(fresh('C', 'poison'))
  const good = box.add(fresh('C', 'good'))
  await time.pass(10 * 60_000)
  expect(await bad).toMatchObject({ ok: false, kept: expect.any(String) })
  const said = slack.calls.map(({ args }) => args['text'])
  expect(said.slice(0, said.indexOf('good')).filter((text) => text === 'poison')).toHaveLength(8)
  expect(slack.standing('good')).toBe(1)
  expect(await good).toMatchObject({ kept: expect.any(String) })
  // the digest's row stays while something of which it told waits
  expect([...store.rows.values()].map(({ title }) => title)).toEqual(['poison', ''])
})

test('a letter is dropped after 72 hours, and the log says so', async () => {
  const time = fakeTime()
  const store = memoryLetters()
  const slack = fakeSlack(time, () => ({ done: false, refusal: REFUSED }))
  const box = boxOver(time, slack, { store })
  void box.add(fresh('C', 'old'))
  await time.pass(71 * HOUR)
  expect([...store.rows.values()].map(({ title }) => title)).toContain('old')
  await time.pass(2 * HOUR)
  expect([...store.rows.values()].map(({ title }) => title)).not.toContain('old')
  expect(box.log.lines).toContainEqual(
    expect.objectContaining({ message: 'A message was given up: Slack could not be reached for too long' }),
  )
})

test('10,000 letters wait at most; one more is refused and logged', async () => {
  const time = fakeTime()
  const slack = fakeSlack(time, () => ({ done: false, refusal: REFUSED }))
  const box = boxOver(time, slack)
  for (let at = 0; at < 10_000; at += 1) void box.add(fresh(`C${at % 100}`, 'x'))
  await time.pass(0)
  expect(await box.add(fresh('C1', 'one more'))).toMatchObject({ ok: false, refusal: { code: 'outbox_full' } })
  expect(box.log.lines).toContainEqual(
    expect.objectContaining({ level: 'error', message: 'A message is refused: too many wait for Slack already' }),
  )
})
