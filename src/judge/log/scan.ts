import type { LogEvidence, LogWriter, LongLine, Signature } from '../../domain/signature.ts'
import { anchorIndex } from './anchor-index.ts'
import { begunLine } from './begun-line.ts'
import { eachHitLine, lineAt, linesAbove, MOST_BYTES } from './hit-lines.ts'
import { signKeeper } from './kept-signs.ts'
import { afterFirstEnd, afterLastEnd, endOfLine } from './line-ends.ts'

/**
 * Finds the signatures in a log that comes in pieces, in bounded memory. All anchors are looked for in one pass over the
 * bytes; only a line that holds one is cut out and read. Where nobody says who wrote the log, its lines may.
 */
export function logScanner(signatures: readonly Signature[], writer: LogWriter | null = null): LogScanner {
  const region = regionReader(signatures)
  const begun = begunLine(MOST_BYTES)
  function part(bytes: Buffer): void {
    const joint = jointOf(begun.last(), bytes)
    if (joint === -1) {
      begun.add(bytes)
      return
    }
    region.measure(begun.bytes() + (begun.last() === CR ? -1 : endOfLine(bytes, 0)))
    region.read(Buffer.concat([begun.take(), bytes.subarray(0, joint)]))
    const rest = bytes.subarray(joint)
    const whole = afterLastEnd(rest)
    region.read(rest.subarray(0, whole))
    begun.add(rest.subarray(whole))
  }
  return {
    feed(piece) {
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
      for (let at = 0; at < bytes.length; at += AT_ONCE) part(bytes.subarray(at, at + AT_ONCE))
    },
    end() {
      region.measure(begun.bytes() - (begun.last() === CR ? 1 : 0))
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

/** So many bytes are read at once, and may be held once more as text. */
const AT_ONCE = 64 * 1024

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
  let longest: LongLine | null = null
  return {
    /** The next line is so long; one that fits what is read at once need not be told. */
    measure(length: number): void {
      if (length > AT_ONCE && length > (longest?.bytes ?? 0)) longest = { at: lines + 1, bytes: length }
    },
    read(bytes: Buffer): void {
      if (bytes.length === 0) return
      const count = eachHitLine(bytes, index.search, ({ start, before, line, anchors }) => {
        for (const anchor of anchors) {
          const writer = index.writerOf(anchor)
          if (writer !== null) writers.add(writer)
        }
        for (const signature of index.signaturesOf(anchors))
          if (signatures[signature]?.pattern.test(line) === true)
            keeper.take({ signature, at: lines + before + 1, start })
      })
      keeper.settle(({ signature, start }) => {
        const line = lineAt(bytes, start)
        return { line, fields: fieldsOf(signatures[signature], line), above: linesAbove(bytes, start, last, ABOVE) }
      })
      lines += count
      last = linesAbove(bytes, bytes.length, last, LAST)
    },
    evidence: (writer: LogWriter | null): LogEvidence => ({
      writer: writer ?? index.firstOf(writers),
      signs: keeper.signs(),
      counts: keeper.counts(),
      lines,
      end: last,
      ...(longest === null ? {} : { longest }),
      cut: null,
    }),
  }
}

/** What the named groups of its pattern take. */
function fieldsOf(signature: Signature | undefined, line: string): Readonly<Record<string, string>> {
  const groups: Readonly<Record<string, string | undefined>> = signature?.pattern.exec(line)?.groups ?? {}
  return Object.fromEntries(
    Object.entries(groups).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])),
  )
}

/** How much of these bytes ends the line of which `last` came last; -1 where it goes on. */
function jointOf(last: number | undefined, bytes: Buffer): number {
  if (last === undefined) return 0
  if (bytes.length > 0 && last === CR) return bytes[0] === LF ? 1 : 0
  return afterFirstEnd(bytes)
}

const LF = 10
const CR = 13
