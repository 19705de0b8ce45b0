import { expect, vi } from 'vitest'
import { follow } from '../../src/domain/verbs/index.ts'
import { valueIn } from '../adapters/tidy.ts'
import { test } from './far-test.ts'
import { verbsOver } from './verbs-over.ts'

// sshd counts the session until the command there has ended: eight followers of quiet logs would block a host for minutes
test('on a log that says nothing, the program there ends soon after we have gone', async ({ gate, box }) => {
  const verbs = verbsOver([gate.installed])
  const stop = new AbortController()
  const followers = async () => (await box.exec('pgrep -fc "[j]ournalctl.* -f" || true')).stdout.trim()
  const ended = verbs.host('installed').follow(follow, { unit: 'stopped', seconds: 600 }, () => {}, stop.signal)
  await vi.waitFor(async () => expect(Number(await followers())).toBeGreaterThan(0), 8000)
  stop.abort()
  expect(valueIn(await ended)).toMatchObject({ why: 'stopped' })
  await vi.waitFor(async () => expect(await followers()).toBe('0'), { timeout: 15_000, interval: 500 })
  await verbs.close()
})
