import { z } from 'zod'
import type { Log } from '../../../domain/ports.ts'
import type { Refusal } from '../refusal.ts'
import type { Call } from './call.ts'
import { callFor } from './call.ts'
import { find } from './find.ts'
import type { Entry, Wire } from './letter.ts'
import type { Shelf } from './shelf.ts'

/** What one try came to. stands: an earlier form stands at `ts` and is to be changed · again: it may be tried again */
export type Tried =
  | { readonly kind: 'sent' | 'stands'; readonly ts: string }
  | { readonly kind: 'again' | 'refused'; readonly refusal: Refusal }

interface Needs {
  readonly call: Call
  readonly shelf: Shelf
  readonly now: () => number
  /** Slack answered. */
  readonly heard: () => void
  readonly log: Log
}

/** Tries once. What may stand there already is looked for first, and sent only where it surely is not there. */
export async function send(entry: Entry, wire: Wire, needs: Needs): Promise<Tried> {
  const { sentAt, ts } = entry.letter
  if (ts !== null || sentAt === null) return sendNow(entry, wire, needs)
  const sight = await find(entry.letter, sentAt, entry.content, needs.call)
  if (sight.kind !== 'later') needs.heard()
  switch (sight.kind) {
    case 'found':
      return { kind: entry.content.over ? 'stands' : 'sent', ts: sight.ts }
    case 'absent':
      return sendNow(entry, wire, needs)
    case 'later':
      return { kind: 'again', refusal: sight.refusal }
    case 'untold':
      needs.log.warn('Slack does not say whether a message arrived', { ...sight.refusal })
      // one digest less does no harm, one more does
      if (entry.content.digest) return { kind: 'sent', ts: '' }
      return sendNow(entry, entry.content.over ? wire : sentAgain(wire), needs)
  }
}

async function sendNow(entry: Entry, wire: Wire, { call, shelf, now }: Needs): Promise<Tried> {
  await shelf.mark(entry, now())
  const { method, args } = callFor(entry.letter, wire)
  const answer = await call(method, args)
  if (answer.ok) return { kind: 'sent', ts: entry.letter.ts ?? stampIn(answer.body) }
  const { refusal } = answer
  switch (refusal.kind) {
    case 'unknown':
      return { kind: 'again', refusal }
    case 'limited':
    case 'unsent':
      await shelf.mark(entry, null)
      return { kind: 'again', refusal }
    case 'place':
    case 'blocks':
    case 'long':
    case 'no':
      await shelf.mark(entry, null)
      return { kind: 'refused', refusal }
  }
}

const Stamped = z.object({ ts: z.string().nullish(), message_ts: z.string().nullish() })

/** The name of a new message; empty where the answer has none, as with files. */
export function stampIn(body: unknown): string {
  const { ts, message_ts } = Stamped.safeParse(body).data ?? {}
  return ts ?? message_ts ?? ''
}

const AGAIN = '(sent again: Slack did not say whether the first one arrived)'

function sentAgain(wire: Wire): Wire {
  const note = { type: 'context', elements: [{ type: 'plain_text', text: AGAIN, emoji: false }] }
  const blocks = wire.blocks.length === 0 || wire.blocks.length > 49 ? wire.blocks : [...wire.blocks, note]
  return { ...wire, text: wire.text === '' ? AGAIN : `${wire.text}\n${AGAIN}`, blocks }
}
