import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../src/adapters/store-sqlite.ts'
import { attachSlack } from '../../src/app/slack.ts'
import { openApp } from '../../src/app.ts'
import { nothingSet } from '../../src/config.ts'
import { startSlack } from '../../src/lab/slack/index.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

test('a run that a crash left open is ended in its own message at the next start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-interrupted-'))
  const storePath = join(folder, 'pilotflame.db')
  const slack = await startSlack({ port: 0 })
  const channel = slack.channels[0]?.id ?? ''
  const headers = { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ channel, text: 'Thinking: about 16 tokens' })
  const posted: unknown = await fetch(`${slack.apiUrl}chat.postMessage`, { method: 'POST', headers, body })
  expect(posted).toMatchObject({ ok: true })
  const ts = slack.messages(channel).at(-1)?.ts ?? ''

  const before = await openStore({ path: storePath, redact: (text) => text })
  if (!before.ok) throw new Error(before.failure.observed)
  const place = { channel, thread: ts }
  await before.value.addRun({ id: 'left', place, message: ts, target: 'qwen', at: 1 })
  await before.value.close()

  const config = { ...nothingSet, storePath }
  const app = await openApp(config, log)
  if (!app.ok) throw new Error(app.failure.observed)
  const { store } = app.value
  const settings = { botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl }
  const attached = await attachSlack(app.value, config, settings, log)
  expect(attached.ok).toBe(true)
  await slack.until(() => slack.messages(channel).at(-1)?.text.includes('Pilotflame was restarted'))
  expect(slack.messages(channel).at(-1)?.ts).toBe(ts)
  await expect.poll(() => store.openRuns()).toMatchObject({ value: [] })
  if (attached.ok) await attached.value.stop()
  await app.value.close()
  await slack.close()
  await rm(folder, { recursive: true })
})
