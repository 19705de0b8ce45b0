import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '../../src/app.ts'
import { openApp } from '../../src/app.ts'
import type { Ask } from '../../src/domain/ask.ts'
import type { Config } from '../../src/domain/config.ts'
import type { Conversation } from '../../src/domain/conversation.ts'
import type { Report } from '../../src/domain/report.ts'
import type { Lab } from '../../src/lab/index.ts'
import { startLab } from '../../src/lab/index.ts'

const THREAD = { channel: 'C0GPU', thread: '1700000000.000100' }
const log = { debug() {}, info() {}, warn() {}, error() {} }
let folder = ''
let lab: Lab
const open: App[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pilotflame-restart-'))
  lab = await startLab({ tokensPerSecond: 2000 })
})
afterAll(async () => {
  for (const app of open) await app.close()
  await lab.close()
  await rm(folder, { recursive: true })
})

function config(): Config {
  const channels = [{ id: 'C0GPU', targets: [], target: null }]
  const keep = { promptsMs: 86_400_000, attemptsMs: 86_400_000 }
  const people = {
    roles: { admins: [], operators: [], adminGroups: [], operatorGroups: [] },
    slash: { prefix: '', aliases: {} },
    mentionsOnly: false,
    readFiles: false,
    channels,
    slack: null,
    secrets: [],
    taught: [],
  }
  return { ...people, keep, targets: lab.targets, hosts: lab.hosts, storePath: join(folder, 'pilotflame.db') }
}

async function boot(): Promise<App> {
  const app = await openApp(config(), log)
  if (!app.ok) throw new Error(app.failure.observed)
  open.push(app.value)
  return app.value
}

/** Says a line in the thread and gives the answer with the ids of its buttons. */
async function say(app: App, text: string, how: Partial<Ask> = {}) {
  const buttons = new Map<string, string>()
  let answer: Report | null = null
  const talk: Conversation = {
    to: THREAD,
    pressed: null,
    begin: async () => ({ place: THREAD, message: THREAD.thread }),
    update() {},
    async end(report, offer) {
      answer = report
      for (const action of report.actions) buttons.set(action.label, (await offer(action)) ?? '')
      return null
    },
  }
  const person = { team: 'T0', id: 'U0ANNA', name: 'Anna', kind: 'member' } as const
  const said = { form: 'plain', word: null, text } as const
  const ask: Ask = { id: text, how: 'mention', said, person, place: THREAD, attempt: null, at: Date.now(), ...how }
  await app.dispatcher.handle(ask, talk)
  const told = answer as Report | null
  return { title: told?.title ?? '', json: told?.json, buttons }
}

test('thread, results and buttons survive a restart', async () => {
  const before = await boot()
  const first = await say(before, 'smoke "Say hello" --target qwen')
  expect(first.title).toContain('Healthy')
  await before.close()
  open.pop()

  const after = await boot()
  const raw = await say(after, 'raw')
  expect(raw.title).toBe('Raw exchange of attempt 1 on qwen')
  const kept = await after.store.button(first.buttons.get('Thinking off') ?? '')
  const button = kept.ok ? kept.value : null
  const again = await say(after, button?.line ?? '', { how: 'button', attempt: button?.attempt ?? null })
  expect(again.title).toContain('Attempt 2: Healthy')
  expect(again.json).toMatchObject({ target: 'qwen', completion: { reasoning: null } })
  const retried = await say(after, 'retry max_tokens=64')
  expect(retried.json).toMatchObject({ target: 'qwen', completion: { budget: 64 } })
})

test('a second process on the same store is refused, and told who holds it', async () => {
  const second = await openApp(config(), log)
  expect(second).toMatchObject({
    ok: false,
    failure: { kind: 'busy', observed: expect.stringContaining(String(process.pid)) },
  })
})
