import { expect, test } from 'vitest'
import type { Letters } from '../../../src/domain/letter.ts'
import type { Answer } from '../../../src/surfaces/slack/post.ts'
import { post } from '../../../src/surfaces/slack/post.ts'
import type { FakeSlack, FakeTime } from './outbox-world.ts'
import { boxOver, fakeSlack, fakeTime, memoryLetters, no, REFUSED, RESET, words } from './outbox-world.ts'

const NEVER = new Promise<never>(() => {})
const FILES = [{ name: 'content.txt', text: 'the whole' }]
const PARTS = ['verdict', 'reasoning', 'content', '']

/** A verdict with its details and a file: over a message that stands, or as a new one. */
function answerIn(ts: string | null): Answer {
  return {
    ask: null,
    to: { channel: 'C', thread: null },
    at: ts === null ? null : { channel: 'C', ts },
    over: null,
    first: words('verdict'),
    rest: [words('reasoning'), words('content')],
    files: FILES,
    inThread: true,
  }
}

function writing(time: FakeTime, slack: Pick<FakeSlack, 'call'>, box: ReturnType<typeof boxOver>) {
  const free = { pace: async () => {}, pause: time.sleep, signal: new AbortController().signal, lower: () => null }
  return post({ call: slack.call, outbox: box, clock: time.clock, log: box.log, ...free })
}

/** Everything that a process does to the world, one step after the other; it dies before or after the given one. */
function mortal(slack: FakeSlack, store: Letters, dies: { readonly at: number; readonly when: 'before' | 'after' }) {
  let steps = 0
  let kill = () => {}
  async function step<T>(act: () => Promise<T>): Promise<T> {
    steps += 1
    const isLast = steps === dies.at
    if (isLast && dies.when === 'before') {
      kill()
      return NEVER
    }
    const done = await act()
    if (!isLast) return done
    kill()
    return NEVER
  }
  return {
    call: ((method, args) => step(() => slack.call(method, args))) satisfies FakeSlack['call'],
    store: {
      addLetter: (...letters) => step(() => store.addLetter(...letters)),
      markLetter: (id, sentAt) => step(() => store.markLetter(id, sentAt)),
      dropLetter: (id) => step(() => store.dropLetter(id)),
      letters: () => store.letters(),
    } satisfies Letters,
    step,
    steps: () => steps,
    onDeath(act: () => void) {
      kill = act
    },
  }
}

/** How often each part stands, after a process died at that step and another one took over. */
async function afterDeath(over: boolean, at: number, when: 'before' | 'after') {
  const time = fakeTime()
  const slack = fakeSlack(time)
  const rows = memoryLetters()
  const ts = over ? slack.stand('C', 'Thinking') : null
  const life = mortal(slack, rows, { at, when })
  const box = boxOver(time, life, { store: life.store })
  life.onDeath(box.kill)
  let kept = 0
  void writing(time, life, box).answer(answerIn(ts), () =>
    life.step(async () => {
      kept += 1
    }),
  )
  await time.pass(60_000)
  const kill = { rows: rows.rows.size, standing: slack.standing('verdict') }
  box.kill()
  const next = boxOver(time, slack, { store: rows })
  await next.open()
  await time.pass(120_000)
  const standing = PARTS.map((text) => slack.standing(text))
  const threads = new Set(slack.messages.filter(({ text }) => text !== 'verdict').map(({ thread }) => thread))
  const verdict = slack.messages.find(({ text }) => text === 'verdict')
  return { standing, threads: [...threads], of: verdict?.ts, kept, kill, left: rows.rows.size, steps: life.steps() }
}

test.each([
  ['over a message that stands', true],
  ['as a new message', false],
])(
  'a process that dies at any step of an answer (%s) shows all of it or nothing, and nothing twice',
  async (_, over) => {
    const whole = await afterDeath(over, 1_000, 'before')
    expect(whole).toMatchObject({ standing: [1, 1, 1, 1], kept: 1, left: 0 })
    let nothing = 0
    for (let at = 1; at <= whole.steps; at += 1) {
      for (const when of ['before', 'after'] as const) {
        const end = await afterDeath(over, at, when)
        const told = JSON.stringify({ at, when, ...end })
        const shown = end.standing.join()
        if (shown === '0,0,0,0') nothing += 1
        // nothing stands and nobody believes so: it is answered anew
        if (shown === '0,0,0,0') expect(end.kept, told).toBe(0)
        else expect(shown, told).toBe('1,1,1,1')
        if (shown !== '0,0,0,0') expect(end.threads, told).toEqual([end.of])
        // seen before it was said to be kept: it would be written over, or given twice
        if (end.kill.standing > 0) expect(end.kept, told).toBe(1)
        expect(end.left, told).toBe(0)
      }
    }
    console.log(`an answer of 4 parts: ${whole.steps} steps, died before and after each; not begun ${nothing} times`)
    expect(nothing).toBe(1)
  },
)

