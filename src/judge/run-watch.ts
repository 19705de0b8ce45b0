import type { Layout } from './layout.ts'
import { COPIES, layoutWatch } from './layout.ts'
import type { Run } from './repetition.ts'
import { exactNeed, periodDetector } from './repetition.ts'

export interface RunWatch {
  /** Reads on. Gives the run in which the text stands now, long or not. */
  read(text: string): Run | null
  /** whether the run in which the text stands is long enough for what it stands in */
  isLong(run: Run): boolean
  layoutOf(run: Run): Layout
  /** one copy of that run, at most 200 characters */
  unit(): string
}

/** Follows a text and knows how much of a repetition is ordinary where it stands. */
export function runWatch(): RunWatch {
  const detector = periodDetector()
  const layout = layoutWatch()
  const layoutOf = (run: Run): Layout => layout.of(run, detector.unit())
  return {
    read(text) {
      layout.read(text)
      detector.feed(text)
      return detector.current()
    },
    isLong(run) {
      const { period, length } = run
      const repeated = length - period
      if (repeated < proseNeed(period)) return false
      const where = layoutOf(run)
      return where === 'prose' || repeated >= equalNeed(period, where)
    },
    layoutOf,
    unit: detector.unit,
  }
}

/**
 * Characters that must repeat in sentences: no one says ten words five times over. Signs and syllables do come in
 * floods ("----", "haha"), so of them it takes more.
 */
function proseNeed(period: number): number {
  return period <= SYLLABLE ? exactNeed(period) : Math.max(240, 4 * period)
}

const SYLLABLE = 8

/** Equal rows and lines of code are ordinary up to a point; so much of them is none in either, however few copies. */
function equalNeed(period: number, where: Layout): number {
  const need = exactNeed(period, COPIES[where])
  return where === 'data' ? need : Math.min(need, Math.max(MOST_EQUAL, exactNeed(period)))
}

const MOST_EQUAL = 6_000
