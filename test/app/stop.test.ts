import { expect, test } from 'vitest'
import { startProcess } from './slack-process.ts'

test('SIGTERM while Slack thinks about apps.connections.open ends the process soon, with status 0', async () => {
  const { slack, child, exit } = await startProcess()
  slack.fault('apps.connections.open', { kind: 'slow', ms: 60_000 })
  slack.disconnect('drop')
  await slack.until(() => slack.calls().filter(({ method }) => method === 'apps.connections.open').length === 2)
  const from = performance.now()
  child.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
  // of its own 10 s for a call nothing is waited for
  expect(performance.now() - from).toBeLessThan(2_000)
}, 15_000)
