import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../src/adapters/store-sqlite.ts'
import { attachSlack } from '../../src/app/slack.ts'
import { openApp } from '../../src/app.ts'
import { nothingSet } from '../../src/config.ts'
import type { OpenRun, Store } from '../../src/domain/store.ts'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'
import { startSlack } from '../../src/lab/slack/index.ts'
import { openAsk } from '../contract/store-inbox.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const WAITING = 'Waiting for the first token'

/** What a process left that was killed in the middle, and the next one at work. */
async function nextLife(leave: (slack: SlackStandIn, store: Store, channel: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-interrupted-'))
  const storePath = join(folder, 'pilotflame.db')
  const slack = await startSlack({ port: 0 })
  const channel = slack.channels[0]?.id ?? ''
  const before = await openStore({ path: storePath, redact: (text) => text })
  if (!before.ok) throw new Error(before.failure.observed)
  await leave(slack, before.value, channel)
  await before.value.close()
  const app = await openApp({ ...nothingSet, storePath }, log)
  if (!app.ok) throw new Error(app.failure.observed)
  const settings = { botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl }
  const attached = await attachSlack(app.value, nothingSet, settings, log)
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

test('whoever asked a process that was killed is told, alone; once, also where the run’s own message tells it', async () => {
  const { slack, channel, store } = await nextLife(async (at, before, home) => {
    const to = { channel: home, thread: null }
    const asks = [
      openAsk({ id: 'a', keys: ['a'], user: 'U0BEN', to, response: `${at.url}/no-such-response` }),
      openAsk({ id: 'b', keys: ['b'], user: 'U0ANNA', to, response: null, how: 'button' }),
      openAsk({ id: 'ran', keys: ['ran'], user: 'U0ANNA', to, response: null }),
    ]
    for (const ask of asks) await before.claim(ask.keys, Date.now(), ask)
    await before.addRun(run(home, { message: await posted(at, home, 'left'), ask: 'ran' }))
  })
  await expect.poll(() => store.openAsks(), { timeout: 8_000 }).toMatchObject({ value: [] })
  const told = slack.messages(channel).map(({ onlyFor, text }) => `${onlyFor}: ${text.slice(0, 60)}`)
  expect(told).toEqual([
    expect.stringMatching(/^null: .*Pilotflame was restarted/),
    expect.stringMatching(/^U0BEN: .*was restarted before it answered you/),
    expect.stringMatching(/^U0ANNA: .*was restarted before it answered your press/),
  ])
})
