import { expect, test } from 'vitest'
import type { Person } from '../../src/domain/ask.ts'
import { failed } from '../../src/domain/outcome.ts'
import type { Store } from '../../src/domain/store.ts'
import { value } from '../contract/store.ts'
import { ANNA, BOB, CARO, changeHouse, GPU, OPS } from './change-house.ts'

type House = Awaited<ReturnType<typeof changeHouse>>
type Heard = Awaited<ReturnType<House['say']>>

const guest: Person = { ...ANNA, kind: 'guest' }
const stranger: Person = { ...ANNA, team: 'T0OTHER', kind: 'outsider' }
const FULL = { kind: 'store', thing: 'store x', observed: 'the disk is full', next: 'free some space' } as const

interface Abuse {
  readonly protected?: boolean
  readonly records?: (store: Store) => Store
  /** what happens between plan and press; the press that must do nothing */
  readonly misuse: (house: House, plan: Heard) => Promise<Heard>
  readonly words: RegExp
  /** what was done before the press that is refused */
  readonly acts?: number
}

const confirm = 'Restart qwen'

/** Presses it twice by what `by` gives, at the same time. Gives the one that was told no. */
async function atOnce({ press }: House, plan: Heard, by: readonly [Person, Person], label = confirm): Promise<Heard> {
  const heard = await Promise.all(by.map((one) => press(plan, label, one)))
  const [no, another] = heard.filter((one) => one.answer()?.status !== 'done')
  if (no === undefined || another !== undefined) throw new Error('not exactly one of two presses was refused')
  return no
}

