import type { Place } from '../../domain/ask.ts'
import type { Clock, Log } from '../../domain/ports.ts'
import type { Answer, Call } from './outbox/call.ts'
import { placed, words } from './outbox/call.ts'
import type { Pause } from './outbox/hold.ts'
import type { Sent, Wire } from './outbox/letter.ts'
import { contentOf } from './outbox/letter.ts'
import type { Lower, Part } from './outbox/parts.ts'
import { insteadOf } from './outbox/parts.ts'
import { stampIn } from './outbox/send.ts'
import type { Message } from './pages.ts'
import type { Refusal } from './refusal.ts'

/** A way that goes before chat.postEphemeral: a response_url. Null: it is spent. */
export type ByUrl = (wire: Wire) => Promise<Answer | null>

export interface Private {
  readonly to: Place
  readonly user: string
  readonly message: Message
  readonly byUrl: ByUrl | null
}

export interface PrivateOptions {
  readonly call: Call
  /** what goes instead of what Slack refuses */
  readonly lower: Lower
  /** Waits until the channel may have another message. */
  readonly pace: (channel: string) => Promise<void>
  readonly pause: Pause
  readonly clock: Clock
  readonly log: Log
  /** the end of everything: nobody waits any longer */
  readonly signal: AbortSignal
}

/** Whoever asked waits no longer, in ms. */
const PRIVATE_MS = 60_000
const FIRST_MS = 1_000

/** Shows a message to one person alone. What Slack refuses goes one rung lower, by the same way. */
export async function privately({ to, user, message, byUrl }: Private, options: PrivateOptions): Promise<Sent> {
  const { call, lower, pace, pause, clock, log, signal } = options
  const until = clock.monotonic() + PRIVATE_MS

  /** Nobody can find a private message again, so it is repeated only where it surely did not arrive. */
  async function insist(wire: Wire): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      await pace(to.channel)
      const answer = await call('chat.postEphemeral', { ...placed(to), user, ...words(wire) })
      if (answer.ok || !didNotArrive(answer.refusal)) return answer
      const wait = Math.max(answer.refusal.waitMs, FIRST_MS * 2 ** (tries - 1))
      if (clock.monotonic() + wait >= until || signal.aborted) return answer
      await pause(wait, signal)
    }
  }

  async function put(wire: Wire): Promise<Answer> {
    const answer = (await byUrl?.(wire)) ?? null
    // one that may have been shown is not shown again
    if (answer === null) return insist(wire)
    return answer.ok || isOfForm(answer.refusal) || answer.refusal.kind === 'unknown' ? answer : insist(wire)
  }

  async function show(part: Part, rung: number): Promise<Sent> {
    const answer = await put(part.wire)
    if (answer.ok) return { ok: true, ts: stampIn(answer.body) }
    const { refusal } = answer
    const instead = insteadOf({ ...part, refusal, rung, lower, passing: false }) ?? []
    return inTurn(instead, (one) => show(one, rung + 1), log, { ok: false, refusal })
  }

  return show({ wire: contentOf(message), message }, 0)
}

/** One after the other. The first stands for all; what is refused below it is logged, and the others are not sent. */
export async function inTurn<T>(
  all: readonly T[],
  show: (one: T) => Promise<Sent>,
  log: Log,
  nothing: Sent,
): Promise<Sent> {
  let first: Sent | null = null
  for (const one of all) {
    const sent = await show(one)
    first ??= sent
    if (sent.ok) continue
    if (first.ok) log.error('Slack took only the beginning of a private answer', { ...sent.refusal })
    break
  }
  return first ?? nothing
}

function didNotArrive({ kind }: Refusal): boolean {
  return kind === 'limited' || kind === 'unsent'
}

/** Whether another form of the same may pass. */
function isOfForm({ kind }: Refusal): boolean {
  return kind === 'blocks' || kind === 'long'
}
