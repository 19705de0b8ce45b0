import { expect, test } from 'vitest'
import { openWire } from '../../../src/adapters/http-web-socket.ts'
import type { Wire } from '../../../src/domain/ports.ts'
import type { Fault } from '../../../src/lab/slack/faults.ts'
import type { Bot } from './harness.ts'
import { startBot } from './harness.ts'
import { SHORT, startPair } from './pair.ts'

const said = (bot: Bot) => bot.log.lines.map(({ message }) => message)

async function doctor(bot: Bot) {
  const check = bot.surface.checks.find(({ name }) => name === 'Slack: sockets')
  return check?.run(AbortSignal.timeout(5_000))
}

test('ready with one connection; the second comes later, and doctor sees both', async () => {
  await using bot = await startBot(async () => {}, { times: SHORT })
  expect(bot.slack.connections()).toBe(1)
  await bot.slack.until(() => bot.slack.connections() === 2)
  await bot.slack.slash('/smoke', 'hello')
  expect(await doctor(bot)).toEqual({ state: 'ok', saw: '2 open; last heard 0 s ago' })
})

const REASONS = [
  'warning',
  'refresh_requested',
  'too_many_websockets',
  'link_disabled',
  'drop',
  'reset',
  'half-open',
  'silent',
] as const

test.each(REASONS.flatMap((reason) => [0, 1].map((which) => [reason, which] as const)))(
  '%s of connection %i: the other one hears everything, and a new one comes',
  async (reason, which) => {
    await using bot = await startPair()
    bot.slack.disconnect(reason, which)
    const acks = await Promise.all(Array.from({ length: 5 }, (_, n) => bot.slack.slash('/smoke', `a ${n}`)))
    await bot.slack.until(() => bot.slack.connections() === 2)
    acks.push(...(await Promise.all(Array.from({ length: 5 }, (_, n) => bot.slack.slash('/smoke', `b ${n}`)))))
    expect(acks.filter(({ ok }) => !ok)).toEqual([])
    expect(bot.asks).toHaveLength(10)
    expect(bot.fewest()).toBe(1)
    expect(said(bot).filter((line) => line.startsWith('Another program'))).toEqual([])
  },
)

test('refreshes of both in turn never look like another program', async () => {
  await using bot = await startPair()
  for (let round = 0; round < 12; round += 1) {
    bot.slack.disconnect(round % 3 === 2 ? 'drop' : 'refresh_requested', round % 2)
    await bot.slack.until(() => bot.slack.connections() === 2)
  }
  expect(said(bot).filter((line) => line.startsWith('Another program'))).toEqual([])
  expect(bot.fewest()).toBe(1)
})

test('a connection that asks to be replaced is still heard and answered', async () => {
  const thinking = Promise.withResolvers<void>()
  await using bot = await startPair({}, () => thinking.promise)
  bot.slack.mention('smoke hello')
  await bot.until(() => bot.asks.length === 1)
  bot.slack.disconnect('refresh_requested')
  await bot.slack.until(() => bot.slack.connections() === 2)
  thinking.resolve()
  await bot.slack.slash('/smoke', 'x')
  expect(said(bot)).not.toContain('An acknowledgement came too late: its connection is gone')
})

test('a late hello is waited for, one that never comes is not', async () => {
  await using bot = await startPair()
  bot.slack.trouble({ kind: 'late-hello', ms: 100 })
  bot.slack.disconnect('drop', 0)
  await bot.slack.until(() => bot.slack.connections() === 2)
  expect(said(bot)).not.toContain('The Slack socket cannot be opened')
  bot.slack.trouble({ kind: 'late-hello', ms: 60_000 })
  bot.slack.disconnect('drop', 0)
  await bot.slack.until(() => bot.slack.connections() === 2)
  const failed = bot.log.lines.find(({ message }) => message === 'The Slack socket cannot be opened')
  expect(failed?.data?.['said']).toContain('no hello within 0.3 s')
  expect(bot.fewest()).toBe(1)
})

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['500', { kind: 'http', status: 500 }],
  ['a reset', { kind: 'reset' }],
  ['a lost answer', { kind: 'lost' }],
  ['internal_error', { kind: 'error', error: 'internal_error' }],
  ['too_many_websockets', { kind: 'error', error: 'too_many_websockets' }],
  ['invalid_auth', { kind: 'error', error: 'invalid_auth' }],
]

