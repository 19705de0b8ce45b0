import { excerpt } from '../../domain/excerpt.ts'
import type { Evidence } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'

/** The lines of these signatures, in the order of the log; none where there is no log. */
export function signsOf({ log }: Evidence, ...names: readonly string[]): readonly Sign[] {
  return log === undefined ? [] : log.signs.filter(({ name }) => names.includes(name))
}

/** The first of these lines; null where the log holds none. */
export function firstSign(evidence: Evidence, ...names: readonly string[]): Sign | null {
  return signsOf(evidence, ...names)[0] ?? null
}

/** The last of these lines; null where the log holds none. */
export function lastSign(evidence: Evidence, ...names: readonly string[]): Sign | null {
  return signsOf(evidence, ...names).at(-1) ?? null
}

/** How often a line was found, also where not all of them are kept. */
export function countOf({ log }: Evidence, name: string): number {
  return log?.counts[name] ?? 0
}

/** `log line 12: “RuntimeError: Not enough memory.”`, for `because`. */
export function quotedSign({ at, line }: Sign): string {
  return `log line ${at}: “${excerpt(line.trim().replace(/\s+/g, ' '), LONGEST)}”`
}

const LONGEST = 240
