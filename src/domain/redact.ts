import { isBetweenWords } from './excerpt.ts'
import { encoded } from './redact/encoded.ts'
import type { Span, Word } from './redact/exact.ts'
import { finderOf } from './redact/exact.ts'
import { named } from './redact/named.ts'
import { shaped } from './redact/shapes.ts'
import type { View } from './redact/views.ts'
import { viewsOf } from './redact/views.ts'

export { namesSecret } from './redact/named.ts'

/**
 * Hides secrets in text for people and records: exact ones, values of keys that are named like secrets, known shapes, and
 * all of these in base64. It sees through what sanitise removes or shows, so either may come first; the house sanitises,
 * then redacts, then cuts. Give it whole texts, never pieces or cuts of one: half a secret has no shape. What an excerpt left
 * of an exact one it knows nevertheless. Linear, idempotent.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const exact = finderOf(formsOf(secrets), SHORTEST)
  const spelled = (text: string): readonly Span[] => [...exact(text), ...shaped(text), ...named(text)]
  const holdsSecret = (text: string): boolean => spelled(text).length > 0

  function hide(text: string, again: number): string {
    const spans = viewsOf(text).flatMap((view) =>
      [...spelled(view.text), ...encoded(view.text, holdsSecret)].map(
        ([from, to]): Span => [view.startOf(from), view.endOf(to - 1)],
      ),
    )
    const hidden = without(text, spans)
    // what stood glued to a secret may have its border only now
    return hidden === text || again === 0 ? hidden : hide(hidden, again - 1)
  }

  return (text) => (text.length < SHORTEST ? text : hide(text, 3))
}

/** What stands in place of a secret. */
export const HIDDEN = '[redacted]'

/** Shorter ones would hide ordinary words. */
const SHORTEST = 6

/** A secret as it may be written: whole, line by line, in JSON, in a URL, and as its look-alikes read; and what cuts leave. */
function formsOf(secrets: readonly string[]): readonly Word[] {
  const written = secrets.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...(secret.isWellFormed() ? [encodeURIComponent(secret)] : []),
    ...secret.split(/\r?\n/),
  ])
  const read = [...new Set(written)].flatMap((form) => viewsOf(form).map((view) => wordOf(form, view)))
  return read.filter(({ text }) => text.length >= SHORTEST && !HIDDEN.includes(text))
}

/** One reading of a form. It may be cut where the form itself may. */
function wordOf(form: string, view: View): Word {
  const text = view.text.trim()
  const from = view.text.length - view.text.trimStart().length
  const lengths = Array.from({ length: Math.max(0, text.length - SHORTEST) }, (_, at) => SHORTEST + at)
  const begins = lengths.filter(
    (length) => isBetweenWords(form, view.startOf(from + length)) && !HIDDEN.includes(text.slice(0, length)),
  )
  return { text, begins }
}

function without(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text
  const kept: string[] = []
  let at = 0
  for (const [from, to] of merged(spans)) {
    kept.push(text.slice(at, from), HIDDEN)
    at = to
  }
  return kept.join('') + text.slice(at)
}

/** Spans that overlap are one secret. */
function merged(spans: readonly Span[]): readonly Span[] {
  const found: Span[] = []
  for (const [from, to] of spans.filter(([a, b]) => a < b).toSorted(([a], [b]) => a - b)) {
    const [start, end] = found.at(-1) ?? [0, 0]
    if (from < end) found[found.length - 1] = [start, Math.max(end, to)]
    else found.push([from, to])
  }
  return found
}
