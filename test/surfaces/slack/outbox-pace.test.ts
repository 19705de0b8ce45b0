import { expect, test } from 'vitest'
import type { Offer } from '../../../src/domain/conversation.ts'
import type { Report } from '../../../src/domain/report.ts'
import { report } from '../../../src/domain/report.ts'
import { readContent } from '../../../src/lab/slack/validate.ts'
import { conversation } from '../../../src/surfaces/slack/conversation.ts'
import { turns } from '../../../src/surfaces/slack/latest.ts'
import { retryMs, updatePace } from '../../../src/surfaces/slack/outbox/pace.ts'
import { post } from '../../../src/surfaces/slack/post.ts'
import type { FakeSlack, FakeTime } from './outbox-world.ts'
import { boxOver, fakeSlack, fakeTime, final, fresh, most, no, p99, words } from './outbox-world.ts'
import { CARDS, cardRows, cardRowsIn, cards } from './reports.ts'

test.each([1, 5, 30, 60, 120])('a 429 of %i s in one channel holds up nobody in another', async (seconds) => {
  const time = fakeTime()
  let limitedUntil = 0
  const slack = fakeSlack(time, (method, args) => {
    const left = limitedUntil - time.clock.monotonic()
    if (args['channel'] !== 'A' || method !== 'chat.postMessage' || left <= 0) return null
    return { done: false, refusal: no('limited', 'ratelimited', left) }
  })
  const box = boxOver(time, slack)
  limitedUntil = seconds * 1_000
  const inA = box.add(fresh('A', 'held up'))
  const waits: number[] = []
  for (let at = 0; at < 100; at += 1) {
    const from = time.clock.monotonic()
    void box.add(fresh('B', `b ${at}`)).then(() => waits.push(time.clock.monotonic() - from))
    await time.pass(1_200)
  }
  await time.pass(60_000)
  // nobody waits for longer than 20 s
  expect(await inA).toMatchObject(seconds < 20 ? { ok: true } : { kept: expect.any(String) })
  expect(slack.standing('held up')).toBe(1)
  const tries = slack.calls.filter(({ args }) => args['channel'] === 'A')
  console.log(`429 of ${seconds} s in A: p99 in B ${p99(waits)} ms over ${waits.length}; tries in A ${tries.length}`)
  expect(waits).toHaveLength(100)
  expect(p99(waits)).toBeLessThan(300)
  // exactly when Slack said, not before
  expect(tries).toHaveLength(2)
  expect((tries[1]?.at ?? 0) - (tries[0]?.at ?? 0)).toBeGreaterThanOrEqual(seconds * 1_000)
})

test('a 429 for new messages of a channel leaves its changes alone', async () => {
  const time = fakeTime()
  const slack = fakeSlack(time, (method) =>
    method === 'chat.postMessage' ? { done: false, refusal: no('limited', 'ratelimited', 60_000) } : null,
  )
  const box = boxOver(time, slack)
  const ts = '1.1'
  void box.add(fresh('A', 'held up'))
  const changed = box.add(final('A', ts, 'changed'))
  await time.pass(300)
  expect(await changed).toMatchObject({ refusal: { code: 'message_not_found' } })
})

/** What a house would write with: a conversation's desk on the fake clock. */
function deskOver(time: FakeTime, slack: FakeSlack) {
  const box = boxOver(time, slack)
  const free = { pace: async () => {}, pause: time.sleep, signal: new AbortController().signal, lower: () => null }
  const writing = post({ call: slack.call, outbox: box, clock: time.clock, log: box.log, ...free })
  const turn = turns(time.clock, 3_000)
  return {
    post: writing,
    log: box.log,
    botName: 'pilotflame',
    clean: String,
    turn,
    sleep: (ms: number) => time.sleep(ms),
  }
}

/** A button for what stands behind it, none for anything else. */
const offer: Offer = async ({ reveals }) => (reveals === undefined ? null : 'more')
const titled = (title: string, status: Report['status'] = 'running') => report({ tone: 'running', status, title })

