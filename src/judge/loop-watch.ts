import type { Channel, Piece } from '../domain/completion.ts'
import type { Loop } from '../domain/smoke.ts'
import type { Run } from './repetition.ts'
import { exactNeed, periodDetector } from './repetition.ts'
import { requested } from './requested.ts'

/** A run that covers this many pieces is a loop, however few characters that are: "!!!!!" comes one a token. */
const PIECES = 150
/** … where its unit has at most this many characters. */
const SHORT_UNIT = 40

export interface LoopWatch {
  /** Gives the loop for which the stream should be ended; null as long as none is certain. */
  feed(piece: Piece): Loop | null
}

/** Watches both channels of a stream, each by itself. Silent where the prompt asked for the repetition. */
export function loopWatch(prompt: string): LoopWatch {
  const channels = new Map<Channel, LoopWatch>()
  return {
    feed(piece) {
      if (piece.text === '') return null
      const watch = channels.get(piece.channel) ?? channelWatch(prompt)
      channels.set(piece.channel, watch)
      return watch.feed(piece)
    },
  }
}

function channelWatch(prompt: string): LoopWatch {
  const detector = periodDetector()
  const layout = layoutWatch()
  const starts = new Float64Array(PIECES)
  let pieces = 0
  let length = 0
  let cleared: number | null = null

  function isLong(run: Run): boolean {
    if (run.length - run.period >= exactNeed(run.period)) return true
    // the ring holds where the last PIECES pieces began: the next place is the oldest of them
    const oldest = pieces < PIECES ? -1 : (starts[pieces % PIECES] ?? -1)
    return run.period <= SHORT_UNIT && oldest >= run.from && !layout.shelters(run, detector.unit())
  }

  return {
    feed({ channel, text }) {
      starts[pieces % PIECES] = length
      pieces += 1
      length += text.length
      layout.read(text)
      detector.feed(text)
      const run = detector.current()
      if (run === null || run.from === cleared || !isLong(run)) return null
      const unit = detector.unit()
      if (requested(prompt, unit)) {
        cleared = run.from
        return null
      }
      const { period, from } = run
      return { channel, unit, period, from, copies: Math.floor(run.length / period), certain: true, signal: 'period' }
    },
  }
}

/** Knows whether a run stands in code or data, where many short equal pieces are ordinary. */
function layoutWatch() {
  let position = 0
  let line = ''
  let lineAt = 0
  let fenceAt: number | null = null
  let opensAsData: boolean | null = null

  function endLine(): void {
    if (FENCE.test(line)) fenceAt = fenceAt === null ? lineAt : null
    line = ''
    lineAt = position
  }

  return {
    read(text: string) {
      for (const [index, part] of text.split('\n').entries()) {
        if (index > 0) {
          position += 1
          endLine()
        }
        position += part.length
        line = (line + part).slice(0, LINE_HEAD)
        if (opensAsData === null && part.trim() !== '') opensAsData = DATA_LINE.test(line)
      }
    },
    /** A loop that repeats whole lines or fences opens them itself and is not sheltered; white space never is. */
    shelters(run: Run, unit: string): boolean {
      if (unit.trim() === '') return false
      const inFence = fenceAt !== null && fenceAt <= run.from
      return inFence || opensAsData === true || (lineAt <= run.from && DATA_LINE.test(line))
    },
  }
}

const LINE_HEAD = 16
const FENCE = /^ {0,3}(```|~~~)/
const DATA_LINE = /^\s*[[{(|]/
