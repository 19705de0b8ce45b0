import { excerpt } from '../../domain/excerpt.ts'
import type { Evidence } from '../../domain/finding.ts'
import { quotedTold, toldLine } from '../told.ts'

/** A line that says something, who said it, and how it is quoted. */
export interface Heard {
  readonly line: string
  /** `nvidia-smi: “No devices were found”`, for `because` */
  readonly quote: string
  /** where it stands among the lines of its speaker, from 1 */
  readonly at: number
}

/** The first line of a GPU tool, besides its readings, that a pattern takes. */
export function heardFromTool({ gpus }: Evidence, pattern: RegExp): Heard | null {
  return gpus === undefined ? null : heardIn(gpus.tool, gpus.notes, pattern)
}

/** The first line of the kernel that a pattern takes. */
export function heardFromKernel({ kernel }: Evidence, pattern: RegExp): Heard | null {
  return heardIn('kernel', kernel ?? [], pattern)
}

/** The first line of the kernel about an AMD card that a pattern takes. */
export function heardOfAmd({ kernel }: Evidence, pattern: RegExp): Heard | null {
  return heardWhere('kernel', kernel ?? [], (line) => isOfAmd(line, pattern))
}

/** Whether a pattern takes a line of AMD's driver. Two looks, as one pattern for both would try each place with each other. */
export function isOfAmd(line: string, pattern: RegExp): boolean {
  return AMD.test(line) && pattern.test(line)
}

const AMD = /amdgpu|amdkfd|\bkfd\b|qcm fence/i

/** The first line that somebody told which a pattern takes. */
export function heardFromTeller({ told }: Evidence, pattern: RegExp): Heard | null {
  const line = toldLine({ told: (told ?? []).filter((each) => !each.startsWith('command: ')) }, pattern)
  return line === null ? null : { line, quote: quotedTold(line), at: 1 }
}

/** From whoever says it: the tool, the kernel, the one who asks. */
export function heard(evidence: Evidence, pattern: RegExp): Heard | null {
  return heardFromTool(evidence, pattern) ?? heardFromKernel(evidence, pattern) ?? heardFromTeller(evidence, pattern)
}

function heardIn(who: string, lines: readonly string[], pattern: RegExp): Heard | null {
  return heardWhere(who, lines, (line) => pattern.test(line))
}

function heardWhere(who: string, lines: readonly string[], isIt: (line: string) => boolean): Heard | null {
  const at = lines.findIndex(isIt)
  const line = lines[at]
  return line === undefined ? null : { line, quote: quotedLine(who, line), at: at + 1 }
}

/** `kernel: “NVRM: Xid (PCI:0000:01:00): 79, …”` */
export function quotedLine(who: string, line: string): string {
  return `${who}: “${excerpt(line.replace(/\s+/g, ' ').trim(), LONGEST)}”`
}

const LONGEST = 240

/** The quotations of what was heard; what was not is left out. */
export function quotes(...all: readonly (Heard | null)[]): readonly string[] {
  return [...new Set(all.flatMap((one) => one?.quote ?? []))]
}

/** Whether the tool ran in a container. Its driver is the host's. */
export function isInside({ gpus }: Evidence): boolean {
  return gpus?.place === 'container'
}

/** Whether somebody told that the tool works on the host of the container. */
export function worksOnHost(evidence: Evidence): Heard | null {
  return heardFromTeller(evidence, /^(?:[\w.]{1,60}\.)?host\w*: .*\b(?:works?|fine|ok|lists?|shows?|sees)\b/i)
}
