import type { DisconnectReason, Fault, SocketFault } from '../../src/lab/slack/faults.ts'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'
import type { random } from '../random.ts'

/** Lets something go wrong with what comes next. Gives how a connection was ended, so that what was under way on it may be lost. */
export function disturb(slack: SlackStandIn, { below, pick }: ReturnType<typeof random>): DisconnectReason | null {
  const dice = below(100)
  if (dice < 45) slack.trouble(pick(ENVELOPES) ?? { kind: 'overtaken' })
  else if (dice < 94) slack.fault(pick(METHODS) ?? 'chat.postMessage', pick(FAULTS) ?? { kind: 'lost' })
  if (dice < 94) return null
  const how = pick(ENDS) ?? 'drop'
  slack.disconnect(how, below(2))
  return how
}

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