const ABUSES: Readonly<Record<string, Abuse>> = {
  'another person': {
    misuse: ({ press }, plan) => press(plan, confirm, BOB),
    words:
      /^Only Anna \(U0ANNA\), who asked, can confirm that plan\. Nothing was done\. Next: type \/sglang restart --target qwen\b.* to get a plan of your own\.$/,
  },
  'a guest under the same id': {
    misuse: ({ press }, plan) => press(plan, confirm, guest),
    words: /^Nothing was done: guests of this workspace may not use Pilotflame/,
  },
  'somebody of another workspace': {
    misuse: ({ press }, plan) => press(plan, confirm, stranger),
    words: /^Nothing was done: .*another organisation/,
  },
  'whose role was taken away in between': {
    async misuse({ store, press }, plan) {
      value(await store.dropGrant(ANNA))
      return press(plan, confirm)
    },
    words: /^Nothing was done: .*T0:U0ANNA.* not operator/,
  },
  'after 61 s': {
    misuse({ wait, press }, plan) {
      wait(61_000)
      return press(plan, confirm)
    },
    words: /^Restart qwen: too late, the plan has expired\. Nothing was done\./,
  },
  'with the clock set back': {
    misuse({ wait, press }, plan) {
      wait(-3_600_000)
      return press(plan, confirm)
    },
    words: /too late, the plan has expired/,
  },
  twice: {
    async misuse({ press }, plan) {
      await press(plan, confirm)
      return press(plan, confirm)
    },
    words: /^Anna \(U0ANNA\) pressed first, so your press did nothing\./,
    acts: 1,
  },
  'two presses at once': {
    misuse: (house, plan) => atOnce(house, plan, [ANNA, ANNA]),
    words: /^Anna \(U0ANNA\) pressed first/,
    acts: 1,
  },
  'two approvers at once': {
    protected: true,
    async misuse(house, plan) {
      const { team, id } = CARO
      value(await house.store.addGrant({ person: { team, id }, role: 'operator', by: 'code', at: 0 }))
      return atOnce(house, plan, [BOB, CARO], 'Approve: Restart qwen')
    },
    words: /^(?:Bob \(U0BOB\)|Caro \(U0CARO\)) pressed first/,
    acts: 1,
  },
  'after an outside restart': {
    misuse({ box, press }, plan) {
      box.restart()
      return press(plan, confirm)
    },
    words:
      /cancelled, since the state changed: the plan saw active \(running\), 12 changes by Pilotflame so far, run 00000001, it is active \(running\), 12 changes by Pilotflame so far, run 00000002 now\. Nothing was done/,
  },
  'a forged id': {
    misuse: ({ say }) => say('confirm 00000000-0000-4000-8000-000000000000', { how: 'button' }),
    words: /^That plan is not known any more\. Nothing was done\./,
  },
  'the line typed by hand': {
    async misuse({ say, store }, plan) {
      const line = value(await store.button(plan.buttons.get(confirm) ?? ''))?.line ?? ''
      return say(line, { how: 'mention' })
    },
    words: /^There is no command “confirm”/,
  },
  'in another channel': {
    misuse: ({ press }, plan) => press(plan, confirm, ANNA, { place: { channel: OPS, thread: null } }),
    words: /^That plan was made in another channel\. Nothing was done\./,
  },
  'locked in between': {
    async misuse({ say, press }, plan) {
      await say('/sglang lock qwen measuring', { person: BOB })
      return press(plan, confirm)
    },
    words:
      /^Not done: qwen was locked by Bob \(U0BOB\) just now: “measuring”\. Next: ask Bob \(U0BOB\), or take it off with \/sglang unlock qwen/,
  },
  'the host locked in between': {
    async misuse({ say, press }, plan) {
      await say('/gpu lock gpu1 new driver', { person: BOB })
      return press(plan, confirm)
    },
    words: /^Not done: gpu1 was locked by Bob.*“new driver”.*\/gpu unlock gpu1/,
  },
  'the cap reached in between': {
    async misuse({ press, store, now }, plan) {
      for (const id of ['a', 'b', 'c']) value(await store.addOperation(restarted(id, now())))
      return press(plan, confirm)
    },
    words:
      /^Not done \(Restart qwen\): qwen had 3 restarts in the last 15 min.*the next one is free in 15 min.*--force --reason/,
  },
  'approving what one asked for': {
    protected: true,
    misuse: ({ press }, plan) => press(plan, 'Approve: Restart qwen'),
    words: /^You asked for it, so somebody else must approve it\. Nothing was done\./,
  },
  'approving it with a second plan of one’s own': {
    protected: true,
    async misuse({ say, press }) {
      return press(await say('/sglang restart qwen'), 'Approve: Restart qwen')
    },
    words: /^You asked for it, so somebody else must approve it/,
  },
  'approved without the role': {
    protected: true,
    misuse: ({ press }, plan) => press(plan, 'Approve: Restart qwen', CARO),
    words: /^Nothing was done: .*T0:U0CARO.* not operator/,
  },
  'approved after the asker lost the role': {
    protected: true,
    async misuse({ store, press }, plan) {
      value(await store.dropGrant(ANNA))
      return press(plan, 'Approve: Restart qwen', BOB)
    },
    words: /cancelled, since Anna \(U0ANNA\), who asked, may not do this any more\. Nothing was done/,
  },
  'approved after 5 min': {
    protected: true,
    misuse({ wait, press }, plan) {
      wait(300_000)
      return press(plan, 'Approve: Restart qwen', BOB)
    },
    words: /too late, the plan has expired/,
  },
  'after it was cancelled': {
    async misuse({ press }, plan) {
      const cancelled = await press(plan, 'Cancel', BOB)
      expect(cancelled.answer()?.title).toBe('Restart qwen: cancelled by Bob (U0BOB). Nothing was done.')
      return press(plan, confirm)
    },
    words: /^Bob \(U0BOB\) pressed first/,
  },
  'where the operation cannot be recorded': {
    records: (store) => ({ ...store, addOperation: async () => failed(FULL) }),
    misuse: ({ press }, plan) => press(plan, confirm),
    words: /^Not done: what cannot be recorded is not done\. store x: the disk is full\. Next: free some space\./,
  },
  'where the press cannot be recorded': {
    records: (store) => ({ ...store, usePlan: async () => failed(FULL) }),
    misuse: ({ press }, plan) => press(plan, confirm),
    words: /^Nothing was done: what cannot be recorded is not done\./,
  },
  'where the lock cannot be recorded': {
    records: (store) => ({ ...store, takeLock: async () => failed(FULL) }),
    misuse: ({ press }, plan) => press(plan, confirm),
    words: /^Not done: what cannot be recorded is not done\./,
  },
}

