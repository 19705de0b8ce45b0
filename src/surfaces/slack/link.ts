import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Failure } from '../../domain/failure.ts'
import type { Log, OpenWire, Wire, WireEnd } from '../../domain/ports.ts'
import { noHello, slackFailure } from './faults.ts'
import { refusalOf } from './refusal.ts'

/** One Socket Mode connection that Slack has greeted. */
export interface Link {
  /** how many connections Slack counts for the app; null where it does not say */
  readonly counted: number | null
  /** Resolves when it has to be replaced. After `asked` it can still be heard and answered for a while. */
  readonly over: Promise<Over>
  /** Resolves when nothing more can come. */
  readonly ended: Promise<WireEnd>
  isOpen(): boolean
  close(): void
}

export type Over = { readonly how: 'asked'; readonly reason: string } | { readonly how: 'ended'; readonly end: WireEnd }

/** What Slack hands over, and the way to acknowledge it; that never fails, and does nothing a second time. */
export interface Envelope {
  readonly id: string
  readonly kind: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly retry: { readonly number: number; readonly reason: string } | null
  acknowledge(payload?: unknown): Promise<void>
}

/** `waitMs`: Slack wants us to wait this long; 0 where it does not say. */
export type Dialled =
  | { readonly ok: true; readonly link: Link }
  | { readonly ok: false; readonly failure: Failure; readonly waitMs: number }

export interface DialNeeds {
  /** Speaks with the app token, never repeats by itself, and ends a call when the signal does. */
  client(signal: AbortSignal): WebClient
  readonly openWire: OpenWire
  readonly helloMs: number
  readonly beatMs: number
  readonly log: Log
  hear(envelope: Envelope): void
  /** Told of every connection from its first byte to its end: Slack counts also those that it has not greeted. */
  began(): (end: WireEnd) => void
}

/** Asks Slack for an address, opens it and waits for the greeting. The signal ends all three. */
export async function dial(needs: DialNeeds, signal: AbortSignal): Promise<Dialled> {
  const client = needs.client(signal)
  try {
    const { url } = await client.apps.connections.open({})
    signal.throwIfAborted()
    if (typeof url === 'string') return await greeted(url, needs, signal)
    return refused(new Error('apps.connections.open gave no address'), client)
  } catch (error) {
    return refused(error, client)
  }
}

function refused(error: unknown, { slackApiUrl }: WebClient): Dialled {
  return { ok: false, failure: slackFailure(error, 'app', slackApiUrl), waitMs: refusalOf(error).waitMs }
}

const text = z.string().nullish()
const Message = z.object({
  type: z.string(),
  reason: text,
  num_connections: z.number().nullish(),
  envelope_id: text,
  payload: z.record(z.string(), z.unknown()).nullish(),
  retry_attempt: z.number().nullish(),
  retry_reason: text,
})

function greeted(url: string, needs: DialNeeds, signal: AbortSignal): Promise<Dialled> {
  const { helloMs, beatMs, log } = needs
  const hello = Promise.withResolvers<Dialled>()
  const over = Promise.withResolvers<Over>()
  const ended = Promise.withResolvers<WireEnd>()
  void ended.promise.then(needs.began())
  let open = true
  let wasGreeted = false
  const fail = (observed: string, reason = '') =>
    hello.resolve({ ok: false, failure: noHello(url, observed, reason), waitMs: 0 })
  const giveUp = (...why: Parameters<typeof fail>) => {
    fail(...why)
    wire.close()
  }
  const late = setTimeout(() => giveUp(`no hello within ${helloMs / 1000} s`), helloMs)
  const stop = () => giveUp('the bot stops')
  signal.addEventListener('abort', stop)
  const wire = needs.openWire({
    url,
    beatMs,
    onText(said) {
      const message = read(said)
      if (message === null) return log.warn('Slack sent a message that cannot be read')
      if (message.type === 'disconnect') {
        const reason = message.reason ?? 'no reason'
        over.resolve({ how: 'asked', reason })
        if (!wasGreeted) giveUp(`it says disconnect (${reason}) before hello`, reason)
        return
      }
      if (message.type !== 'hello') return needs.hear(envelope(message, wire, log))
      wasGreeted = true
      const counted = message.num_connections ?? null
      const link = { counted, over: over.promise, ended: ended.promise, isOpen: () => open, close: wire.close }
      hello.resolve({ ok: true, link })
    },
    onEnd(end) {
      open = false
      ended.resolve(end)
      fail(`the connection ended before hello (${end})`)
      over.resolve({ how: 'ended', end })
    },
  })
  void hello.promise.then(() => {
    clearTimeout(late)
    signal.removeEventListener('abort', stop)
  })
  return hello.promise
}

function read(said: string): z.infer<typeof Message> | null {
  try {
    return Message.parse(JSON.parse(said))
  } catch {
    return null
  }
}

function envelope(message: z.infer<typeof Message>, wire: Wire, log: Log): Envelope {
  const { type: kind, envelope_id, payload, retry_attempt, retry_reason } = message
  const id = envelope_id ?? ''
  let done = false
  return {
    id,
    kind,
    payload: payload ?? {},
    retry: typeof retry_attempt === 'number' ? { number: retry_attempt, reason: retry_reason ?? '' } : null,
    async acknowledge(answer) {
      if (done || id === '') return
      done = true
      const words = JSON.stringify({ envelope_id: id, ...(answer === undefined ? {} : { payload: answer }) })
      if (!wire.send(words)) log.warn('An acknowledgement came too late: its connection is gone', { kind })
    },
  }
}
