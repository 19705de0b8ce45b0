import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { planExpiry } from '../../../src/app/expired-plans.ts'
import { offersOf } from '../../../src/dispatch/offers.ts'
import type { Store } from '../../../src/domain/store.ts'
import type { SlackStandIn } from '../../../src/lab/slack/index.ts'
import { value } from '../../contract/store.ts'
import { changeHouse } from '../../dispatch/change-house.ts'
import type { Bot } from './harness.ts'
import { startBot } from './harness.ts'

/** A bot with a house behind it in which Anna and Ben are operators, and a restart is planned. */
async function planned(
  given: { readonly protected?: boolean; readonly operators?: readonly string[] } = {},
  refused: Parameters<SlackStandIn['refuses']>[0] | null = null,
) {
  const placed = Promise.withResolvers<void>()
  const records = (store: Store): Store => ({
    ...store,
    placePlan: (id, message) => store.placePlan(id, message).finally(placed.resolve),
  })
  const house = await changeHouse({ operators: ['T0DEMO:U0ANNA', 'T0DEMO:U0BEN'], records, ...given })
  const { store } = house
  const bot = await startBot(house.house.handle, {
    button: store.button,
    clock: { now: house.now, monotonic: () => performance.now() },
    // as in production: one message a second would make this slow
    pace: async () => {},
  })
  if (refused !== null) bot.slack.refuses(refused)
  await bot.slack.slash('/sglang', 'restart qwen --reason "new weights"')
  const plan = await bot.slack.until(() => bot.slack.messages().find(({ text }) => text.includes('Restart qwen?')))
  await placed.promise
  return { ...house, bot, slack: bot.slack, ts: plan.ts }
}

function shown(slack: SlackStandIn, ts: string): string {
  return JSON.stringify(slack.messages().find((one) => one.ts === ts)?.blocks)
}

function whispers({ slack }: Bot): readonly string[] {
  const all = slack.messages().flatMap((one) => [one, ...one.replies])
  return all.filter(({ onlyFor }) => onlyFor !== null).map(({ onlyFor, text }) => `${onlyFor}: ${text}`)
}

test('the plan stands in the channel with its buttons, and becomes the result with the next step in it', async () => {
  const { bot, slack, ts, box, store } = await planned()
  await using _bot = bot
  const before = slack.messages().find((one) => one.ts === ts)
  expect(before).toMatchObject({ onlyFor: null, channel: 'C0GPU' })
  expect(slack.buttons(ts)).toEqual(['Restart qwen', 'Cancel'])
  for (const words of ['sglang.service on gpu1', 'active (running)', 'new weights', 'Only anna (U0ANNA) can confirm']) {
    expect(shown(slack, ts)).toContain(words)
  }
  await slack.press(ts, 'Restart qwen')
  await slack.until(() => shown(slack, ts).includes('systemd on gpu1 took it'))
  expect(shown(slack, ts)).toContain('Asked and confirmed by anna (U0ANNA). Reason: “new weights”.')
  // a result that says it all in one message has its button there, not alone in a reply
  expect(slack.buttons(ts)).toEqual(['Smoke'])
  const all = slack.messages().filter(({ onlyFor }) => onlyFor === null)
  expect(all.map(({ replies }) => replies)).toEqual([[]])
  expect(box.acts).toHaveLength(1)
  expect(value(await store.openRuns())).toEqual([])
})

test('another person’s press is answered to that person alone, and keeps nobody from pressing at once', async () => {
  const { bot, slack, ts, box } = await planned()
  await using _bot = bot
  await Promise.all([slack.press(ts, 'Restart qwen', 'U0BEN'), slack.press(ts, 'Restart qwen')])
  await slack.until(() => shown(slack, ts).includes('systemd on gpu1 took it'))
  await slack.until(() => whispers(bot).length > 0)
  expect(whispers(bot)).toEqual([expect.stringMatching(/^U0BEN: ⚠️ (?:Only anna|anna \(U0ANNA\) pressed first)/)])
  expect(box.acts).toHaveLength(1)
})

test('a double press acts once', async () => {
  const { bot, slack, ts, box } = await planned()
  await using _bot = bot
  await Promise.all([slack.press(ts, 'Restart qwen'), slack.press(ts, 'Restart qwen')])
  await slack.until(() => shown(slack, ts).includes('systemd on gpu1 took it'))
  await slack.until(() => whispers(bot).length > 0)
  expect(whispers(bot)).toEqual([expect.stringContaining('pressed a moment ago')])
  expect(box.acts).toHaveLength(1)
})

