import type { Channel, Piece } from '../domain/completion.ts'
import type { Loop } from '../domain/smoke.ts'
import type { Layout } from './layout.ts'
import type { Run } from './repetition.ts'
import { requested } from './requested.ts'
import { runWatch } from './run-watch.ts'

/** A run that covers this many pieces is a loop, however few characters that are: "!!!!!" comes one a token. */
const PIECES = 135
/** … where its unit has at most this many characters. */
const SHORT_UNIT = 40
/** … and where many short equal pieces are not ordinary. */
const SHELTERS: ReadonlySet<Layout> = new Set(['rows', 'data'])

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
  const watch = runWatch()
  const starts = new Float64Array(PIECES)
  let pieces = 0
  let length = 0
  let cleared: number | null = null

  /** The ring holds where the last PIECES pieces began: the next place is the oldest of them. */
  function hasManyPieces({ period, from }: Run): boolean {
    return period <= SHORT_UNIT && pieces >= PIECES && (starts[pieces % PIECES] ?? -1) >= from
  }

  function isLong(run: Run): boolean {
    return watch.isLong(run) || (hasManyPieces(run) && !SHELTERS.has(watch.layoutOf(run)))
  }

  return {
    feed({ channel, text }) {
      starts[pieces % PIECES] = length
      pieces += 1
      length += text.length
      const run = watch.read(text)
      if (run === null || run.from === cleared || !isLong(run)) return null
      const unit = watch.unit()
      if (requested(prompt, unit)) {
        cleared = run.from
        return null
      }
      const { period, from } = run
      return { channel, unit, period, from, copies: Math.floor(run.length / period), certain: true, signal: 'period' }
    },
  }
}
