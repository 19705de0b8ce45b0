import type { LogEvidence, LogWriter, Signature } from '../../domain/signature.ts'
import { anchorIndex } from './anchor-index.ts'
import { begunLine } from './begun-line.ts'
import { eachHitLine, linesAbove, MOST_BYTES } from './hit-lines.ts'
import { signKeeper } from './kept-signs.ts'
import { afterFirstEnd, afterLastEnd, endCounter, isEnd } from './line-ends.ts'

/**
 * Finds the signatures in a log that comes in pieces, in bounded memory. All anchors are looked for in one pass over the
 * bytes; only a line that holds one is cut out and read. Where nobody says who wrote the log, its lines may.
 */
export function logScanner(signatures: readonly Signature[], writer: LogWriter | null = null): LogScanner {
  const region = regionReader(signatures)
  const begun = begunLine(MOST_BYTES)
  return {
    feed(piece) {
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
      const joint = jointOf(begun.last(), bytes)
      if (joint === -1) {
        begun.add(bytes)
        return
      }
      region.read(Buffer.concat([begun.take(), bytes.subarray(0, joint)]))
      const rest = bytes.subarray(joint)
      const whole = afterLastEnd(rest)
      region.read(rest.subarray(0, whole))
      begun.add(rest.subarray(whole))
    },
    end() {
      region.read(begun.take())
      return region.evidence(writer)
    },
  }
}

export interface LogScanner {
  /** The next bytes of the log; a piece may end anywhere, and its memory may be used again afterwards. */
  feed(piece: Uint8Array): void
  end(): LogEvidence
}

/** Finds the signatures in a log that is there as one text. */
export function scanText(text: string, signatures: readonly Signature[], writer: LogWriter | null = null): LogEvidence {
  const scanner = logScanner(signatures, writer)
  scanner.feed(Buffer.from(text))
  return scanner.end()
}

/** lines above a sign, and lines at the end of a log */
const ABOVE = 5
const LAST = 20

/** Reads whole lines; only the last one of a log may lack its end. */
function regionReader(signatures: readonly Signature[]) {
  const index = anchorIndex(signatures)
  const keeper = signKeeper(signatures.map(({ name }) => name))
  const writers = new Set<LogWriter>()
  let lines = 0
  let last: readonly string[] = []
  return {
    read(bytes: Buffer): void {
      if (bytes.length === 0) return
      const count = endCounter(bytes)
      let counted = 0
      eachHitLine(bytes, index.search, ({ start, line, anchors }) => {
        lines += count(counted, start)
        counted = start
        for (const writer of index.writersOf(anchors)) writers.add(writer)
        for (const place of index.signaturesOf(anchors)) {
          const found = foundBy(signatures[place], line)
          if (found !== null) keeper.take({ signature: place, line, at: lines + 1, groups: found.groups, start })
        }
      })
      keeper.settle((start) => linesAbove(bytes, start, last, ABOVE))
      lines += count(counted, bytes.length) + (isEnd(bytes.at(-1)) ? 0 : 1)
      last = linesAbove(bytes, bytes.length, last, LAST)
    },
    evidence: (writer: LogWriter | null): LogEvidence => ({
      writer: writer ?? index.firstOf(writers),
      signs: keeper.signs(),
      counts: keeper.counts(),
      lines,
      end: last,
      cut: null,
    }),
  }
}

/** The anchor that was seen may stand beyond what is read of a long line. */
function foundBy(signature: Signature | undefined, line: string): RegExpExecArray | null {
  return signature?.anchors.some((anchor) => line.includes(anchor)) === true ? signature.pattern.exec(line) : null
}

/** How much of these bytes ends the line of which `last` came last; -1 where it goes on. */
function jointOf(last: number | undefined, bytes: Buffer): number {
  if (last === undefined) return 0
  if (bytes.length > 0 && last === CR) return bytes[0] === LF ? 1 : 0
  return afterFirstEnd(bytes)
}

const LF = 10
const CR = 13