test.each(FAULTS)('%s of apps.connections.open, five times: the other connection stays', async (_, fault) => {
  await using bot = await startPair()
  bot.slack.fault('apps.connections.open', fault, 5)
  bot.slack.disconnect('drop', 0)
  await bot.until(() => said(bot).includes('The Slack socket cannot be opened'))
  expect(await doctor(bot)).toMatchObject({ state: 'warning', saw: expect.stringMatching(/^1 of 2 open; .+: .+/) })
  await bot.until(() => said(bot).includes('The Slack socket is open again'))
  expect(bot.fewest()).toBe(1)
  expect(await doctor(bot)).toMatchObject({ state: 'ok' })
})

test('Retry-After is waited for, whatever our own waits are', async () => {
  await using bot = await startPair()
  bot.slack.fault('apps.connections.open', { kind: 'rate-limited', retryAfter: 1 })
  const from = performance.now()
  bot.slack.disconnect('drop', 0)
  await bot.slack.until(() => bot.slack.connections() === 2)
  expect(performance.now() - from).toBeGreaterThan(990)
})

test('trouble at the start is tried again, a refused token is not', async () => {
  await using bot = await startPair({ times: { ...SHORT, startMs: 2_000 } })
  expect(said(bot)).toEqual([])
  const trouble: Fault = { kind: 'http', status: 500 }
  await bot.surface.stop()
  bot.slack.fault('apps.connections.open', trouble, 3)
  expect(await bot.surface.start()).toMatchObject({ ok: true })
  await bot.surface.stop()
  bot.slack.fault('apps.connections.open', { kind: 'error', error: 'invalid_auth' })
  expect(await bot.surface.start()).toMatchObject({ ok: false, failure: { kind: 'config' } })
})

test.each(['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked'])(
  '%s for good, with no connection left: lost, and the token is named',
  async (error) => {
    await using bot = await startPair()
    bot.slack.fault('apps.connections.open', { kind: 'error', error }, 100)
    bot.slack.disconnect('drop')
    expect(await bot.surface.lost).toMatchObject({
      kind: 'config',
      thing: 'app token (SLACK_APP_TOKEN)',
      observed: `Slack says ${error}`,
    })
    expect(await doctor(bot)).toMatchObject({ state: 'fault', next: expect.stringContaining('connections:write') })
  },
)

test('an outage is said once, and its end', async () => {
  await using bot = await startPair()
  bot.slack.fault('apps.connections.open', { kind: 'reset' }, 12)
  bot.slack.disconnect('drop')
  await bot.until(() => said(bot).includes('Connected to Slack again'))
  await bot.slack.until(() => bot.slack.connections() === 2)
  const silence = said(bot).filter((line) => line.startsWith('No connection to Slack'))
  expect(silence).toEqual(['No connection to Slack: nothing that people say is heard'])
})

test('what Slack wants replaced is heard while it is open: no silence, until it has ended', async () => {
  const wires: Wire[] = []
  await using bot = await startPair({
    openWire(request) {
      const wire = openWire(request)
      wires.push(wire)
      return wire
    },
  })
  bot.slack.fault('apps.connections.open', { kind: 'error', error: 'internal_error' }, 1_000)
  bot.slack.disconnect('refresh_requested')
  const silent = () => said(bot).some((line) => line.startsWith('No connection to Slack'))
  const tries = () => said(bot).filter((line) => line === 'The Slack socket cannot be opened').length
  await bot.until(() => tries() > 12)
  expect(silent()).toBe(false)
  expect(await doctor(bot)).toMatchObject({
    state: 'warning',
    saw: expect.stringMatching(/^2 of 2 open; .+internal_error/),
  })
  for (const wire of wires) wire.close()
  await bot.until(silent)
  expect(await doctor(bot)).toMatchObject({ state: 'fault' })
})

test('another program with our token is told of, in the log and by doctor, until it is gone', async () => {
  await using bot = await startPair()
  const line = 'Another program is connected with this app token'
  const foreign = () => said(bot).filter((one) => one.startsWith(line)).length
  bot.slack.strangers(1)
  bot.slack.disconnect('refresh_requested', 0)
  await bot.until(() => foreign() === 1)
  bot.slack.disconnect('refresh_requested', 0)
  await bot.slack.until(() => bot.slack.connections() === 2)
  expect(foreign()).toBe(1)
  expect(await doctor(bot)).toMatchObject({
    state: 'warning',
    saw: expect.stringContaining('1 of another program, which gets some of what people say'),
    next: expect.stringContaining('revoke it'),
  })
  bot.slack.strangers(0)
  bot.slack.disconnect('refresh_requested', 0)
  await bot.until(() => said(bot).includes('Only our own connections use the app token again'))
  expect(await doctor(bot)).toMatchObject({ state: 'ok' })
})
