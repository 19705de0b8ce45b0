import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'vitest'
import type { OpenAsk } from '../../../src/domain/open-ask.ts'
import { report } from '../../../src/domain/report.ts'
import { mentionAt, startPair } from './pair.ts'

// A command is acknowledged when it is kept, an event when it is answered: what Slack does not deliver again is ours.

test.concurrent('a command and a press are kept before they are acknowledged', async ({ expect }) => {
  const kept: (OpenAsk | null | undefined)[] = []
  const stored = Promise.withResolvers<void>()
  await using bot = await startPair({
    async claim(_, ask) {
      kept.push(ask)
      await stored.promise
      return true
    },
  })
  let acknowledged = false
  const slash = bot.slack.slash('/smoke', 'hello').then((ack) => {
    acknowledged = true
    return ack
  })
  await expect.poll(() => kept.length).toBe(1)
  await delay(50)
  expect(acknowledged).toBe(false)
  stored.resolve()
  expect((await slash).ok).toBe(true)
  expect(kept[0]).toMatchObject({ how: 'slash', user: 'U0ANNA', to: { channel: 'C0GPU', thread: null } })
})

test.concurrent('a store that hangs does not make Slack show an error', async ({ expect }) => {
  const stored = Promise.withResolvers<boolean>()
  await using bot = await startPair({ claim: () => stored.promise })
  const ack = await bot.slack.slash('/smoke', 'hello')
  expect(ack.ok).toBe(true)
  expect(ack.ms).toBeGreaterThanOrEqual(1_900)
  expect(ack.ms).toBeLessThan(3_000)
  stored.resolve(true)
})

test.concurrent('a mention that comes again while it is being answered is not acknowledged before the first', async ({
  expect,
}) => {
  const answered = Promise.withResolvers<void>()
  await using bot = await startPair({ handle: () => answered.promise })
  let acknowledged = 0
  const deliveries = ['Ev1', 'Ev2'].map(async (id) => {
    const ack = await bot.slack.raw(mentionAt('5.5', id))
    acknowledged += 1
    return ack
  })
  await delay(300)
  expect(acknowledged).toBe(0)
  answered.resolve()
  expect(await Promise.all(deliveries)).toEqual([
    expect.objectContaining({ ok: true }),
    expect.objectContaining({ ok: true }),
  ])
})

test.concurrent('one that takes longer than Slack waits is kept, since it may not come again', async ({ expect }) => {
  const kept: OpenAsk[] = []
  const answered = Promise.withResolvers<void>()
  await using bot = await startPair({ handle: () => answered.promise, keepAsk: async (ask) => void kept.push(ask) })
  const { ts } = bot.slack.mention('smoke hello')
  await expect.poll(() => kept.length, { timeout: 3_000 }).toBe(1)
  expect(kept).toEqual([expect.objectContaining({ id: `event:C0GPU:${ts}`, how: 'mention' })])
  answered.resolve()
})

test.concurrent('one that Slack may give up is kept at once, however long its answer takes', async ({ expect }) => {
  const kept: { readonly id: string; readonly at: number }[] = []
  const answered = Promise.withResolvers<void>()
  await using bot = await startPair({
    handle: () => answered.promise,
    keepAsk: async ({ id }) => void kept.push({ id, at: performance.now() }),
  })
  const from = performance.now()
  // it is told twice: as a message, and as a mention
  for (const ms of [50, 60]) bot.slack.trouble({ kind: 'late', ms, retry: 2 })
  const { ts } = bot.slack.mention('smoke hello')
  await expect.poll(() => kept.length, { timeout: 1_200 }).toBe(1)
  expect(kept[0]?.id).toBe(`event:C0GPU:${ts}`)
  expect((kept[0]?.at ?? 0) - from).toBeLessThan(1_200)
  answered.resolve()
})

test.concurrent('a reply in a thread is kept once it is understood as a command, and only where it takes so long', async ({
  expect,
}) => {
  const kept: string[] = []
  const gate = Promise.withResolvers<void>()
  await using bot = await startPair({
    async handle({ said }, talk) {
      const text = said.form === 'words' ? '' : said.text
      if (text === 'raw') talk.understood?.()
      await gate.promise
      if (text === 'late') talk.understood?.()
      await delay(100)
    },
    keepAsk: async ({ id }) => void kept.push(id),
  })
  const { ts: thread } = bot.slack.mention('smoke hello')
  await expect.poll(() => kept.length, { timeout: 3_000 }).toBe(1)
  const [raw, , late] = ['raw', 'lunch?', 'late'].map((text) => `event:C0GPU:${bot.slack.reply(text, { thread }).ts}`)
  await expect.poll(() => kept.length, { timeout: 3_000 }).toBe(2)
  await delay(300)
  gate.resolve()
  await expect.poll(() => kept.length, { timeout: 3_000 }).toBe(3)
  expect(kept).toEqual([expect.any(String), raw, late])
})

test.concurrent('a mention that has begun is kept before its message stands, so that it is not run again', async ({
  expect,
}) => {
  const steps: string[] = []
  await using bot = await startPair({
    async keepAsk({ id }) {
      steps.push(`${id}, messages: ${bot.slack.messages().flatMap(({ replies }) => replies).length}`)
    },
    settle: async () => void steps.push('settled'),
    async handle(_, talk) {
      await talk.begin(report({ tone: 'running', status: 'running', title: 'Thinking' }), async () => null)
      steps.push('begun')
    },
  })
  const { ts } = bot.slack.mention('smoke hello')
  await expect.poll(() => steps.length, { timeout: 3_000 }).toBe(3)
  expect(steps).toEqual([`event:C0GPU:${ts}, messages: 0`, 'settled', 'begun'])
})
