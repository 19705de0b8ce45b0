import { expect, test } from 'vitest'
import { report } from '../../../src/domain/report.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'
import { sorry } from '../../../src/surfaces/slack/deliver.ts'
import { written } from '../../../src/surfaces/slack/escape.ts'
import { slackSurface } from '../../../src/surfaces/slack/index.ts'
import { refusalIn } from '../../../src/surfaces/slack/refusal.ts'
import { house, offers, recordingLog, startBot } from './harness.ts'
import { memoryLetters } from './outbox-world.ts'
import { healthy } from './reports.ts'

const KEPT_MS = 72 * 3_600_000

test('an answer that Slack could not be given is posted by the next process, verdict and details in their places', async () => {
  const store = memoryLetters()
  const letters = { store, keptMs: KEPT_MS }
  await using bot = await startBot((_, talk) => talk.end(healthy, offers(bot.buttons)), { letters })
  bot.slack.fault('chat.postMessage', { kind: 'http', status: 503 }, 1_000)
  const { ts } = bot.slack.mention('smoke hello')
  await bot.slack.until(() => bot.slack.calls().some(({ method }) => method === 'chat.postMessage'))
  await bot.surface.stop()
  expect(bot.slack.messages()[0]?.replies).toEqual([])
  expect(store.rows.size).toBeGreaterThan(0)

  bot.slack.heal()
  const next = slackSurface({ ...house(bot.slack, recordingLog()), letters, handle: async () => {} })
  await next.start()
  const answered = await bot.slack.until(() => bot.slack.messages().find(({ replies }) => replies.length > 0))
  expect(answered.ts).toBe(ts)
  expect(answered.replies[0]?.text).toContain('Healthy. The model answered.')
  await next.stop()
  expect(store.rows.size).toBe(0)
})

test('a run that was interrupted says so, unless its verdict waits', async () => {
  const slack = await startSlack({ port: 0 })
  const store = memoryLetters()
  const surface = slackSurface({
    ...house(slack, recordingLog()),
    letters: { store, keptMs: KEPT_MS },
    handle: async () => {},
  })
  const headers = { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ channel: 'C0GPU', text: 'Thinking' })
  await fetch(`${slack.apiUrl}chat.postMessage`, { method: 'POST', headers, body })
  const ts = slack.messages('C0GPU').at(-1)?.ts ?? ''
  const at = { channel: 'C0GPU', ts }
  await store.addLetter({
    id: 'verdict',
    place: { channel: 'C0GPU', thread: null },
    ts,
    content: JSON.stringify({ text: 'Healthy', blocks: [], files: [], over: false, under: null, digest: false }),
    title: 'Healthy',
    at: Date.now(),
    sentAt: null,
  })
  slack.fault('chat.update', { kind: 'rate-limited', retryAfter: 1 })
  await surface.start()
  expect(await surface.amend(at, report({ tone: 'warning', status: 'done', title: 'Could not tell.' }))).toBe('told')
  await expect.poll(() => store.rows.size, { timeout: 5_000 }).toBe(0)
  expect(slack.messages('C0GPU').at(-1)?.text).toBe('Healthy')
  expect(await surface.amend(at, report({ tone: 'warning', status: 'done', title: 'Could not tell.' }))).toBe('told')
  expect(slack.messages('C0GPU').at(-1)?.text).toContain('Could not tell.')
  await surface.stop()
  await slack.close()
})

test.each([
  ['not_in_channel', '/invite @pf'],
  ['channel_not_found', '/invite @pf'],
  ['is_archived', 'Settings → Unarchive channel, then /invite @pf'],
  ['missing_scope', 'Bot Token Scopes: add chat:write, then Reinstall to Workspace'],
  ['restricted_action', 'Channel posting permissions and lets @pf post'],
  ['restricted_action_thread_only_channel', 'ask in a thread by @pf'],
  ['token_revoked', 'Reinstall to Workspace, set SLACK_BOT_TOKEN anew'],
  ['outbox_full', 'pilotflame doctor'],
  ['constructor', 'ask again, or see the bot’s log'],
])('a refusal (%s) names the click that mends it', (code, click) => {
  const said = written(sorry(refusalIn(code, { needed: 'chat:write' }), 'pf').text)
  expect(said).toContain('only you see')
  expect(said.split('Next: ')[1]).toContain(click)
})
