import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SlackStandIn } from '../../../src/lab/slack/index.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'
import { isFields } from '../../../src/lab/slack/json.ts'
import { listen } from './client.ts'

let slack: SlackStandIn
type App = Awaited<ReturnType<typeof listen>>

beforeEach(async () => {
  slack = await startSlack({ port: 0 })
})
afterEach(() => slack.close())

async function apps(count: number): Promise<App[]> {
  const all: App[] = []
  for (let n = 1; n <= count; n += 1) {
    all.push(await listen(slack))
    await slack.until(() => slack.connections() === n)
  }
  return all
}

const texts = ({ heard }: App) =>
  heard.flatMap(({ payload }) => (isFields(payload) && 'text' in payload ? [payload['text']] : []))

const DISCONNECTS = ['warning', 'refresh_requested', 'too_many_websockets', 'link_disabled'] as const

test.each(DISCONNECTS)('%s is said to one connection, which then gets nothing more', async (reason) => {
  const [first, second] = await apps(2)
  slack.disconnect(reason, 0)
  expect(slack.connections()).toBe(1)
  for (const text of ['a', 'b']) await slack.slash('/smoke', text)
  expect(first?.heard.at(-1)).toMatchObject({ type: 'disconnect', reason })
  expect([first, second].map((app) => app && texts(app))).toEqual([[], ['a', 'b']])
})

test.each(['drop', 'reset'] as const)('%s ends one connection without a word', async (reason) => {
  const [first] = await apps(2)
  slack.disconnect(reason, 0)
  await first?.closed
  expect(first?.heard.map(({ type }) => type)).toEqual(['hello'])
})

test.each(['half-open', 'silent'] as const)('a %s connection answers no goodbye', async (reason) => {
  const [first] = await apps(2)
  slack.disconnect(reason, 0)
  await slack.slash('/smoke', 'x')
  expect(first?.heard.length).toBe(reason === 'silent' ? 1 : 2)
  first?.close()
  const closed = await Promise.race([first?.closed.then(() => true), slack.slash('/smoke', 'y').then(() => false)])
  expect(closed).toBe(false)
})

test('a late hello comes late, and nothing before it', async () => {
  slack.trouble({ kind: 'late-hello', ms: 50 })
  const from = performance.now()
  await apps(1)
  expect(performance.now() - from).toBeGreaterThan(45)
})

test('an envelope comes twice, to the same or another connection, at once or afterwards', async () => {
  const [first, second] = await apps(2)
  for (const on of ['same', 'other'] as const)
    for (const when of ['at-once', 'acknowledged'] as const) {
      slack.trouble({ kind: 'twice', on, when })
      await slack.slash('/smoke', `${on} ${when}`)
    }
  await slack.slash('/smoke', 'last')
  await slack.slash('/smoke', 'last')
  const both = [first, second].map((app) => (app ? texts(app) : []))
  for (const text of ['same at-once', 'same acknowledged'])
    expect(both.map((heard) => heard.filter((one) => one === text).length).sort()).toEqual([0, 2])
  for (const text of ['other at-once', 'other acknowledged'])
    expect(both.map((heard) => heard.filter((one) => one === text).length)).toEqual([1, 1])
})

test('an overtaken envelope follows the next; a swallowed one times out; a fresh repetition says that it is one', async () => {
  const [app] = await apps(1)
  slack.trouble({ kind: 'overtaken' })
  await Promise.all([slack.slash('/smoke', 'a'), slack.slash('/smoke', 'b')])
  expect(app && texts(app)).toEqual(['b', 'a'])
  await slack.resend(1, false)
  await slack.resend(1, true)
  const [original, same, fresh] = app?.heard.slice(-3) ?? []
  expect(same?.['envelope_id']).not.toBe(fresh?.['envelope_id'])
  expect(fresh).toMatchObject({ retry_attempt: 1, retry_reason: 'timeout', payload: same?.['payload'] })
  expect(original).toMatchObject({ payload: { text: 'a' } })
  slack.trouble({ kind: 'swallowed' })
  expect(await slack.slash('/smoke', 'c')).toMatchObject({ ok: false, error: 'operation_timeout' })
})

test('what swallows events leaves commands alone, and the event comes again', async () => {
  const [app] = await apps(1)
  slack.trouble({ kind: 'swallowed', of: 'events_api' })
  expect(await slack.slash('/smoke', 'a')).toMatchObject({ ok: true })
  slack.mention('whoami')
  const of = (type: string) => app?.heard.filter((one) => one['type'] === type) ?? []
  const again = await slack.until(() => of('events_api').find((one) => one['retry_attempt'] === 1), 4_000)
  expect(again).toMatchObject({ retry_reason: 'timeout' })
  expect(of('slash_commands')).toHaveLength(1)
})

test('strangers are counted in the greeting', async () => {
  slack.strangers(3)
  const [app] = await apps(1)
  await slack.slash('/smoke', 'x')
  expect(app?.heard[0]).toMatchObject({ num_connections: 4 })
})