test('where nothing is kept on disk an answer counts when Slack has its verdict, and never where it was lost', async () => {
  const time = fakeTime()
  let down = true
  const slack = fakeSlack(time, () => (down ? { done: false, refusal: REFUSED } : null))
  const told: string[] = []
  const lost = boxOver(time, slack)
  void writing(time, slack, lost).answer(answerIn(null), async () => void told.push('lost'))
  await time.pass(30_000)
  lost.hurry()
  const closed = lost.close(5_000)
  await time.pass(10_000)
  await closed
  expect(told).toEqual([])
  expect(lost.log.lines.at(-1)?.data).toEqual({ waiting: 0, lost: 4 })

  const box = boxOver(time, slack)
  void writing(time, slack, box).answer(answerIn(null), async () => void told.push('seen'))
  await time.pass(30_000)
  expect(told).toEqual([])
  down = false
  await time.pass(60_000)
  expect(told).toEqual(['seen'])
  expect(PARTS.map((text) => slack.standing(text))).toEqual([1, 1, 1, 1])
})

test('the verdict of a message that is gone goes into its thread, its details after it; so does one that waited', async () => {
  const time = fakeTime()
  let down = false
  const slack = fakeSlack(time, () => (down ? { done: false, refusal: RESET } : null))
  const store = memoryLetters()
  const box = boxOver(time, slack, { store })
  const answered = writing(time, slack, box).answer(answerIn('1.1'), async () => {})
  await time.pass(60_000)
  expect(await answered).toMatchObject({ first: { ok: true }, rest: [{ ok: true }, { ok: true }], files: { ok: true } })
  down = true
  void writing(time, slack, box).answer(answerIn('2.2'), async () => {})
  await time.pass(60_000)
  box.kill()
  down = false
  const next = boxOver(time, slack, { store })
  await next.open()
  await time.pass(120_000)
  const said = slack.messages.filter(({ text }) => !text.startsWith('⚠️')).map(({ text, thread }) => [thread, text])
  expect(said).toEqual([...PARTS.map((text) => ['1.1', text]), ...PARTS.map((text) => ['2.2', text])])
  expect(store.rows.size).toBe(0)
})

test('what Slack refuses for good takes along what would have stood below it', async () => {
  const time = fakeTime()
  const archived = no('no', 'is_archived')
  const slack = fakeSlack(time, () => ({ done: false, refusal: archived }))
  const store = memoryLetters()
  const answered = writing(time, slack, boxOver(time, slack, { store })).answer(answerIn(null), async () => {})
  await time.pass(10_000)
  const refused = { ok: false, refusal: archived }
  expect(await answered).toEqual({ first: refused, rest: [refused, refused], files: refused })
  expect(slack.calls).toHaveLength(1)
  expect(store.rows.size).toBe(0)
})

test('nobody waits for the details of a verdict that is kept', async () => {
  const time = fakeTime()
  const slack = fakeSlack(time, (method) => (method === 'chat.update' ? { done: false, refusal: RESET } : null))
  const ts = slack.stand('C', 'Thinking')
  const box = boxOver(time, slack, { store: memoryLetters() })
  const write = writing(time, slack, box)
  const first = write.answer(answerIn(ts), async () => {})
  await time.pass(40_000)
  const kept = { ok: false, kept: expect.any(String), refusal: RESET }
  const all = { first: kept, rest: [kept, kept], files: kept }
  expect(await first).toEqual(all)
  expect(await write.answer(answerIn(ts), async () => {})).toEqual(all)
})

test('details wait for their verdict, and nobody else waits for them', async () => {
  const time = fakeTime()
  let down = true
  const slack = fakeSlack(time, (method) =>
    down && method === 'chat.update' ? { done: false, refusal: no('limited', 'ratelimited', 10_000) } : null,
  )
  const ts = slack.stand('C', 'Thinking')
  const box = boxOver(time, slack)
  const write = writing(time, slack, box)
  void write.answer(answerIn(ts), async () => {})
  await time.pass(100)
  void write.message({ channel: 'C', thread: null }, words('another'))
  await time.pass(2_000)
  expect(slack.messages.map(({ text }) => text)).toEqual(['Thinking', 'another'])
  down = false
  await time.pass(30_000)
  expect(slack.messages.map(({ text }) => text)).toEqual(['verdict', 'another', 'reasoning', 'content', ''])
})
