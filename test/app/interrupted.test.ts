import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../src/adapters/store-sqlite.ts'
import { attachSlack } from '../../src/app/slack.ts'
import { openApp } from '../../src/app.ts'
import { nothingSet } from '../../src/config.ts'
import type { Config } from '../../src/domain/config.ts'
import type { Letter } from '../../src/domain/letter.ts'
import type { OpenRun, Store } from '../../src/domain/store.ts'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'
import { startSlack } from '../../src/lab/slack/index.ts'
import { openAsk } from '../contract/store-inbox.ts'
import { plan } from '../contract/store-plans.ts'
import { operation } from './left-change.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const WAITING = 'Waiting for the first token'

/** What a process left that was killed in the middle, and the next one at work. */
async function nextLife(
  leave: (slack: SlackStandIn, store: Store, channel: string) => Promise<void>,
  given: Partial<Config> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-interrupted-'))
  const storePath = join(folder, 'pilotflame.db')
  const slack = await startSlack({ port: 0 })
  const channel = slack.channels[0]?.id ?? ''
  const before = await openStore({ path: storePath, redact: (text) => text })
  if (!before.ok) throw new Error(before.failure.observed)
  await leave(slack, before.value, channel)
  await before.value.close()
  const config = { ...nothingSet, storePath, ...given }
  const app = await openApp(config, log)
  if (!app.ok) throw new Error(app.failure.observed)
  const settings = { botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl }
  const attached = await attachSlack(app.value, config, settings, log)
  if (!attached.ok) throw new Error(attached.failure.observed)
  onTestFinished(async () => {
    await attached.value.stop()
    await app.value.close()
    await slack.close()
    await rm(folder, { recursive: true })
  })
  return { slack, channel, store: app.value.store }
}

/** A message of the bot as its outbox posts it, under the id of a letter. */
async function posted(slack: SlackStandIn, channel: string, letter: string): Promise<string> {
  const metadata = { event_type: 'pilotflame', event_payload: { letter } }
  const headers = { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ channel, text: WAITING, metadata })
  await fetch(`${slack.apiUrl}chat.postMessage`, { method: 'POST', headers, body })
  return slack.messages(channel).at(-1)?.ts ?? ''
}

function run(channel: string, given: Partial<OpenRun>): OpenRun {
  return { id: 'left', place: { channel, thread: null }, message: null, target: 'qwen', at: Date.now(), ...given }
}

test('a run that a crash left open is ended in its own message at the next start', async () => {
  let ts = ''
  const { slack, channel, store } = await nextLife(async (at, before, home) => {
    ts = await posted(at, home, 'other')
    await before.addRun(run(home, { message: ts }))
  })
  await slack.until(() => slack.messages(channel).at(-1)?.text.includes('Pilotflame was restarted'))
  expect(slack.messages(channel).at(-1)?.ts).toBe(ts)
  await expect.poll(() => store.openRuns()).toMatchObject({ value: [] })
})

test('one that was killed before it heard that its message stands finds it by the run’s own id', async () => {
  const { slack, channel, store } = await nextLife(async (at, before, home) => {
    await posted(at, home, 'left')
    await before.addRun(run(home, {}))
  })
  await slack.until(() => slack.messages(channel).at(-1)?.text.includes('Pilotflame was restarted'))
  expect(slack.messages(channel)).toHaveLength(1)
  await expect.poll(() => store.openRuns()).toMatchObject({ value: [] })
})

test('one whose message never stood leaves nothing behind', async () => {
  const { slack, channel, store } = await nextLife(async (_, before, home) => {
    await before.addRun(run(home, {}))
  })
  await expect.poll(() => store.openRuns()).toMatchObject({ value: [] })
  expect(slack.messages(channel)).toEqual([])
})

test('a plan that expired while no process ran loses its buttons at the next start', async () => {
  let ts = ''
  const { slack, channel, store } = await nextLife(async (at, before, home) => {
    ts = await posted(at, home, 'plan')
    // a day ago, so also after the start has pruned
    const then = Date.now() - 86_400_000
    await before.addPlan(plan({ place: { channel: home, thread: null }, at: then, expires: then + 300_000 }))
    await before.placePlan('p1', ts)
  })
  const said = 'Restart qwen: expired, since nobody approved it within 5 min. Nothing was done.'
  await slack.until(() => slack.messages(channel).at(-1)?.text.includes(said))
  expect(slack.messages(channel).map((one) => one.ts)).toEqual([ts])
  await expect.poll(() => store.expiredPlans(Date.now())).toMatchObject({ value: [] })
})

