import { WebClient } from '@slack/web-api'
import { expect, test } from 'vitest'
import { slackChecks } from '../../../src/surfaces/slack/checks.ts'
import type { Waiting } from '../../../src/surfaces/slack/outbox.ts'

test.each([
  [null, 'skipped', 'the bot does not run in this process'],
  [{ count: 0, oldestMs: null, refusal: 'ECONNRESET' }, 'ok', 'no message waits'],
  [{ count: 1, oldestMs: 12_000, refusal: null }, 'ok', '1 message waits, the oldest for 12 s'],
  [{ count: 3, oldestMs: 720_000, refusal: null }, 'warning', '3 messages wait, the oldest for 720 s'],
  [
    { count: 3, oldestMs: 720_000, refusal: 'HTTP 503' },
    'warning',
    '3 messages wait, the oldest for 720 s; Slack’s last refusal: HTTP 503',
  ],
] satisfies readonly [Waiting | null, string, string][])(
  'doctor tells what waits for Slack: %o',
  async (waiting, state, saw) => {
    const client = new WebClient('xoxb-none')
    const needs = { botToken: '', appToken: '', apiUrl: '', channels: [], mentionsOnly: false, groups: false }
    const checks = slackChecks({
      ...needs,
      lookups: client,
      appClient: client,
      sockets: () => null,
      waiting: () => waiting,
    })
    const outbox = checks.find(({ name }) => name === 'Slack: outbox')
    expect(await outbox?.run(AbortSignal.timeout(1_000))).toMatchObject({ state, saw })
  },
)
