import { setTimeout as sleep } from 'node:timers/promises'
import { App, LogLevel } from '@slack/bolt'
import { openWire } from '../../../src/adapters/http-web-socket.ts'
import { report } from '../../../src/domain/report.ts'
import { slashIn } from '../../../src/domain/slash.ts'
import type { DisconnectReason } from '../../../src/lab/slack/faults.ts'
import type { SlackStandIn } from '../../../src/lab/slack/index.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'
import { slackSurface } from '../../../src/surfaces/slack/index.ts'
import type { SocketTimes } from '../../../src/surfaces/slack/receiver.ts'
import { allNew } from './harness.ts'

/** What became of commands that were given while Slack refreshed connections. */
export interface Tally {
  readonly given: number
  readonly refreshes: number
  /** not acknowledged in time: Slack shows an error */
  readonly lost: number
  /** ran more than once */
  readonly doubled: number
}

export interface Party {
  readonly slack: SlackStandIn
  /** the commands that ran, by their text */
  readonly ran: readonly string[]
  stop(): Promise<void>
}

interface Plan {
  readonly commands: number
  readonly everyMs: number
  /** a connection is refreshed after so many commands */
  readonly refreshEvery: number
}

/** Slack delivers each so-manieth command twice. */
const REDELIVERED = 5
const HOW: readonly DisconnectReason[] = ['refresh_requested', 'warning', 'drop', 'half-open']

/**
 * Gives commands at an even pace while each connection of the party is refreshed in its turn; between two commands,
 * since what is on its way when TCP breaks is lost for everybody.
 */
export async function throughRefreshes({ slack, ran }: Party, plan: Plan): Promise<Tally> {
  const { commands, everyMs, refreshEvery } = plan
  const connections = slack.connections()
  const acks: Promise<boolean>[] = []
  const from = performance.now()
  const until = (turns: number) => sleep(Math.max(0, from + turns * everyMs - performance.now()))
  let refreshes = 0
  for (let n = 0; n < commands; n += 1) {
    if (n % REDELIVERED === 0) slack.trouble({ kind: 'twice', on: 'other', when: 'at-once' })
    acks.push(slack.slash('/smoke', `command ${n}`).then(({ ok }) => ok))
    await until(n + 0.5)
    // a party that has not got over the last one is spared
    if (n % refreshEvery === refreshEvery - 1 && slack.connections() === connections) {
      slack.disconnect(HOW[refreshes % HOW.length] ?? 'drop', 0)
      refreshes += 1
    }
    await until(n + 1)
  }
  const all = await Promise.all(acks)
  const doubled = ran.length - new Set(ran).size
  return { given: commands, refreshes, lost: all.filter((ok) => !ok).length, doubled }
}

/** Bolt as its documents start it: one connection, which it reopens itself. */
export async function singleClient(): Promise<Party> {
  const slack = await startSlack({ port: 0 })
  const ran: string[] = []
  const app = new App({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.apiUrl },
    logger: {
      ...console,
      debug() {},
      info() {},
      warn() {},
      error() {},
      getLevel: () => LogLevel.ERROR,
      setLevel() {},
      setName() {},
    },
  })
  app.command('/smoke', async ({ ack, body }) => {
    await ack()
    ran.push(body.text)
  })
  app.error(async () => {})
  await app.start()
  return { slack, ran, stop: async () => void (await Promise.all([app.stop(), slack.close()])) }
}

/** Our surface with both connections. */
export async function twoSockets(times: Partial<SocketTimes>): Promise<Party> {
  const slack = await startSlack({ port: 0 })
  const ran: string[] = []
  const seen = new Set<string>()
  const silent = () => {}
  const surface = slackSurface({
    settings: { botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl },
    slash: slashIn({ prefix: '', aliases: {} }),
    mentionsOnly: false,
    groups: false,
    welcome: async () => report({ tone: 'neutral', status: 'done', title: 'Hello.' }),
    channels: [],
    refused: async () => {},
    handle: async ({ said }) => void ran.push(said.form === 'plain' ? said.text : ''),
    button: async () => ({ ok: true, value: null }),
    claim: async (keys) => allNew(keys, seen),
    keepAsk: async () => {},
    settle: async () => {},
    unanswered() {},
    pace: async () => {},
    openWire,
    abilities: { read: async () => null, write: async () => {} },
    redact: String,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    times,
  })
  const started = await surface.start()
  if (!started.ok) throw new Error(started.failure.observed)
  await slack.until(() => slack.connections() === 2)
  return { slack, ran, stop: async () => void (await surface.stop().then(slack.close)) }
}