test('whoever asked a process that was killed is told, alone; once, also where the run’s own message tells it', async () => {
  const { slack, channel, store } = await nextLife(async (slackBefore, before, home) => {
    const [to, at] = [{ channel: home, thread: null }, Date.now()]
    const asks = [
      openAsk({ id: 'a', keys: ['a'], user: 'U0BEN', to, at }),
      openAsk({ id: 'b', keys: ['b'], user: 'U0ANNA', to, how: 'button', at }),
      openAsk({ id: 'ran', keys: ['ran'], user: 'U0ANNA', to, at }),
    ]
    for (const ask of asks) await before.claim(ask.keys, Date.now(), ask)
    await before.addRun(run(home, { message: await posted(slackBefore, home, 'left'), ask: 'ran' }))
  })
  await slack.until(() => slack.messages(channel).length === 3)
  await expect.poll(() => store.openAsks()).toMatchObject({ value: [] })
  const told = slack.messages(channel).map(({ onlyFor, text }) => `${onlyFor}: ${text.slice(0, 90)}`)
  expect(told).toEqual([
    expect.stringMatching(/^null: .*Pilotflame was restarted/),
    expect.stringMatching(/^U0BEN: .*was restarted and may not have answered you/),
    expect.stringMatching(/^U0ANNA: .*was restarted and may not have answered your/),
  ])
})

test('a run whose message is gone is not tried at every start, and whoever asked is told alone', async () => {
  const { slack, channel, store } = await nextLife(async (_, before, home) => {
    const ask = openAsk({ user: 'U0BEN', to: { channel: home, thread: null }, at: Date.now() })
    await before.claim(ask.keys, Date.now(), ask)
    await before.addRun(run(home, { message: '1.000001', ask: ask.id }))
  })
  await expect.poll(() => store.openRuns()).toMatchObject({ value: [] })
  await slack.until(() => slack.messages(channel).length > 0)
  expect(slack.messages(channel)).toMatchObject([{ onlyFor: 'U0BEN' }])
})

test.each([
  [71, 1],
  [73, 0],
])('whoever asked %i h ago is told by %i message', async (hours, messages) => {
  const { slack, channel, store } = await nextLife(async (_, before, home) => {
    const at = Date.now() - hours * 3_600_000
    const ask = openAsk({ user: 'U0BEN', to: { channel: home, thread: null }, at })
    await before.claim(ask.keys, at, ask)
  })
  await expect.poll(() => store.openAsks()).toMatchObject({ value: [] })
  await expect.poll(() => slack.messages(channel).length).toBe(messages)
})

test('a run whose message a change took over is told of by the change alone', async () => {
  const { slack, channel, store } = await nextLife(async (at, before, home) => {
    const message = await posted(at, home, 'plan')
    await before.addRun(run(home, { message }))
    await before.addOperation(operation({ place: { channel: home, thread: message }, message, host: null }))
  })
  await slack.until(() => slack.messages(channel).at(-1)?.text.includes('outcome unknown'))
  await expect.poll(() => store.openOperations()).toMatchObject({ value: [] })
  expect(await store.openRuns()).toMatchObject({ value: [] })
  expect(slack.messages(channel).map(({ text }) => text)).toEqual([expect.stringContaining('outcome unknown')])
})

test.each([
  ['that has no message', null],
  ['whose message is gone', '1.000001'],
])('how a change ended %s is said where it was asked for', async (_, message) => {
  const { slack, channel, store } = await nextLife(async (_slack, before, home) => {
    await before.addOperation(operation({ place: { channel: home, thread: null }, message, host: null }))
  })
  await expect.poll(() => store.openOperations()).toMatchObject({ value: [] })
  expect(slack.messages(channel)).toMatchObject([{ onlyFor: null, text: expect.stringContaining('outcome unknown') }])
})

