import { expect, test } from 'vitest'
import type { FakeSlack, Wrong } from './outbox-world.ts'
import { boxOver, fakeSlack, fakeTime, final, fresh, memoryLetters, most, REFUSED, RESET } from './outbox-world.ts'

const HOUR = 3_600_000
const LETTERS = 200
const CHANNELS = ['C1', 'C2', 'C3'] as const

/** An hour without Slack: 200 finals in three channels, every other one the last state of a message that stands. */
function outage(first: Wrong) {
  const time = fakeTime()
  const store = memoryLetters()
  let down = false
  let begun = false
  const slack = fakeSlack(time, () => {
    if (!down) return null
    const lost = begun ? null : first
    begun = true
    return lost ?? { done: false, refusal: time.clock.monotonic() % 2 === 0 ? REFUSED : RESET }
  })
  const live = CHANNELS.flatMap((channel) =>
    Array.from({ length: 34 }, (_, at) => ({ channel, ts: slack.stand(channel, `⏳ ${channel} ${at}`) })),
  )
  const finals = Array.from({ length: LETTERS }, (_, at) => {
    const text = `answer ${at}`
    const there = live[(at - 1) / 2]
    return at % 2 === 1 && there !== undefined
      ? { text, given: final(there.channel, there.ts, text) }
      : { text, given: fresh(CHANNELS[at % 3] ?? 'C1', text) }
  })
  return {
    time,
    store,
    slack,
    finals,
    box: () => boxOver(time, slack, { store }),
    fall: () => {
      down = true
    },
    rise: () => {
      down = false
    },
  }
}

type Outage = ReturnType<typeof outage>

function told({ slack, finals }: Outage) {
  const times = finals.map(({ text }) => slack.standing(text))
  const digests = CHANNELS.map((channel) => digestsIn(slack, channel).length)
  return { lost: times.filter((n) => n === 0).length, doubled: times.filter((n) => n > 1).length, digests }
}

function digestsIn({ messages }: FakeSlack, channel: string) {
  return messages.filter((one) => one.channel === channel && one.text.startsWith('⚠️ From '))
}

const GOOD = { lost: 0, doubled: 0, digests: [1, 1, 1] }

async function pour(box: ReturnType<typeof boxOver>, { time, finals }: Outage, from: number, to: number) {
  for (const { given } of finals.slice(from, to)) {
    void box.add(given)
    await time.pass(HOUR / LETTERS)
  }
}

/** How fast it goes out in the first minute after `from`. */
function rates({ slack }: Outage, from: number) {
  const since = slack.calls.filter(({ at }) => at >= from)
  const postsIn = (channel: string) =>
    since.filter(({ method, args }) => method === 'chat.postMessage' && args['channel'] === channel)
  const posts = Math.max(
    ...CHANNELS.map((channel) =>
      most(
        postsIn(channel).map(({ at }) => at),
        1_000,
      ),
    ),
  )
  const updates = most(
    since.filter(({ method }) => method === 'chat.update').map(({ at }) => at),
    60_000,
  )
  return { posts, updates }
}

test.each([
  ['the call before it was not done', null],
  ['the call before it was done, its answer lost', { done: true, refusal: RESET }],
] satisfies readonly [string, Wrong][])(
  'an hour of outage (%s): all finals, once, one digest a channel',
  async (_, first) => {
    const hour = outage(first)
    const { time, store } = hour
    const box = hour.box()
    await box.open()
    hour.fall()
    await pour(box, hour, 0, LETTERS)
    expect(told(hour).lost).toBeGreaterThanOrEqual(LETTERS - 1)
    expect(store.rows.size).toBeGreaterThanOrEqual(LETTERS - 1)
    const from = time.clock.monotonic()
    hour.rise()
    await time.pass(10 * 60_000)
    const rate = rates(hour, from)
    console.log(
      `outage 1 h, ${LETTERS} letters: ${JSON.stringify(told(hour))}, posts ${rate.posts}/s a channel, updates ${rate.updates}/min`,
    )
    expect(told(hour)).toEqual(GOOD)
    expect(rate.posts).toBe(1)
    expect(rate.updates).toBeLessThan(50)
    expect(store.rows.size).toBe(0)
    expect(box.waiting()).toMatchObject({ count: 0, oldestMs: null })
  },
)

test.each([0.25, 0.5, 0.99])('a bot that is killed after %f of the outage loses and doubles nothing', async (share) => {
  const hour = outage({ done: true, refusal: RESET })
  const { time, store } = hour
  const before = hour.box()
  await before.open()
  hour.fall()
  await pour(before, hour, 0, LETTERS * share)
  before.kill()
  const after = hour.box()
  await after.open()
  await pour(after, hour, LETTERS * share, LETTERS)
  hour.rise()
  await time.pass(10 * 60_000)
  expect(told(hour)).toEqual(GOOD)
  expect(store.rows.size).toBe(0)
})

test('a bot that is killed every few seconds while it catches up loses and doubles nothing', async () => {
  const hour = outage({ done: true, refusal: RESET })
  const { time, store } = hour
  let box = hour.box()
  await box.open()
  hour.fall()
  await pour(box, hour, 0, LETTERS)
  hour.rise()
  let kills = 0
  for (; store.rows.size > 0 && kills < 200; kills += 1) {
    // in the middle of a call, or between two
    await time.pass(3_037 + kills * 13)
    box.kill()
    box = hour.box()
    await box.open()
  }
  console.log(`catching up over ${kills} kills: ${JSON.stringify(told(hour))}`)
  expect(told(hour)).toEqual(GOOD)
})

test('a digest tells from when to when, how many, and twenty titles', async () => {
  const hour = outage(null)
  const box = hour.box()
  await box.open()
  hour.fall()
  for (let at = 0; at < 25; at += 1) void box.add(fresh('C1', `✅ answer <${at}>\nmore`))
  await hour.time.pass(30 * 60_000)
  hour.rise()
  await hour.time.pass(10 * 60_000)
  const [digest] = digestsIn(hour.slack, 'C1')
  const lines = digest?.text.split('\n') ?? []
  expect(lines[0]).toMatch(
    /^⚠️ From 2023-11-14 22:13 UTC to 2023-11-14 22:4\d UTC nothing could be posted here: .* 25 answers were kept/,
  )
  expect(lines.slice(1, 3)).toEqual(['• ✅ answer &lt;0&gt;', '• ✅ answer &lt;1&gt;'])
  expect(lines.at(-1)).toBe('• and 5 more')
  expect(lines).toHaveLength(22)
})

test('a short trouble, and a long line of posts, are no outage', async () => {
  const hour = outage(null)
  const box = hour.box()
  await box.open()
  hour.fall()
  for (let at = 0; at < 120; at += 1) void box.add(fresh('C1', `answer ${at}`))
  await hour.time.pass(20_000)
  hour.rise()
  await hour.time.pass(10 * 60_000)
  expect(hour.slack.standing('answer 119')).toBe(1)
  expect(digestsIn(hour.slack, 'C1')).toEqual([])
})
