import { expect, test } from 'vitest'
import { contentOf } from '../../../src/surfaces/slack/outbox/letter.ts'
import { boxOver, fakeSlack, fakeTime, final, fresh, memoryLetters, no, REFUSED, words } from './outbox-world.ts'

const MINUTE = 60_000

test('changes that fail for two minutes while posts pass elsewhere are kept, and made', async () => {
  const time = fakeTime()
  const store = memoryLetters()
  const down = no('unknown', 'HTTP 503')
  const slack = fakeSlack(time, (method) =>
    method === 'chat.update' && time.clock.monotonic() < 2 * MINUTE ? { done: false, refusal: down } : null,
  )
  const channels = ['C0', 'C1', 'C2', 'C3', 'C4', 'C5']
  const stood = channels.map((channel) => ({ channel, ts: slack.stand(channel, 'Thinking') }))
  const box = boxOver(time, slack, { store })
  for (const { channel, ts } of stood) void box.add(final(channel, ts, `verdict ${channel}`))
  for (let at = 0; at < 60; at += 1) {
    void box.add(fresh('CX', `other ${at}`))
    await time.pass(5_000)
  }
  const updates = slack.calls.filter(({ method }) => method === 'chat.update').length
  console.log(`chat.update down 2 min, a post every 5 s: ${updates} changes tried for 6 messages`)
  expect(channels.map((channel) => slack.standing(`verdict ${channel}`))).toEqual([1, 1, 1, 1, 1, 1])
  expect(store.rows.size).toBe(0)
  expect(box.log.lines.filter(({ level }) => level === 'error')).toEqual([])
  // its own tries, and at most one more within each wait
  expect(updates).toBeLessThanOrEqual(6 * 16)
})

test('a change that Slack never makes while posts pass is kept for 72 hours, and holds up no other one', async () => {
  const time = fakeTime()
  const store = memoryLetters()
  let stuck = ''
  const slack = fakeSlack(time, (_, args) =>
    args['ts'] === stuck ? { done: false, refusal: no('unknown', 'fatal_error') } : null,
  )
  stuck = slack.stand('C', 'Thinking')
  const other = slack.stand('C', 'Thinking too')
  const box = boxOver(time, slack, { store })
  void box.add(final('C', stuck, 'stuck'))
  for (let hour = 0; hour < 71; hour += 1) {
    void box.add(fresh('CX', `other ${hour}`))
    await time.pass(60 * MINUTE)
  }
  // the digest's row stays while something of which it told waits
  expect([...store.rows.values()].map(({ title }) => title)).toEqual(['stuck', ''])
  const from = time.clock.monotonic()
  const changed = box.add(final('C', other, 'changed'))
  const posted = box.add(fresh('C', 'posted'))
  await time.pass(2_000)
  expect([(await changed).ok, (await posted).ok, time.clock.monotonic() - from]).toEqual([true, true, 2_000])
  await time.pass(2 * 60 * MINUTE)
  expect(store.rows.size).toBe(0)
})

test('a long wait that Slack orders is told at once: kept, with the reason, and doctor sees it', async () => {
  const time = fakeTime()
  const limited = no('limited', 'ratelimited', 10 * MINUTE)
  const slack = fakeSlack(time, () => (time.clock.monotonic() < MINUTE ? { done: false, refusal: limited } : null))
  const box = boxOver(time, slack, { store: memoryLetters() })
  const first = box.add(fresh('C', 'answer'))
  await time.pass(1_000)
  expect(await first).toMatchObject({ ok: false, kept: expect.any(String), refusal: { code: 'ratelimited' } })
  expect(await box.add(fresh('C', 'next'))).toMatchObject({ ok: false, kept: expect.any(String) })
  expect(await box.add({ ...fresh('C', 'Thinking'), passing: true })).toEqual({ ok: false, refusal: limited })
  await time.pass(2 * MINUTE)
  expect(box.waiting()).toMatchObject({ count: 2, refusal: 'ratelimited' })
  await time.pass(10 * MINUTE)
  expect(slack.messages.map(({ text }) => text)).toEqual(['answer', 'next'])
})

test('a short wait that Slack orders is waited for', async () => {
  const time = fakeTime()
  let limited = 1
  const slack = fakeSlack(time, () => {
    limited -= 1
    return limited >= 0 ? { done: false, refusal: no('limited', 'ratelimited', 5_000) } : null
  })
  const box = boxOver(time, slack)
  const first = box.add({ ...fresh('C', 'Thinking'), passing: true })
  await time.pass(10_000)
  expect(await first).toMatchObject({ ok: true })
})

test('a verdict that is too long stands in its parts once, also where progress was late', async () => {
  const time = fakeTime()
  let late = true
  const slack = fakeSlack(time, (method, args) => {
    if (method !== 'chat.update') return null
    const isLate = late
    late = false
    if (isLate) return { done: true, refusal: no('unknown', 'timeout'), afterMs: 10_000 }
    const { blocks } = args
    return Array.isArray(blocks) && blocks.length > 1
      ? { done: false, refusal: no('long', 'msg_blocks_too_long') }
      : null
  })
  const ts = slack.stand('C', 'Thinking')
  const box = boxOver(time, slack, { store: memoryLetters() })
  void box.show({ channel: 'C', ts }, words('progress'))
  await time.pass(500)
  const blocks = ['part one', 'part two'].map((text) => ({ type: 'section', text: { type: 'plain_text', text } }))
  const message = words('verdict')
  void box.add({ place: { channel: 'C', thread: null }, ts, content: contentOf(message, { blocks }), message })
  await time.pass(2 * MINUTE)
  expect(slack.messages.map(({ text, thread }) => [thread, text])).toEqual([
    [null, 'part one'],
    [ts, 'part two'],
  ])
})

test('a passing state of a message is no verdict that waits, and is never on disk', async () => {
  const time = fakeTime()
  const store = memoryLetters()
  const slack = fakeSlack(time, () => ({ done: false, refusal: REFUSED }))
  const box = boxOver(time, slack, { store })
  const at = { channel: 'C', ts: '1.1' }
  const begun = box.add({ ...final('C', '1.1', 'under way'), passing: true })
  await time.pass(100)
  expect([box.waitsFor(at), store.rows.size]).toEqual([false, 0])
  await time.pass(10_000)
  expect(await begun).toMatchObject({ ok: false, refusal: REFUSED })
  void box.add(final('C', '1.1', 'done'))
  await time.pass(100)
  expect([box.waitsFor(at), [...store.rows.values()].map(({ title }) => title)]).toEqual([true, ['done']])
})
