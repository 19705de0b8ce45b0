import { setTimeout as timer } from 'node:timers/promises'
import { LogLevel, WebClient } from '@slack/web-api'
import { expect, test } from 'vitest'
import type { Fault } from '../../../src/lab/slack/faults.ts'
import type { SlackStandIn } from '../../../src/lab/slack/index.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'
import { caller } from '../../../src/surfaces/slack/outbox/call.ts'
import { outbox } from '../../../src/surfaces/slack/outbox.ts'
import { recordingLog } from './harness.ts'
import { fresh, memoryLetters } from './outbox-world.ts'

const CHANNEL = 'C0GPU'
/** Each post is done; its answer never arrives. */
const LOST: readonly Fault[] = [{ kind: 'lost' }, { kind: 'http-after', status: 500 }, { kind: 'hang-after' }]
/** The outbox' time runs so many times faster. */
const SPEED = 100

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await timer(ms / SPEED, undefined, { signal }).catch(() => undefined)
}

/** Our writer and look-ups, with less patience. */
function boxOn({ botToken, apiUrl: slackApiUrl }: SlackStandIn, timeout = 5_000) {
  const common = { slackApiUrl, rejectRateLimitedCalls: true, retryConfig: { retries: 0 }, logLevel: LogLevel.ERROR }
  const client = new WebClient(botToken, { ...common, timeout })
  return outbox({
    call: caller(client, client),
    store: memoryLetters(),
    clock: { now: Date.now, monotonic: () => performance.now() * SPEED },
    pace: async () => {},
    pause,
    log: recordingLog(),
  })
}

/** How many of the texts stand not at all, and how many more than once. */
function counted({ messages }: SlackStandIn, texts: readonly string[]) {
  const standing = messages(CHANNEL).flatMap(({ text, replies }) => [text, ...replies.map((reply) => reply.text)])
  const times = texts.map((text) => standing.filter((one) => one === text).length)
  return { lost: times.filter((n) => n === 0).length, doubled: times.filter((n) => n > 1).length }
}

test('100 posts whose answer is lost, 500 or never comes stand once each; the default client doubles them', async () => {
  const slack = await startSlack({ port: 0 })
  const box = boxOn(slack, 100)
  const texts = Array.from({ length: 100 }, (_, at) => `answer ${at}`)
  const parent = await box.add(fresh(CHANNEL, 'parent'))
  for (const [at, text] of texts.entries()) {
    slack.fault('chat.postMessage', LOST[at % LOST.length] ?? { kind: 'lost' })
    const sent = await box.add(fresh(CHANNEL, text, at % 2 === 0 ? null : parent.ok ? parent.ts : null))
    if (!sent.ok) await expect.poll(() => box.waiting().count, { timeout: 10_000 }).toBe(0)
  }
  const ours = counted(slack, texts)

  const peer = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl, logLevel: LogLevel.ERROR })
  const theirs = texts.map((text) => `peer ${text}`)
  for (const at of theirs.keys()) slack.fault('chat.postMessage', LOST[at % 2] ?? { kind: 'lost' })
  await Promise.all(theirs.map((text) => peer.chat.postMessage({ channel: CHANNEL, text })))
  const doubled = counted(slack, theirs)
  console.log(`answers lost, of 100: ours ${JSON.stringify(ours)}, default WebClient ${JSON.stringify(doubled)}`)
  await box.close(1_000)
  await slack.close()
  expect(ours).toEqual({ lost: 0, doubled: 0 })
  expect(doubled.doubled).toBe(100)
}, 30_000)

test('what was not done is done in the end, once: refused, reset, 500 and 429 before anything happens', async () => {
  const slack = await startSlack({ port: 0 })
  const box = boxOn(slack, 200)
  const before: readonly Fault[] = [
    { kind: 'reset' },
    { kind: 'http', status: 503 },
    { kind: 'hang' },
    { kind: 'error', error: 'internal_error' },
    { kind: 'error', error: 'ratelimited' },
  ]
  const texts = before.map(({ kind }, at) => `${kind} ${at}`)
  for (const [at, text] of texts.entries()) {
    slack.fault('chat.postMessage', before[at] ?? { kind: 'reset' })
    const sent = await box.add(fresh(CHANNEL, text))
    if (!sent.ok) await expect.poll(() => box.waiting().count, { timeout: 10_000 }).toBe(0)
  }
  expect(counted(slack, texts)).toEqual({ lost: 0, doubled: 0 })
  await box.close(1_000)
  await slack.close()
})

test('a bot without the scope to look says that it sends again', async () => {
  const slack = await startSlack({ port: 0, scopes: ['chat:write'] })
  const box = boxOn(slack)
  slack.fault('chat.postMessage', { kind: 'lost' })
  await box.add(fresh(CHANNEL, 'answer'))
  const all = slack.messages(CHANNEL).map(({ text }) => text)
  expect(all.slice(-2)).toEqual(['answer', 'answer\n(sent again: Slack did not say whether the first one arrived)'])
  await box.close(1_000)
  await slack.close()
})

test('a file whose answer was lost is found by its name and size', async () => {
  const slack = await startSlack({ port: 0 })
  const box = boxOn(slack)
  slack.fault('files.completeUploadExternal', { kind: 'lost' })
  const files = [{ name: 'content.txt', text: 'the whole ☃' }]
  const { place, ts, content } = fresh(CHANNEL, '')
  const sent = await box.add({ place, ts, content: { ...content, files }, message: null })
  expect(sent.ok).toBe(true)
  const standing = slack.messages(CHANNEL).flatMap((one) => one.files)
  expect(standing.map(({ name }) => name)).toEqual(['content.txt'])
  await box.close(1_000)
  await slack.close()
})
