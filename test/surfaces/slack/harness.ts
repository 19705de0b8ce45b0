import { openWire } from '../../../src/adapters/http-web-socket.ts'
import type { Ask } from '../../../src/domain/ask.ts'
import type { Conversation } from '../../../src/domain/conversation.ts'
import { ok } from '../../../src/domain/outcome.ts'
import type { Log } from '../../../src/domain/ports.ts'
import { report } from '../../../src/domain/report.ts'
import { slashIn } from '../../../src/domain/slash.ts'
import type { Button } from '../../../src/domain/store.ts'
import type { SlackStandIn } from '../../../src/lab/slack/index.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'
import type { SlackOptions, SlackSurface } from '../../../src/surfaces/slack/index.ts'
import { slackSurface } from '../../../src/surfaces/slack/index.ts'
import { scopesFor } from '../../../src/surfaces/slack/scopes.ts'

export interface Line {
  readonly level: keyof Log
  readonly message: string
  readonly data: Readonly<Record<string, unknown>> | undefined
}

/** A log that remembers, and tells that it grew. */
export function recordingLog(onLine: () => void = () => {}): Log & { readonly lines: readonly Line[] } {
  const lines: Line[] = []
  const at = (level: keyof Log) => (message: string, data?: Readonly<Record<string, unknown>>) => {
    lines.push({ level, message, data })
    onLine()
  }
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

let ahead = 0
const clock = { now: () => Date.now(), monotonic: () => performance.now() + ahead }

/** Lets so many ms pass for whoever asks the surface's clock. */
export function later(ms: number): void {
  ahead += ms
}

type Answer = (ask: Ask, talk: Conversation) => Promise<unknown>

export interface Bot extends AsyncDisposable {
  readonly slack: SlackStandIn
  readonly surface: SlackSurface
  readonly asks: readonly Ask[]
  readonly log: ReturnType<typeof recordingLog>
  readonly buttons: Map<string, Button>
  /** Waits until it is so, looking again after every ask and log line. */
  until(isSo: () => boolean): Promise<void>
}

/**
 * The surface on the stand-in Slack, started. `answer` stands for the house behind it; `lacking` names scopes that the
 * token has not.
 */
export async function startBot(
  answer: Answer,
  other: Partial<SlackOptions> = {},
  lacking: readonly string[] = [],
): Promise<Bot> {
  // Exactly the scopes of the manifest: a call that needs another one fails here.
  const { mentionsOnly = false, groups = false, readFiles = false } = other
  const scopes = scopesFor({ mentionsOnly, groups, readFiles }).filter((scope) => !lacking.includes(scope))
  const slack = await startSlack({ port: 0, scopes })
  const waiting = new Set<() => void>()
  const ring = () => {
    for (const look of waiting) look()
  }
  const log = recordingLog(ring)
  const asks: Ask[] = []
  const buttons = new Map<string, Button>()
  const surface = slackSurface({ ...house(slack, log, buttons), handle: record(asks, answer, ring), ...other })
  const started = await surface.start()
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  return {
    slack,
    surface,
    asks,
    log,
    buttons,
    until(isSo) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = () => {
        if (isSo()) resolve()
      }
      waiting.add(look)
      look()
      return promise.finally(() => waiting.delete(look))
    },
    async [Symbol.asyncDispose]() {
      await surface.stop()
      await slack.close()
    },
  }
}

function record(asks: Ask[], answer: Answer, ring: () => void): SlackOptions['handle'] {
  return async (ask, talk) => {
    asks.push(ask)
    ring()
    await answer(ask, talk)
  }
}

/** Everything that the surface wants besides `handle`. */
export function house(
  slack: Pick<SlackStandIn, 'apiUrl' | 'botToken' | 'appToken'>,
  log: Log,
  buttons: ReadonlyMap<string, Button> = new Map(),
): Omit<SlackOptions, 'handle'> {
  const seen = new Set<string>()
  return {
    settings: { botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl },
    slash: slashIn({ prefix: '', aliases: {} }),
    mentionsOnly: false,
    groups: false,
    welcome: async () => report({ tone: 'neutral', status: 'done', title: 'Hello.' }),
    channels: [],
    button: async (id) => ok(buttons.get(id) ?? null),
    refused: async () => {},
    claim: async (keys) => allNew(keys, seen),
    keepAsk: async () => {},
    settle: async () => {},
    unanswered() {},
    pace: async () => {},
    openWire,
    abilities: { read: async () => null, write: async () => {} },
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
    log,
    clock,
  }
}

/** Whether none of the keys was seen; from now on all are. */
export function allNew(keys: readonly string[], seen: Set<string>): boolean {
  const before = seen.size
  for (const key of keys) seen.add(key)
  return seen.size === before + keys.length
}

/** What dispatch gives: a new id for each line. */
export function offers(buttons: Map<string, Button>, expires = Number.MAX_SAFE_INTEGER) {
  return async ({ line }: { readonly line: string }): Promise<string> => {
    const id = `b${buttons.size + 1}`
    buttons.set(id, {
      id,
      line,
      attempt: 'attempt-1',
      place: { channel: 'C', thread: null },
      once: false,
      at: 0,
      expires,
    })
    return id
  }
}