test('what a change held is freed while Slack makes an apology wait', async () => {
  const { slack, channel, store } = await nextLife(async (at, before, home) => {
    const [op, to] = [
      operation({ place: { channel: home, thread: null }, message: null }),
      { channel: home, thread: null },
    ]
    const ask = openAsk({ user: 'U0BEN', to, at: Date.now() })
    await before.claim(ask.keys, Date.now(), ask)
    await before.addOperation(op)
    const on = { kind: 'target', name: 'qwen' } as const
    await before.takeLock({ on, owner: op.person, reason: 'Restart qwen', channel: 'C0GPU', at: 5, operation: op.id })
    at.fault('chat.postEphemeral', { kind: 'rate-limited', retryAfter: 30 })
  })
  await expect.poll(() => store.locks(), { timeout: 5_000 }).toMatchObject({ value: [] })
  await slack.until(() => slack.messages(channel).length > 0)
  expect(slack.messages(channel)).toMatchObject([{ onlyFor: null }])
})

test('with keep.prompts 0 nothing of an earlier process waits on disk any more', async () => {
  const { store } = await nextLife(
    async (_, before, home) => {
      const letter: Letter = {
        id: 'l',
        place: { channel: home, thread: null },
        ts: null,
        content: '{"text":"xyzzy"}',
        title: 't',
        at: Date.now() - 1,
        sentAt: null,
      }
      const page = { title: 'xyzzy', tables: [] }
      await before.addLetter(letter)
      await before.addPage({ id: 'p', report: page, at: Date.now() - 1, expires: Date.now() + 3_600_000 })
    },
    { keep: { ...nothingSet.keep, promptsMs: 0 } },
  )
  expect(await store.letters()).toMatchObject({ value: [] })
  expect(await store.page('p')).toMatchObject({ value: null })
})

test('whoever this process could not answer is told 2 s later, alone, and the ask is kept until then', async () => {
  const { slack, channel, store } = await nextLife(async () => {})
  slack.fault('chat.postMessage', { kind: 'error', error: 'restricted_action' }, 9)
  slack.fault('chat.postEphemeral', { kind: 'http', status: 503 }, 2)
  const { ts } = slack.mention('whoami')
  await expect
    .poll(() => store.openAsks(), { timeout: 5_000 })
    .toMatchObject({ value: [{ id: `event:${channel}:${ts}` }] })
  const alone = () => slack.messages(channel).filter(({ onlyFor }) => onlyFor !== null)
  await slack.until(() => alone().length > 0)
  expect(alone()).toMatchObject([{ onlyFor: 'U0ANNA', text: expect.stringContaining('may not have answered you') }])
  await expect.poll(() => store.openAsks()).toMatchObject({ value: [] })
})

const change = {
  title: 'Restart looper',
  command: 'sglang restart',
  person: { team: 'T0DEMO', id: 'U0ANNA', name: 'anna' },
  reason: 'new weights',
}

test('a change that was confirmed and not begun: its message says that it was not done, and the audit has that end', async () => {
  let ts = ''
  const { slack, channel, store } = await nextLife(async (at, before, home) => {
    ts = await posted(at, home, 'left')
    await before.addRun(run(home, { message: ts, target: 'looper', change }))
  })
  await slack.until(() => slack.messages(channel).at(-1)?.text.includes('not done'))
  const message = JSON.stringify(slack.messages(channel).at(-1))
  expect(message).toContain('Restart looper: not done. Pilotflame was restarted before it began.')
  expect(message).toContain('Asked by anna (U0ANNA). Reason: “new weights”.')
  expect(message).toContain('Next: ask again.')
  await expect.poll(() => store.openRuns()).toMatchObject({ value: [] })
  expect(await store.audits(10)).toMatchObject({
    value: [
      {
        person: { team: 'T0DEMO', id: 'U0ANNA' },
        ...{ command: 'sglang restart', target: 'looper', decision: 'refused' },
        result: 'not done: Pilotflame was restarted before it began',
      },
    ],
  })
})

test.each([
  ['in the same message', { message: 'same' }],
  ['without a message', { message: null }],
])('one that was recorded is told by its record alone, %s', async (_, given) => {
  const { store } = await nextLife(async (at, before, home) => {
    const ts = await posted(at, home, 'left')
    const message = given.message === null ? null : ts
    await before.addRun(run(home, { message, target: 'looper', change, at: 1_000 }))
    const place = { channel: home, thread: null }
    await before.addOperation(operation({ target: 'looper', host: null, unit: null, place, message, at: 2_000 }))
  })
  await expect.poll(() => store.openRuns()).toMatchObject({ value: [] })
  expect(JSON.stringify(await store.audits(10))).not.toContain('before it began')
})
