import { expect, test } from 'vitest'
import { accessCode } from '../../src/app/access-code.ts'
import { attachSlack } from '../../src/app/slack.ts'
import { openApp } from '../../src/app.ts'
import { nothingSet } from '../../src/config.ts'
import type { Config } from '../../src/domain/config.ts'
import { startSlack } from '../../src/lab/slack/index.ts'
import { scopesFor } from '../../src/surfaces/slack/scopes.ts'
import { target } from '../commands/house.ts'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
const HOUR_MS = 3_600_000

/** The whole house on the stand-in, with the scopes of the manifest and no other one. */
async function connected(roles: Partial<Config['roles']> = {}) {
  const groups = (roles.operatorGroups ?? []).length > 0
  const slack = await startSlack({ port: 0, scopes: scopesFor({ mentionsOnly: false, groups }) })
  const settings = { botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl }
  const channels = ['C0GPU', 'C0SHARED', 'C0PENDING', 'D0ANNA'].map((id) => ({ id, targets: [], target: null }))
  const keep = { promptsMs: HOUR_MS, attemptsMs: HOUR_MS }
  const set = { targets: [target('qwen')], roles: { ...nothingSet.roles, ...roles }, channels, keep, slack: settings }
  const config: Config = { ...nothingSet, ...set }
  const app = await openApp(config, SILENT)
  if (!app.ok) throw new Error(app.failure.observed)
  const attached = await attachSlack(app.value, config, settings, SILENT)
  if (!attached.ok) throw new Error(attached.failure.observed)
  /** What is said in a channel that tells of it, and who alone sees it. */
  const heard = async (words: RegExp, channel = 'C0GPU') => {
    const all = () => slack.messages(channel).flatMap((one) => [one, ...one.replies])
    const message = await slack.until(() =>
      all().find((one) => words.test(`${one.text} ${JSON.stringify(one.blocks)}`)),
    )
    return message.onlyFor
  }
  return {
    slack,
    heard,
    code: () => accessCode(settings, Date.now()),
    async [Symbol.asyncDispose]() {
      await attached.value.stop()
      await app.value.close()
      await slack.close()
    },
  }
}

test('from nobody to an operator: a code, a claim, a refusal that names the admin, and a grant by mention', async () => {
  await using house = await connected()
  const { slack, heard, code } = house
  await slack.slash('/pilotflame', 'access grant U0CARL operator', 'U0BEN')
  expect(await heard(/Nobody is admin yet/)).toBe('U0BEN')
  await slack.slash('/pilotflame', `access claim ${code()}`)
  expect(await heard(/anna \(U0ANNA\) is admin of Pilotflame now/)).toBeNull()
  await slack.slash('/pilotflame', 'access grant U0CARL admin', 'U0BEN')
  expect(await heard(/U0BEN is not admin.*Admins are: anna \(U0ANNA\)/)).toBe('U0BEN')
  slack.mention('access grant @carl operator')
  expect(await heard(/carl \(U0CARL\) is operator now/)).toBeNull()
})

test.each([
  ['a guest', 'U0GUEST', /guests of this workspace/],
  ['a guest of one channel', 'U0ULTRA', /guests of this workspace/],
  ['somebody of another organisation', 'U0OTHER', /another organisation/],
  ['a bot', 'U0ROBOT', /bots and apps/],
  ['a closed account', 'U0GONE', /closed accounts/],
])('%s is told no, whatever role stands there', async (_, id, words) => {
  await using house = await connected({ admins: [`T0DEMO:${id}`, `T0OTHER:${id}`] })
  await house.slack.slash('/pilotflame', 'help', id)
  expect(await house.heard(words)).toBe(id)
})

test.each(['C0SHARED', 'C0PENDING'])('in %s an admin changes nothing', async (channel) => {
  await using house = await connected({ admins: ['T0DEMO:U0ANNA'] })
  await house.slack.slash('/pilotflame', 'access grant U0BEN operator', 'U0ANNA', channel)
  expect(await house.heard(/people of another organisation are in/, channel)).toBe('U0ANNA')
})

test('a member of the group is operator, and nobody is where the plan has no groups', async () => {
  await using house = await connected({ operatorGroups: ['S0OPS'] })
  await house.slack.slash('/pilotflame', 'access explain', 'U0BEN')
  await house.heard(/You: operator, by user group S0OPS/)
  await using poor = await connected({ operatorGroups: ['S0OPS'] })
  poor.slack.refuses('usergroups')
  await poor.slack.slash('/pilotflame', 'access explain', 'U0BEN')
  await poor.heard(/You: no role.*no user groups/)
})
