/** What stands below the progress meter that `curl … 2>&1` prints, or within it; null where there is none. */
export function belowMeter(text: string): string | null {
  const [head] = HEAD.exec(text.slice(0, LOOKED_AT)) ?? []
  if (head === undefined) return null
  const below = text.slice(head.length).replace(FIGURES, '')
  const [tail = ''] = FIGURES_BEHIND.exec(below.slice(-LONGEST_TAIL)) ?? []
  return TIME.test(tail) ? below.slice(0, below.length - tail.length) : below
}

const LOOKED_AT = 4000

/** Its two lines of titles. */
const HEAD = /^\s{0,100}% Total {1,20}% Received[^\n]{0,200}\n[^\n]{0,200}Speed\s/
/** Rows of amounts and times, one over the other on a terminal. */
const FIGURES = /^[\d\s.:kMGTP-]{0,4000}/
const FIGURES_BEHIND = /[\d\s.:kMGTP-]{1,400}$/
/** in characters */
const LONGEST_TAIL = 400
const TIME = /-:--:--|\d:\d\d:\d\d/