test('a guest’s press does nothing, and a cancelled plan says who cancelled it', async () => {
  const { bot, slack, ts, box } = await planned({ protected: true })
  await using _bot = bot
  await slack.press(ts, 'Approve: Restart qwen', 'U0GUEST')
  await slack.until(() => whispers(bot).length > 0)
  expect(whispers(bot)[0]).toMatch(/^U0GUEST: .*guests/)
  await slack.press(ts, 'Cancel', 'U0BEN')
  await slack.until(() => shown(slack, ts).includes('Restart qwen: cancelled by ben (U0BEN). Nothing was done.'))
  expect(slack.buttons(ts)).toEqual([])
  expect(box.acts).toEqual([])
})

test('a press that comes too late takes the buttons away and says so', async () => {
  const { bot, slack, ts, box, wait } = await planned()
  await using _bot = bot
  wait(61_000)
  await slack.press(ts, 'Restart qwen')
  await slack.until(() => shown(slack, ts).includes('too late, the plan has expired'))
  expect(slack.buttons(ts)).toEqual([])
  expect(box.acts).toEqual([])
})

/** What the bot does on a timer, on the clock of the house. */
function expiryOf({ store, bot, now }: Awaited<ReturnType<typeof planned>>) {
  const clock = { now, monotonic: now }
  const keeping = { store, clock, log: bot.log, newId: randomUUID, redact: (text: string) => text, keepPromptsMs: 0 }
  return planExpiry({
    store,
    clock,
    since: now(),
    log: bot.log,
    typed: (line) => `/${line}`,
    async tell(plan, told) {
      const offer = offersOf(plan, keeping, () => null)
      return (await bot.surface.amend({ channel: plan.place.channel, ts: plan.message }, told, false, offer)) === 'told'
    },
    signal: new AbortController().signal,
  })
}

test('a plan that nobody presses loses its buttons 5 s after its 60 s, and says so', async () => {
  const house = await planned()
  const { bot, slack, ts, box, wait } = house
  await using _bot = bot
  const expire = expiryOf(house)
  wait(65_000)
  await expire()
  expect(slack.buttons(ts)).toEqual(['Restart qwen', 'Cancel'])
  wait(1)
  await expire()
  expect(slack.buttons(ts)).toEqual([])
  expect(shown(slack, ts)).toContain('Restart qwen: expired, since nobody confirmed it within 60 s. Nothing was done.')
  expect(slack.messages()).toHaveLength(1)
  expect(box.acts).toEqual([])
})

test('an approval that nobody answered keeps a no that a colleague can press, and nobody approves it any more', async () => {
  const house = await planned({ protected: true })
  const { bot, slack, ts, box, wait, store, say } = house
  await using _bot = bot
  const expire = expiryOf(house)
  wait(305_001)
  await expire()
  expect(slack.buttons(ts)).toEqual(['New plan', 'Say no'])
  expect(shown(slack, ts)).toContain('--break-glass')
  await slack.press(ts, 'Say no', 'U0BEN')
  await slack.until(() => shown(slack, ts).includes('Restart qwen: cancelled by ben (U0BEN). Nothing was done.'))
  expect(slack.buttons(ts)).toEqual([])
  const place = { channel: 'C0GPU', thread: null }
  const person = { team: 'T0DEMO', id: 'U0ANNA', name: 'anna', kind: 'member' } as const
  const glass = await say('/sglang restart qwen --break-glass "site down"', { person, place })
  expect(glass.answer()?.title).toMatch(/^Not done: no approval/)
  expect(value(await store.expiredPlans(house.now()))).toEqual([])
  expect(box.acts).toEqual([])
})

test('where Slack refuses its buttons, a plan says that nothing confirms it, and what to do', async () => {
  const house = await planned({}, 'blocks')
  const { bot, slack, ts } = house
  await using _bot = bot
  const words = () => slack.messages().find((one) => one.ts === ts)
  const said = await slack.until(() => {
    const all = [words()?.text ?? '', ...(words()?.replies ?? []).map(({ text }) => text)].join('\n')
    return all.includes('[Restart qwen]') ? all : null
  })
  expect(said).toContain('Slack refused the buttons here, and nothing else confirms this, so nothing is done.')
  expect(said).toContain('pilotflame slack check --channel C0GPU')
  expect(said).not.toContain('mention the bot with help')
})
