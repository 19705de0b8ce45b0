import type { Clock } from '../../domain/ports.ts'
import { fitted } from './columns.ts'

/** Where text goes: process.stdout and process.stderr are two. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface ProgressLine {
  /** The latest wins, most are never drawn. */
  show(text: string): void
  /** Drawn at once, also where nobody watches. */
  say(text: string): void
  clear(): void
}

const ERASE = '\r\u001b[2K'
const EVERY_MS = 100
const USUAL_COLUMNS = 80

/** One line that is drawn over and over; silent where the screen is no terminal. */
export function progressLine(screen: Screen, clock: Clock, clean: (text: string) => string): ProgressLine {
  const live = screen.isTTY === true
  let [drawn, last] = [false, Number.NEGATIVE_INFINITY]

  function draw(text: string): void {
    const line = clean(text).replaceAll(/\s+/g, ' ')
    screen.write(`${ERASE}${fitted(line, (screen.columns ?? USUAL_COLUMNS) - 1)}`)
    drawn = true
    last = clock.monotonic()
  }

  return {
    show(text) {
      if (live && clock.monotonic() - last >= EVERY_MS) draw(text)
    },
    say(text) {
      if (live) draw(text)
      else screen.write(`${text}\n`)
    },
    clear() {
      if (drawn) screen.write(ERASE)
      drawn = false
    },
  }
}
