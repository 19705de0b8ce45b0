import { expect, test } from 'vitest'
import { startProcess } from './slack-process.ts'

test('an app token that is revoked while the bot runs ends it with status 1, and the token is named', async () => {
  const { slack, said, exit } = await startProcess()
  slack.fault('apps.connections.open', { kind: 'error', error: 'token_revoked' }, 100)
  slack.disconnect('drop')
  expect(await exit).toEqual([1, null])
  expect(await said).toContain('app token (SLACK_APP_TOKEN): Slack says token_revoked. Next: make one with')
  expect(await said).not.toContain(slack.appToken)
}, 15_000)