function restarted(id: string, at: number) {
  return {
    ...{ id, command: 'sglang restart', target: 'qwen', host: 'gpu1', unit: 'qwen', approver: null, message: null },
    ...{ person: { team: 'T0', id: 'U0BOB', name: 'Bob' }, place: { channel: GPU, thread: null }, reason: null },
    ...({ capped: true, forced: false, state: 'done', at } as const),
  }
}

test.each(Object.entries(ABUSES))('a press is refused: %s', async (_what, { misuse, words, acts = 0, ...given }) => {
  const house = await changeHouse(given)
  const plan = await house.say('/sglang restart qwen')
  const heard = await misuse(house, plan)
  expect(heard.answer()?.title).toMatch(words)
  expect(house.box.acts).toHaveLength(acts)
  expect(value(await house.store.audits(4)).some(({ decision }) => decision === 'refused')).toBe(true)
  const left = value(await house.store.locks()).filter(({ operation }) => operation !== null)
  expect(left).toEqual([])
  expect(value(await house.store.openOperations())).toEqual([])
  expect(value(await house.store.openRuns())).toEqual([])
})

test('there are at least twelve abuses', () => {
  expect(Object.keys(ABUSES).length).toBeGreaterThanOrEqual(12)
})

test('a press that is refused to one person leaves the plan to whoever may press it', async () => {
  const { say, press, box } = await changeHouse()
  const plan = await say('/sglang restart qwen')
  const other = await press(plan, 'Restart qwen', BOB)
  expect(other.begun).toEqual([])
  expect((await press(plan, 'Restart qwen')).answer()?.status).toBe('done')
  expect(box.acts).toHaveLength(1)
})

test('what was cancelled by a change of state has a button for a new plan, made for whoever presses it', async () => {
  const { say, press, box } = await changeHouse()
  const plan = await say('/sglang restart qwen --reason "new “weights”"')
  box.restart()
  const stale = await press(plan, 'Restart qwen')
  expect([...stale.buttons.keys()]).toEqual(['New plan'])
  const again = await press(stale, 'New plan', BOB)
  expect(again.answer()?.lead).toContain("Asked by Bob (U0BOB). Reason: “new 'weights'”.")
  expect((await press(again, 'Restart qwen', BOB)).answer()?.status).toBe('done')
  expect(box.acts).toHaveLength(1)
})

test('two plans of one target: the first press acts, the second finds another state', async () => {
  const { say, press, box } = await changeHouse()
  const [one, two] = [await say('/sglang restart qwen'), await say('/sglang restart qwen', { person: BOB })]
  const heard = await Promise.all([press(one, 'Restart qwen'), press(two, 'Restart qwen', BOB)])
  expect(heard.filter((each) => each.answer()?.status === 'done')).toHaveLength(1)
  expect(box.acts).toHaveLength(1)
})

test('50 presses by 2 people on one plan act once', async () => {
  const { say, press, box } = await changeHouse()
  const plan = await say('/sglang restart qwen')
  const heard = await Promise.all(
    Array.from({ length: 50 }, (_, n) => press(plan, 'Restart qwen', n % 2 === 0 ? ANNA : BOB)),
  )
  expect(heard.filter((each) => each.answer()?.status === 'done')).toHaveLength(1)
  expect(heard.every((each) => each.ended.length === 1)).toBe(true)
  expect(box.acts).toHaveLength(1)
})

test('a bug in the middle leaves no lock, is looked up, and is said', async () => {
  const { say, press, store, errors, box, told } = await changeHouse()
  const plan = await say('/sglang restart qwen')
  const { run } = box.host
  const broken: typeof run = async (verb, args, call) => {
    const ran = await run(verb, args, call)
    if (verb.name === 'restart') throw new Error('boom')
    return ran
  }
  Object.assign(box.host, { run: broken })
  const heard = await press(plan, 'Restart qwen')
  expect(told(heard)).toMatch(/^Restart qwen: done .*failed in the middle.*says that it was done/)
  expect(errors.join()).toContain('boom')
  expect(value(await store.locks())).toEqual([])
})
