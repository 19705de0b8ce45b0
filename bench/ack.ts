import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { App, LogLevel } from '@slack/bolt'
import bolt from '@slack/bolt/package.json' with { type: 'json' }
import { createParser } from 'eventsource-parser'
import { openWire } from '../src/adapters/http-web-socket.ts'
import { openStore } from '../src/adapters/store-sqlite.ts'
import { once } from '../src/app/once.ts'
import { report } from '../src/domain/report.ts'
import { slashIn } from '../src/domain/slash.ts'
import type { SlackStandIn } from '../src/lab/slack/index.ts'
import { startSlack } from '../src/lab/slack/index.ts'
import { slackSurface } from '../src/surfaces/slack/index.ts'
import { print } from './measure.ts'

/** Rows 17 and 18: how soon a slash command is acknowledged, with its store on disk, idle and while 200 streams run. */

const ROUNDS = 9
const DROPPED = 2
const COMMANDS = 400
const STREAMS = 200
const TOKENS_A_SECOND = 50

const empty = await emptyBoltApp()
const ours = await pilotflame()
const rounds: Record<'empty' | 'idle' | 'busy', number>[] = []
let tokens = 0
for (let round = 0; round < ROUNDS + DROPPED; round += 1) {
  const idlePeer = await p99(empty.slack)
  const idle = await p99(ours.slack)
  const load = streams()
  const busy = await p99(ours.slack)
  tokens = load.stop()
  if (round >= DROPPED) rounds.push({ empty: idlePeer, idle, busy })
}
await Promise.all([empty.stop(), ours.stop()])
print(
  '17 ack p99 / empty Bolt app',
  rounds.map(({ idle, empty: peer }) => idle / peer),
  ['<=', 2],
)
print(
  '18 ack p99 with 200 streams / idle',
  rounds.map(({ busy, idle }) => busy / idle),
  ['<=', 3],
)
print(
  '   ack p99, idle, ms',
  rounds.map(({ idle }) => idle),
  ['<=', 100],
)
print(
  '   ack p99, 200 streams, ms',
  rounds.map(({ busy }) => busy),
  ['<=', 100],
)
console.log(
  `   streams delivered ${tokens.toLocaleString('en-US')} tokens/s; node ${process.version}, bolt ${bolt.version}`,
)
process.exit(0)

interface Party {
  readonly slack: SlackStandIn
  stop(): Promise<void>
}

async function emptyBoltApp(): Promise<Party> {
  const slack = await startSlack({ port: 0 })
  const app = new App({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.apiUrl },
  })
  app.command('/smoke', async ({ ack }) => ack())
  await app.start()
  return { slack, stop: async () => void (await app.stop()) }
}

async function pilotflame(): Promise<Party> {
  const slack = await startSlack({ port: 0 })
  const silent = () => {}
  const log = { debug: silent, info: silent, warn: console.warn, error: console.error }
  const clock = { now: () => Date.now(), monotonic: () => performance.now() }
  // as in the product, what was said is on disk before Slack hears that it arrived
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-bench-'))
  const opened = await openStore({ path: join(folder, 'pilotflame.db'), redact: String })
  if (!opened.ok) throw new Error(opened.failure.observed)
  const store = opened.value
  const surface = slackSurface({
    settings: { botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl },
    slash: slashIn({ prefix: '', aliases: {} }),
    mentionsOnly: false,
    groups: false,
    welcome: async () => report({ tone: 'neutral', status: 'done', title: 'Hello.' }),
    channels: [],
    handle: async () => {},
    refused: async () => {},
    button: async () => ({ ok: true, value: null }),
    ...once(store, clock, log),
    unanswered() {},
    pace: async () => {},
    openWire,
    abilities: { read: async () => null, write: async () => {} },
    redact: (text) => text,
    log,
    clock,
  })
  const started = await surface.start()
  if (!started.ok) throw new Error(started.failure.observed)
  return {
    slack,
    async stop() {
      await surface.stop()
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** The 99th percentile of the acknowledgements of COMMANDS commands, 2 ms apart, in ms. */
async function p99(slack: SlackStandIn): Promise<number> {
  const times: number[] = []
  for (let sent = 0; sent < COMMANDS; sent += 1) {
    const ack = await slack.slash('/smoke', '"Say hello"')
    if (!ack.ok) throw new Error(ack.error)
    times.push(ack.ms)
    await sleep(2)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(COMMANDS * 0.99)] ?? Number.NaN
}

/** 200 streams of model output through an SSE parser; `stop` gives the tokens a second that were really delivered. */
function streams(): { stop(): number } {
  let delivered = 0
  const began = performance.now()
  const event = `data: ${JSON.stringify({ choices: [{ delta: { content: 'word ' }, finish_reason: null }] })}\n\n`
  const timers = Array.from({ length: STREAMS }, () => {
    const parser = createParser({
      onEvent: ({ data }) => {
        JSON.parse(data)
        delivered += 1
      },
    })
    return setInterval(() => parser.feed(event), 1000 / TOKENS_A_SECOND)
  })
  return {
    stop() {
      for (const timer of timers) clearInterval(timer)
      const rate = Math.round((delivered * 1000) / (performance.now() - began))
      if (rate < STREAMS * TOKENS_A_SECOND * 0.7) throw new Error(`only ${rate} tokens/s were delivered`)
      return rate
    },
  }
}
