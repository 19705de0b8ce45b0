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
      return repeated >= exactNeed(period) && repeated >= exactNeed(period, COPIES[layoutOf(run)])
    },
    layoutOf,
    unit: detector.unit,
  }
}
