import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWire } from '../../../src/adapters/http-web-socket.ts'
import { openStore } from '../../../src/adapters/store-sqlite.ts'
import type { Conversation } from '../../../src/domain/conversation.ts'
import { report } from '../../../src/domain/report.ts'
import type { Store } from '../../../src/domain/store.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'
import { slackSurface } from '../../../src/surfaces/slack/index.ts'
import { scopesFor } from '../../../src/surfaces/slack/scopes.ts'
import { value } from '../../contract/store.ts'
import type { Bot } from './harness.ts'
import { house, later, offers, recordingLog } from './harness.ts'
import { mentionAt, SHORT, startPair } from './pair.ts'

const button = { label: 'Again', line: 'retry', style: 'plain', holdsPrompt: false } as const
const withButton = report({ tone: 'neutral', status: 'done', title: 'Done', actions: [button] })

const ROUNDS = 25
const KINDS = ['slash', 'mention', 'press'] as const
const WAYS = (['same', 'other'] as const).flatMap((on) =>
  (['at-once', 'acknowledged'] as const).map((when) => [on, when] as const),
)

test(`${KINDS.length * WAYS.length * ROUNDS} envelopes that come twice: one ask each`, async () => {
  await using bot = await startPair({}, async (ask, talk) => {
    if (ask.how !== 'button') await talk.end(withButton, offers(bot.buttons))
  })
  await bot.slack.slash('/smoke', 'a button')
  const { ts } = await bot.slack.until(() => bot.slack.messages()[0])
  for (const kind of KINDS) {
    for (const [on, when] of WAYS) {
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = bot.asks.length
        bot.slack.trouble({ kind: 'twice', on, when })
        await act[kind](bot, ts, `${kind} ${on} ${when} ${round}`)
        await bot.until(() => bot.asks.length > before)
        later(3_001)
      }
    }
  }
  // whatever came twice was read before this one
  await bot.slack.slash('/smoke', 'last')
  await bot.until(() => bot.asks.some(({ said }) => said.form === 'plain' && said.text === 'last'))
  expect(bot.asks).toHaveLength(1 + 300 + 1)
  expect(new Set(bot.asks.map(({ id }) => id)).size).toBe(302)
}, 30_000)

const act = {
  slash: (bot: Bot, _: string, text: string) => bot.slack.slash('/smoke', text),
  mention: async (bot: Bot, _: string, text: string) => bot.slack.mention(text),
  press: (bot: Bot, ts: string) => bot.slack.press(ts, 0),
}

test('envelopes that overtake each other are all heard, once', async () => {
  await using bot = await startPair()
  bot.slack.trouble({ kind: 'overtaken' }, 3)
  const acks = await Promise.all(['a', 'b', 'c', 'd'].map((text) => bot.slack.slash('/smoke', text)))
  expect(acks.every(({ ok }) => ok)).toBe(true)
  await bot.until(() => bot.asks.length === 4)
  expect(bot.asks.map(({ said }) => (said.form === 'plain' ? said.text : '')).sort()).toEqual(['a', 'b', 'c', 'd'])
})

/** A bot on a store and a Slack that outlive it. */
async function oneLife(
  slack: Awaited<ReturnType<typeof startSlack>>,
  store: Store,
  answer: (talk: Conversation) => Promise<void> = async () => {},
) {
  const asks: string[] = []
  const surface = slackSurface({
    ...house(slack, recordingLog()),
    times: SHORT,
    claim: async (keys, ask) => value(await store.claim(keys, 1, ask)),
    keepAsk: async (ask) => void value(await store.keepAsk(ask)),
    settle: async (keys) => void value(await store.settle(keys)),
    async handle({ id }, talk) {
      asks.push(id)
      await answer(talk)
    },
  })
  expect((await surface.start()).ok).toBe(true)
  await slack.until(() => slack.connections() === 2)
  return { asks, stop: surface.stop }
}

test('after a restart: what was handled is not run again, what a crash left is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-twice-'))
  const path = join(folder, 'pilotflame.db')
  const open = async () => value(await openStore({ path, redact: String }))
  const slack = await startSlack({ port: 0, scopes: scopesFor({ mentionsOnly: false, groups: false }) })

  let store = await open()
  const first = await oneLife(slack, store)
  for (let n = 0; n < 20; n += 1) await slack.slash('/smoke', `${n}`)
  await slack.until(() => first.asks.length === 20)
  const { ts } = slack.mention('smoke hello')
  await slack.until(() => first.asks.length === 21)
  await first.stop()
  // as a crash leaves it that came between the claim and the first sign of life
  expect(value(await store.claim(['event:C0GPU:77.7'], 1))).toBe(true)
  await store.close()

  store = await open()
  const second = await oneLife(slack, store)
  await slack.resend(22, false)
  await slack.resend(22, true)
  expect(second.asks).toEqual([])
  await slack.raw(mentionAt('77.7', 'Ev77'))
  await slack.resend(1, true)
  await slack.raw(mentionAt('77.7', 'Ev78'))
  await slack.raw(mentionAt(ts, 'Ev79'))
  expect(second.asks).toEqual(['event:C0GPU:77.7'])
  await second.stop()
  await store.close()
  await slack.close()
  await rm(folder, { recursive: true })
})

test('the envelope alone tells a second delivery, also where nothing else in it is the same', async () => {
  const other = (text: string) => text.replace(/"trigger_id":"[^"]*"/, `"trigger_id":"${crypto.randomUUID()}"`)
  await using bot = await startPair({
    openWire: (request) =>
      openWire({
        ...request,
        onText(text) {
          request.onText(text)
          if (text.includes('"trigger_id"')) request.onText(other(text))
        },
      }),
  })
  await bot.slack.slash('/smoke', 'first')
  await bot.slack.slash('/smoke', 'second')
  await bot.until(() => bot.asks.length >= 2)
  expect(bot.asks.map(({ said }) => (said.form === 'plain' ? said.text : ''))).toEqual(['first', 'second'])
})

test('a crash after an ask has begun to answer: it is not run again, its message is ended by the next process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-begun-'))
  const path = join(folder, 'pilotflame.db')
  const open = async () => value(await openStore({ path, redact: String }))
  const slacks = [await startSlack({ port: 0 }), await startSlack({ port: 0 })] as const

  let store = await open()
  const forEver = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const first = await oneLife(slacks[0], store, async (talk) => {
    await talk.begin(withButton, offers(new Map()))
    begun.resolve()
    await forEver.promise
  })
  const { ts } = slacks[0].mention('smoke hello')
  await begun.promise
  await slacks[0].until(() => slacks[0].messages().some(({ replies }) => replies.length > 0))
  await store.close()

  store = await open()
  const second = await oneLife(slacks[1], store)
  await slacks[1].raw(mentionAt(ts, 'Ev6'))
  await slacks[1].raw(mentionAt('6.6', 'Ev7'))
  expect(second.asks).toEqual(['event:C0GPU:6.6'])
  forEver.resolve()
  await Promise.all([first.stop(), second.stop()])
  await Promise.all([store.close(), ...slacks.map((slack) => slack.close())])
  await rm(folder, { recursive: true })
})

test('an event that never arrived is heard, once, when Slack repeats it', async () => {
  await using bot = await startPair()
  // a mention is two events
  bot.slack.trouble({ kind: 'swallowed' }, 2)
  const { ts } = bot.slack.mention('smoke hello')
  await bot.until(() => bot.asks.length === 1)
  await bot.slack.resend(4, true)
  expect(bot.asks.map(({ id }) => id)).toEqual([`event:C0GPU:${ts}`])
})
