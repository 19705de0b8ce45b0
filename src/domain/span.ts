/** How long, for a sentence: `40 s`, `12 min`, `3 h`, `2 days`. Takes ms; a clock that was set back gives `0 s`. */
export function span(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000))
  if (s < 90) return `${s} s`
  const min = Math.round(s / 60)
  if (min < 90) return `${min} min`
  const h = Math.round(min / 60)
  return h < 48 ? `${h} h` : `${Math.round(h / 24)} days`
}

/** How long since, for a sentence: `12 min ago`, `just now`. Takes ms. */
export function ago(ms: number): string {
  return ms < 1_000 ? 'just now' : `${span(ms)} ago`
}

/** A moment for a sentence, to the second: `12:03:20 UTC`. Takes ms since 1970. */
export function utc(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 19)} UTC`
}
