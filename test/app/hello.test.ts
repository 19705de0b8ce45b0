import { expect, test } from 'vitest'
import { attachSlack } from '../../src/app/slack.ts'
import { openApp } from '../../src/app.ts'
import { nothingSet } from '../../src/config.ts'
import type { Config } from '../../src/domain/config.ts'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'
import { startSlack } from '../../src/lab/slack/index.ts'
import { scopesFor } from '../../src/surfaces/slack/scopes.ts'
import { target } from '../commands/house.ts'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
const HOUR_MS = 3_600_000

const CONFIG: Config = {
  ...nothingSet,
  targets: [target('qwen'), target('looper')],
  roles: { ...nothingSet.roles, operators: ['T0DEMO:U0BEN'] },
  channels: [
    { id: 'C0GPU', targets: [], target: 'qwen' },
    { id: 'C0SHARED', targets: [], target: 'looper' },
  ],
  slash: { prefix: 'acme-', aliases: { llm: 'sglang' } },
  keep: { promptsMs: HOUR_MS, attemptsMs: HOUR_MS },
}

/** The whole house on the stand-in, with the scopes of the manifest and no other one. */
async function connected(given: Partial<Config> = {}) {
  const config = { ...CONFIG, ...given }
  const slack = await startSlack({ port: 0, scopes: scopesFor({ mentionsOnly: config.mentionsOnly, groups: false }) })
  const app = await openApp(config, SILENT)
  if (!app.ok) throw new Error(app.failure.observed)
  const settings = { botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl }
  const attached = await attachSlack(app.value, config, settings, SILENT)
  if (!attached.ok) throw new Error(attached.failure.observed)
  return {
    slack,
    async [Symbol.asyncDispose]() {
      await attached.value.stop()
      await app.value.close()
      await slack.close()
    },
  }
}

const hello = (slack: SlackStandIn, channel: string) =>
  slack.until(() => slack.messages(channel).find(({ text }) => text.includes('Hello. I prove')))

const wordsOf = (message: { readonly blocks: unknown; readonly text: string }) =>
  `${message.text} ${JSON.stringify(message.blocks)}`

test('invited to a channel of the configuration: what to type, and which target is meant', async () => {
  await using house = await connected()
  house.slack.invite('C0GPU')
  const said = wordsOf(await hello(house.slack, 'C0GPU'))
  expect(said).toContain('/acme-pilotflame help')
  expect(said).toContain('qwen is meant here, as pilotflame.yml says')
  expect(said).not.toContain('another organisation')
})

test('invited to another one: the lines that name it', async () => {
  await using house = await connected()
  house.slack.invite('C0QUIET')
  const said = wordsOf(await hello(house.slack, 'C0QUIET'))
  expect(said).toContain('C0QUIET: {}')
  expect(said).not.toMatch(/qwen|looper/)
})

test('invited to a shared one: that it changes nothing there', async () => {
  await using house = await connected()
  house.slack.invite('C0SHARED')
  expect(wordsOf(await hello(house.slack, 'C0SHARED'))).toContain('I change nothing here')
})

test('“use” by an alias is seen by the whole channel, and a reader may not say it', async () => {
  await using house = await connected()
  await house.slack.slash('/llm', 'use looper', 'U0ANNA')
  const refused = await house.slack.until(() => house.slack.messages().find(({ onlyFor }) => onlyFor === 'U0ANNA'))
  expect(refused.text).toContain('T0DEMO:U0ANNA is not operator')
  await house.slack.slash('/llm', 'use looper', 'U0BEN')
  const seen = await house.slack.until(() =>
    house.slack.messages().find(({ text }) => text.includes('looper is meant')),
  )
  expect(seen).toMatchObject({ onlyFor: null, thread: null })
  expect(wordsOf(seen)).toContain('/acme-sglang use --clear')
})

test('mentions_only: the whole way with its few scopes', async () => {
  await using house = await connected({ mentionsOnly: true })
  house.slack.mention('whoami')
  const seen = await house.slack.until(() =>
    house.slack
      .messages()
      .flatMap(({ replies }) => replies)
      .find(({ text }) => text.includes('You are T0DEMO:U0ANNA')),
  )
  expect(seen.onlyFor).toBeNull()
})
