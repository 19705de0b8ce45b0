import type { ReceiverEvent } from '@slack/bolt'
import { App } from '@slack/bolt'
import type { Ask } from '../../../src/domain/ask.ts'
import { ok } from '../../../src/domain/outcome.ts'
import { report } from '../../../src/domain/report.ts'
import { slashIn } from '../../../src/domain/slash.ts'
import type { Button } from '../../../src/domain/store.ts'
import { written } from '../../../src/surfaces/slack/escape.ts'
import { listen } from '../../../src/surfaces/slack/listen.ts'
import type { Message } from '../../../src/surfaces/slack/pages.ts'
import type { Post } from '../../../src/surfaces/slack/post.ts'
import { recordingLog } from './harness.ts'

export const BOT = 'U000BOT'

/** What came of the payloads: asks for the house, and words for a person. */
export interface Came {
  readonly asks: readonly Ask[]
  readonly told: readonly string[]
  /** how often Slack got its acknowledgement */
  readonly acks: number
  readonly errors: readonly string[]
}

/** Payloads through Bolt and our listener, in their order; nothing is on a network. */
export async function delivered(payloads: readonly object[]): Promise<Came> {
  const [asks, told, errors]: [Ask[], string[], string[]] = [[], [], []]
  let acks = 0
  const log = recordingLog()
  const app = new App({
    receiver: { init() {}, async start() {}, async stop() {} },
    token: 'xoxb-test',
    botId: 'B000BOT',
    botUserId: BOT,
    convoStore: false,
    clientOptions: { fetch: tell(told) },
  })
  app.error(async ({ message }) => void errors.push(message))
  listen(app, earsOf(asks, told, log))
  for (const body of payloads) {
    const event: ReceiverEvent = {
      body: { ...body },
      async ack() {
        acks += 1
      },
    }
    await app.processEvent(event)
  }
  const failed = log.lines
    .filter(({ level }) => level === 'error')
    .map(({ message, data }) => `${message} ${data?.['error']}`)
  return { asks, told, acks, errors: [...errors, ...failed] }
}

/** Stands for the response_url. */
function tell(told: string[]): typeof fetch {
  return async (_, init) => {
    told.push(String(init?.body))
    return new Response('ok')
  }
}

/** A house that remembers what it was asked and what it said. */
export function earsOf(
  asks: Ask[],
  told: string[],
  log: ReturnType<typeof recordingLog>,
): Parameters<typeof listen>[1] {
  const seen = new Set<string>()
  const say = async (_: unknown, ...rest: readonly unknown[]) => {
    told.push(...rest.filter(isMessage).map((message) => written(message.text)))
    return { ok: true, ts: '9.9' } as const
  }
  const answer: Post['answer'] = async ({ first, rest }) => {
    const sent = await say(null, first, ...rest)
    return { first: sent, rest: rest.map(() => sent), files: null }
  }
  const post: Post = { message: say, progress: say, change: say, privately: say, files: say, answer }
  return {
    slash: slashIn({ prefix: '', aliases: {} }),
    mentionsOnly: false,
    welcome: async () => report({ tone: 'neutral', status: 'done', title: 'Hello.' }),
    handle: async (ask) => void asks.push(ask),
    refused: async () => {},
    button: async (id) => ok(BUTTONS[id] ?? null),
    async claim(keys) {
      const first = !keys.some((key) => seen.has(key))
      for (const key of keys) seen.add(key)
      return first
    },
    async keepAsk() {},
    async settle() {},
    unanswered() {},
    person: async ({ id, teams }) => ({ team: teams.join(','), id, name: id, kind: 'member' }),
    shown: async () => ({ files: [], above: ok([]) }),
    botUser: BOT,
    desk: { post, log, botName: 'pilotflame', clean: String, turn: () => 0, async sleep() {} },
    clock: { now: () => 1_000, monotonic: () => 0 },
    log,
  }
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'text' in value && 'blocks' in value
}

const button: Button = {
  id: 'good',
  line: 'retry max_tokens=5',
  attempt: 'attempt-1',
  place: { channel: 'C1', thread: '1.1' },
  once: false,
  at: 0,
  expires: 2_000,
}
const BUTTONS: Readonly<Record<string, Button>> = {
  good: button,
  once: { ...button, id: 'once', once: true },
  old: { ...button, id: 'old', expires: 1 },
}

/** A slash command as Slack posts it. */
export function slash(text: string | null, other: object = {}): object {
  return {
    token: 't',
    command: '/smoke',
    ...(text === null ? {} : { text }),
    trigger_id: 'T1',
    user_id: 'U1',
    user_name: 'dana',
    team_id: 'T0',
    channel_id: 'C1',
    channel_name: 'gpu',
    response_url: 'https://hooks.slack.test/1',
    api_app_id: 'A1',
    is_enterprise_install: 'false',
    ...other,
  }
}

/** An event of a message; `app_mention` where it begins so. */
export function event(text: string | undefined, other: object = {}): object {
  const inner = {
    type: text?.includes(`<@${BOT}`) === true ? 'app_mention' : 'message',
    user: 'U1',
    channel: 'C1',
    ts: '1.1',
  }
  return {
    token: 't',
    type: 'event_callback',
    team_id: 'T0',
    api_app_id: 'A1',
    event_id: 'Ev1',
    event_time: 1,
    authorizations: [{ enterprise_id: null, team_id: 'T0', user_id: BOT, is_bot: true, is_enterprise_install: false }],
    event: { ...inner, ...(text === undefined ? {} : { text }), ...other },
  }
}

/** A press of a button of ours. */
export function press(id: string, other: object = {}): object {
  return {
    type: 'block_actions',
    token: 't',
    api_app_id: 'A1',
    team: { id: 'T0', domain: 'd' },
    user: { id: 'U1', username: 'dana', name: 'dana', team_id: 'T0' },
    channel: { id: 'C1', name: 'gpu' },
    container: { type: 'message', message_ts: '1.2', channel_id: 'C1', thread_ts: '1.1', is_ephemeral: false },
    message: { type: 'message', ts: '1.2', thread_ts: '1.1', text: 'x' },
    trigger_id: 'T2',
    response_url: 'https://hooks.slack.test/2',
    actions: [{ type: 'button', action_id: `pf:${id}`, block_id: 'b', value: id, action_ts: '5.5' }],
    ...other,
  }
}
