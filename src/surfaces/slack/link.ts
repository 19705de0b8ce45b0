import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Failure } from '../../domain/failure.ts'
import type { Log, OpenWire, Wire, WireEnd } from '../../domain/ports.ts'
import { slackFailure } from './faults.ts'
import { refusalOf } from './refusal.ts'

/** One Socket Mode connection that Slack has greeted. */
export interface Link {
  /** how many connections Slack counts for the app; null where it does not say */
  readonly counted: number | null
  /** Resolves when it has to be replaced. After `asked` it can still be heard and answered for a while. */
  readonly over: Promise<Over>
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
  /** speaks with the app token, and never repeats by itself */
  readonly client: WebClient
  readonly openWire: OpenWire
  readonly helloMs: number
  readonly beatMs: number
  readonly log: Log
  hear(envelope: Envelope): void
  /** Told of every connection from its first byte to its end: Slack counts also those that it has not greeted. */
  began(): (end: WireEnd) => void
}

/** Asks Slack for an address, opens it and waits for the greeting. */
export async function dial(needs: DialNeeds): Promise<Dialled> {
  const { client } = needs
  try {
    const { url } = await client.apps.connections.open({})
    if (typeof url === 'string') return await greeted(url, needs)
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

function greeted(url: string, needs: DialNeeds): Promise<Dialled> {
  const { helloMs, beatMs, log, client } = needs
  const hello = Promise.withResolvers<Dialled>()
  const over = Promise.withResolvers<Over>()
  const ended = needs.began()
  let open = true
  const wire = needs.openWire({
    url,
    beatMs,
    onText(said) {
      const message = read(said)
      if (message === null) return log.warn('Slack sent a message that cannot be read')
      if (message.type === 'disconnect') return over.resolve({ how: 'asked', reason: message.reason ?? 'no reason' })
      if (message.type !== 'hello') return needs.hear(envelope(message, wire, log))
      const counted = message.num_connections ?? null
      hello.resolve({ ok: true, link: { counted, over: over.promise, isOpen: () => open, close: wire.close } })
    },
    onEnd(end) {
      open = false
      clearTimeout(late)
      ended(end)
      hello.resolve(refused(new Error(`no hello within ${helloMs / 1000} s`), client))
      over.resolve({ how: 'ended', end })
    },
  })
  const late = setTimeout(wire.close, helloMs)
  void hello.promise.then(() => clearTimeout(late))
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
