import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CheckResult } from '../../../src/domain/check.ts'
import { sentence } from '../../../src/domain/failure.ts'
import type { SlackStandIn } from '../../../src/lab/slack/index.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'
import type { SlackOptions } from '../../../src/surfaces/slack/index.ts'
import { slackSurface } from '../../../src/surfaces/slack/index.ts'
import { scopesFor } from '../../../src/surfaces/slack/scopes.ts'
import { house, recordingLog } from './harness.ts'

let slack: SlackStandIn
beforeAll(async () => {
  slack = await startSlack({ port: 0 })
})
afterAll(() => slack.close())

function surface(other: Partial<SlackOptions> = {}) {
  return slackSurface({ ...house(slack, recordingLog()), handle: async () => {}, ...other })
}

test('start tells who we are', async () => {
  const started = surface()
  expect(await started.start()).toMatchObject({
    ok: true,
    value: { team: 'T0DEMO', teamName: 'Pilotflame demo', botUser: 'U0PILOT', botName: 'pilotflame' },
  })
  await started.stop()
})

test.each([
  [
    'the tokens are swapped',
    { botToken: 'xapp-1', appToken: 'xoxb-1' },
    'bot token (SLACK_BOT_TOKEN): begins with xapp-',
  ],
  ['the bot token is no token', { botToken: 'secret' }, 'bot token (SLACK_BOT_TOKEN): does not begin with xoxb-'],
  ['the app token is a user token', { appToken: 'xoxp-1' }, 'app token (SLACK_APP_TOKEN): begins with xoxp-'],
  [
    'Slack does not know the bot token',
    { botToken: 'xoxb-other' },
    'bot token (SLACK_BOT_TOKEN): Slack says invalid_auth',
  ],
  [
    'Slack does not know the app token',
    { appToken: 'xapp-other' },
    'app token (SLACK_APP_TOKEN): Slack says invalid_auth',
  ],
  ['nobody listens at the address', { apiUrl: 'http://127.0.0.1:9/api/' }, 'Slack (http://127.0.0.1:9/api/)'],
])('where %s, start says so', async (_, wrong, words) => {
  const { settings } = house(slack, recordingLog())
  const started = await surface({ settings: { ...settings, ...wrong } }).start()
  const said = started.ok ? 'it started' : sentence(started.failure)
  expect(said).toContain(words)
  expect(said).toMatch(/Next: (copy|make|check) /)
  expect(said).not.toContain('xoxb-other')
})

test('a server that is not Slack is named', async () => {
  const server = createServer((_, response) => response.end('<html>hello</html>')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const { settings } = house(slack, recordingLog())
  const started = await surface({ settings: { ...settings, apiUrl: `http://127.0.0.1:${port}/api/` } }).start()
  server.close()
  expect(started).toMatchObject({ ok: false, failure: { thing: `Slack (http://127.0.0.1:${port}/api/)` } })
})

async function checks(other: Partial<SlackOptions> = {}): Promise<Record<string, CheckResult>> {
  const all = surface(other).checks.map(async ({ name, run }) => [name, await run(AbortSignal.timeout(5_000))] as const)
  return Object.fromEntries(await Promise.all(all))
}

test('doctor: all is well, with the socket of another process', async () => {
  expect(await checks({ channels: ['C0GPU'] })).toEqual({
    'Slack: bot token': { state: 'ok', saw: '@pilotflame in Pilotflame demo (T0DEMO), all scopes' },
    'Slack: app token': { state: 'ok', saw: 'Slack offers a socket' },
    'Slack: sockets': { state: 'skipped', saw: 'the bot does not run in this process' },
    'Slack: outbox': { state: 'skipped', saw: 'the bot does not run in this process' },
    'Slack: hears': { state: 'ok', saw: 'slash commands, mentions, and bare replies in its threads' },
    'Slack: channel C0GPU': { state: 'ok', saw: 'member of #gpu' },
  })
})

test('doctor: the sockets and the outbox of a running bot', async () => {
  const running = surface()
  await running.start()
  const sockets = running.checks.find(({ name }) => name === 'Slack: sockets')
  const saw = '1 of 2 open; the other follows; nothing came yet'
  expect(await sockets?.run(AbortSignal.timeout(5_000))).toEqual({ state: 'ok', saw })
  const outbox = running.checks.find(({ name }) => name === 'Slack: outbox')
  expect(await outbox?.run(AbortSignal.timeout(5_000))).toEqual({ state: 'ok', saw: 'no message waits' })
  await running.stop()
})

test('doctor: channels that the bot cannot use, each with what to do', async () => {
  const found = await checks({ channels: ['C0QUIET', 'C0SHARED', 'C0NONE'] })
  expect(found['Slack: channel C0QUIET']).toEqual({
    state: 'fault',
    saw: 'the bot is not in #quiet',
    next: 'in that channel: /invite @pilotflame',
  })
  expect(found['Slack: channel C0SHARED']).toMatchObject({ state: 'warning' })
  expect(found['Slack: channel C0NONE']).toMatchObject({ state: 'fault', next: expect.stringContaining('/invite @') })
})

const USUAL = { mentionsOnly: false, groups: false }

const without = (...lacking: readonly string[]) =>
  startSlack({
    port: 0,
    scopes: scopesFor({ ...USUAL, groups: true, readFiles: true }).filter((scope) => !lacking.includes(scope)),
  })

test('doctor: every scope that the token lacks is named, with the clicks that add it', async () => {
  await using poor = disposable(await without('files:write'))
  const { settings } = house(poor.slack, recordingLog())
  expect((await checks({ settings }))['Slack: bot token']).toEqual({
    state: 'fault',
    saw: '@pilotflame in Pilotflame demo lacks the scopes files:write',
    next: 'api.slack.com/apps → your app → OAuth & Permissions → Bot Token Scopes → Add an OAuth Scope: files:write; then Install App → Reinstall to Workspace',
  })
})

test.each([
  ['channels:history', USUAL, { ...USUAL, mentionsOnly: true }],
  ['usergroups:read', { ...USUAL, groups: true }, USUAL],
  ['files:read', { ...USUAL, readFiles: true }, USUAL],
])('doctor: %s is missed only by settings that need it', async (scope, needing, other) => {
  await using poor = disposable(await without(scope))
  const { settings } = house(poor.slack, recordingLog())
  expect((await checks({ settings, ...needing }))['Slack: bot token']).toMatchObject({
    state: 'fault',
    saw: expect.stringContaining(`lacks the scopes ${scope}`),
  })
  expect((await checks({ settings, ...other }))['Slack: bot token']).toMatchObject({ state: 'ok' })
})

test('start warns of scopes that are missing, with the clicks, and starts', async () => {
  await using poor = disposable(await without('files:write', 'users:read'))
  const log = recordingLog()
  const started = surface({ ...house(poor.slack, log) })
  expect(await started.start()).toMatchObject({ ok: true })
  await started.stop()
  expect(log.lines.filter(({ level }) => level === 'warn')).toMatchObject([
    {
      message: 'The Slack app lacks scopes',
      data: { missing: ['files:write', 'users:read'], next: expect.stringContaining('files:write, users:read; then') },
    },
  ])
})

test('doctor: an archived channel is named, with the clicks that bring it back', async () => {
  expect((await checks({ channels: ['C0OLD'] }))['Slack: channel C0OLD']).toMatchObject({
    state: 'fault',
    saw: '#old-gpu is archived',
    next: expect.stringContaining('Unarchive'),
  })
})

/** Closed where its test ends. */
function disposable(slack: SlackStandIn) {
  return { slack, [Symbol.asyncDispose]: () => slack.close() }
}
