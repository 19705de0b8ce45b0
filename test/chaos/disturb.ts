import type { DisconnectReason, Fault, SocketFault } from '../../src/lab/slack/faults.ts'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'
import type { random } from '../random.ts'

/** Lets something go wrong with what comes next: an envelope, a call of the Web API, or a connection. */
export function disturb(slack: SlackStandIn, { below, pick }: ReturnType<typeof random>): void {
  const dice = below(100)
  if (dice < 50) slack.trouble(pick(ENVELOPES) ?? { kind: 'overtaken' })
  else if (dice < 96) slack.fault(pick(METHODS) ?? 'chat.postMessage', pick(FAULTS) ?? { kind: 'lost' })
  else slack.disconnect(pick(ENDS) ?? 'drop', below(2))
}

const ENVELOPES: readonly SocketFault[] = [
  { kind: 'twice', on: 'same', when: 'at-once' },
  { kind: 'twice', on: 'other', when: 'at-once' },
  { kind: 'twice', on: 'same', when: 'acknowledged' },
  { kind: 'twice', on: 'other', when: 'acknowledged' },
  { kind: 'overtaken' },
  { kind: 'late', ms: 700 },
  { kind: 'late', ms: 1500, retry: 1 },
]

const METHODS = ['chat.postMessage', 'chat.postMessage', 'chat.postMessage', 'chat.update', 'users.info'] as const

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

const ENDS: readonly DisconnectReason[] = ['warning', 'refresh_requested', 'drop', 'reset']