test('six operations that show progress and a long report, one that ends with 800 cards: all valid, the worst first, under 50 updates a minute, finals at once', async () => {
  const time = fakeTime()
  const slack = fakeSlack(time)
  const desk = deskOver(time, slack)
  const line = {
    ask: null,
    how: 'mention',
    to: { channel: 'C', thread: null },
    pressed: null,
    whisper: async () => true,
  } as const
  const runs = Array.from({ length: 6 }, () => conversation(line, desk))
  for (const run of runs) void run.begin(titled('begun'), offer)
  await time.pass(10_000)
  const ended: number[] = []
  for (let second = 0; second < 120; second += 1) {
    for (const [at, run] of runs.entries()) run.update(titled(`run ${at}, second ${second}`))
    if (second === 100) for (let part = 0; part < 15; part += 1) void desk.post.message(line.to, words(`part ${part}`))
    await time.pass(1_000)
  }
  const from = time.clock.monotonic()
  const ends = runs.map((_, at) =>
    at === 0 ? { ...cards, title: `final: ${cards.title}` } : titled(`final ${at}`, 'healthy'),
  )
  for (const [at, run] of runs.entries())
    void run.end(ends[at] ?? cards, offer).then(() => ended.push(time.clock.monotonic() - from))
  await time.pass(60_000)
  const updates = slack.calls.filter(({ method }) => method === 'chat.update')
  const finals = updates.filter(({ args }) => String(args['text']).includes('final'))
  const late = Math.max(...finals.map(({ at }) => at - from))
  const rate = most(
    updates.map(({ at }) => at),
    60_000,
  )
  const bodies = slack.calls.filter(({ method }) => method.startsWith('chat.'))
  const refused = bodies
    .map(({ method, args }) => readContent(args, method === 'chat.update' ? 'update' : 'post'))
    .filter(({ ok }) => !ok)
  const tables = bodies.map(({ args }) => cardRowsIn(args['blocks'])).filter((rows) => rows.length > 0)
  console.log(
    `six runs, ${CARDS} cards and a report: ${rate} updates/min, finals at most ${late} ms late; ${refused.length} of ${bodies.length} bodies refused, ${tables[0]?.length} cards shown at once`,
  )
  expect(refused).toEqual([])
  // the first rows of the worst, all else behind the button
  expect(tables).toEqual([cardRows.slice(0, 99)])
  expect(JSON.stringify(bodies)).toContain(`Show ${CARDS - 99} more rows`)
  expect(ended).toHaveLength(6)
  expect(finals).toHaveLength(6)
  expect(rate).toBeLessThan(50)
  expect(rate).toBeGreaterThan(15)
  expect(late).toBeLessThanOrEqual(5_000)
  expect(updates.at(-1)?.args['text']).toContain('final')
  expect(slack.standing('part 14')).toBe(1)
})

test('progress that hangs neither delays the final state much nor stands after it', async () => {
  const time = fakeTime()
  const slack = fakeSlack(time)
  let hung: (() => void) | null = null
  const box = boxOver(time, {
    async call(method, args) {
      if (args['text'] !== 'progress') return slack.call(method, args)
      // Slack does it late, and says so later still
      await new Promise<void>((resolve) => {
        hung = resolve
      })
      return slack.call(method, args)
    },
  })
  const ts = slack.stand('C', 'begun')
  void box.show({ channel: 'C', ts }, words('progress'))
  await time.pass(0)
  const from = time.clock.monotonic()
  const done = box.add(final('C', ts, 'final'))
  await time.pass(5_000)
  const [sent] = slack.calls.filter(({ args }) => args['text'] === 'final')
  expect((sent?.at ?? Number.NaN) - from).toBeLessThanOrEqual(5_000)
  expect(await done).toEqual({ ok: true, ts })
  const wake: (() => void) | null = hung
  expect(wake).not.toBeNull()
  releaseLater(wake)
  await time.pass(5_000)
  expect(slack.messages[0]?.text).toBe('final')
})

function releaseLater(wake: (() => void) | null): void {
  wake?.()
}

test('within any minute at most 48 changes go out, whoever asks', () => {
  let now = 0
  const pace = updatePace({ monotonic: () => now })
  const went: number[] = []
  for (; now < 300_000; now += 250) {
    if (pace.spare()) went.push(now)
    if (now % 2_000 === 0) went.push(now + pace.final())
  }
  const rate = most(went, 60_000)
  console.log(`updates: ${rate} within any minute`)
  expect(rate).toBeLessThanOrEqual(48)
  expect(rate).toBeGreaterThan(35)
})

test('tries are 1 s apart at first and at most a minute in the end', () => {
  expect([1, 2, 3, 6, 7, 50].map(retryMs)).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000])
})
