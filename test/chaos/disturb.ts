import type { DisconnectReason, Fault, SocketFault } from '../../src/lab/slack/faults.ts'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'
import type { random } from '../random.ts'

/** A connection that Slack ended. */
export interface Cut {
  readonly how: DisconnectReason
  /** epoch ms */
  readonly at: number
  /** since when nobody is deaf any more, in epoch ms: at once where another connection was up; null: not yet */
  back: number | null
}

/** Lets something go wrong with what comes next. Gives the connection that was ended by it, if any. */
export function disturb(slack: SlackStandIn, { below, pick }: ReturnType<typeof random>): Cut | null {
  const dice = below(100)
  if (dice < 45) slack.trouble(pick(ENVELOPES) ?? { kind: 'overtaken' })
  else if (dice < 94) slack.fault(pick(METHODS) ?? 'chat.postMessage', pick(FAULTS) ?? { kind: 'lost' })
  if (dice < 94) return null
  return ended(slack, pick(ENDS) ?? 'drop', below(2))
}

function ended(slack: SlackStandIn, how: DisconnectReason, which: number): Cut | null {
  const before = slack.connections()
  slack.disconnect(how, which)
  const left = slack.connections()
  if (left === before) return null
  const at = Date.now()
  const cut: Cut = { how, at, back: left > 0 ? at : null }
  const heard = () => {
    cut.back ??= Date.now()
  }
  if (left === 0) void slack.until(() => slack.connections() > 0, WATCHED_MS).then(heard, () => undefined)
  return cut
}

/** No cut excuses anything after so long. */
const WATCHED_MS = 20_000

const ENVELOPES: readonly SocketFault[] = [
  { kind: 'twice', on: 'same', when: 'at-once' },
  { kind: 'twice', on: 'other', when: 'at-once' },
  { kind: 'twice', on: 'same', when: 'acknowledged' },
  { kind: 'twice', on: 'other', when: 'acknowledged' },
  { kind: 'overtaken' },
  { kind: 'late', ms: 700 },
  { kind: 'late', ms: 1500, retry: 1 },
  { kind: 'swallowed', of: 'events_api' },
]

/** As often as they are called, more or less. */
const METHODS = [
  ...(['chat.postMessage', 'chat.postMessage', 'chat.postMessage', 'chat.postMessage'] as const),
  ...(['/respond', '/respond', '/respond', '/respond', 'chat.update', 'chat.update'] as const),
  ...(['chat.postEphemeral', 'conversations.history', 'conversations.replies', 'users.info'] as const),
  ...(['files.getUploadURLExternal', 'files.completeUploadExternal'] as const),
]

const FAULTS: readonly Fault[] = [
  { kind: 'rate-limited', retryAfter: 1 },
  { kind: 'rate-limited', retryAfter: 2 },
  { kind: 'http', status: 500 },
  { kind: 'http', status: 503 },
  { kind: 'http-after', status: 500 },
  { kind: 'lost' },
  { kind: 'lost' },
  { kind: 'reset' },
  { kind: 'slow', ms: 400 },
  { kind: 'hang' },
  { kind: 'hang-after' },
]

const ENDS: readonly DisconnectReason[] = ['warning', 'refresh_requested', 'drop', 'reset', 'half-open', 'silent']
