import type { Code } from '../../domain/code.ts'
import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { LogEvidence, Sign, Signature } from '../../domain/signature.ts'
import { quotedTold, toldLine } from '../told.ts'
import { quotedSign, signsOf } from './signs.ts'

/** A fault that a single line of a log names, in the wordings of several engines and versions. */
export interface LineFault {
  readonly signatures: readonly [Signature, ...Signature[]]
  /**
   * start: it keeps a server from starting, so one that became ready afterwards shows that the line was but a warning ·
   * work: it hurts a server at work, and means nothing in an ordered stop · always: it stays true
   */
  readonly holds: 'start' | 'work' | 'always'
  readonly codes: readonly [Code, ...Code[]]
  /** Null where the line itself, or what stands around it, shows that it means something else. */
  say(sign: Sign, evidence: Evidence): Said | null
}

/** A finding without its line; `also` are further quotations. */
export type Said = Omit<Finding, 'because' | 'at'> & { readonly also?: readonly string[] }

/** A rule that finds such lines. Of each code one line speaks. */
export function lineRule(faults: readonly LineFault[]): Rule {
  return {
    codes: [...new Set(faults.flatMap(({ codes }) => codes))],
    signatures: faults.flatMap(({ signatures }) => signatures),
    check: (evidence) => firstOfEach(faults.flatMap((fault) => findingsOf(fault, evidence))),
  }
}

function findingsOf({ signatures, holds, say }: LineFault, evidence: Evidence): readonly Finding[] {
  const { log } = evidence
  if (log === undefined) return []
  return signsOf(evidence, ...signatures.map(({ name }) => name)).flatMap((sign) => {
    if (isSpokenText(sign.line) || (holds === 'start' && isOvercome(log, sign.at))) return []
    if (holds === 'work' && isStopping(evidence, sign.at)) return []
    const said = say(sign, evidence)
    if (said === null) return []
    const { also = [], ...finding } = said
    const wentOn = holds === 'start' && log.signs.some(({ name, at }) => at > sign.at && PROGRESS.has(name))
    const confidence = wentOn ? LESS[said.confidence] : said.confidence
    return [{ ...finding, confidence, because: [quotedSign(sign), ...also], at: sign.at }]
  })
}

/** A start that went on after the line: another rank did, or the line was but a warning. */
const PROGRESS: ReadonlySet<string> = new Set([
  'stage-weights',
  'stage-loading',
  'stage-loaded',
  'stage-pools',
  'stage-graphs',
])

const LESS = { certain: 'likely', likely: 'possible', possible: 'possible' } as const
const RANK = { certain: 0, likely: 1, possible: 2 } as const

/** Of each code the surest, and of these the first in the log. */
function firstOfEach(findings: readonly Finding[]): readonly Finding[] {
  const sorted = findings.toSorted(
    (one, other) => RANK[one.confidence] - RANK[other.confidence] || (one.at ?? 0) - (other.at ?? 0),
  )
  return sorted.filter(({ code }, index) => sorted.findIndex((other) => other.code === code) === index)
}

/** Whether a server became ready, or worked, below this line. */
function isOvercome(log: LogEvidence, at: number): boolean {
  return log.signs.some((sign) => sign.at > at && (sign.name === 'stage-ready' || sign.name === 'stage-serving'))
}

/** Whether the server was stopping by then; what breaks in a stop hurts nobody. */
export function isStopping({ log }: Evidence, at: number): boolean {
  const before = log?.signs.filter((sign) => sign.at <= at && sign.name.startsWith('stage-'))
  return before?.at(-1)?.name === 'stage-stopping'
}

/** A log of requests holds what people and models say; none of it is the engine's own word. */
export function isSpokenText(line: string): boolean {
  return SPOKEN.test(line)
}

const SPOKEN =
  /\bReceived request \S{1,80}: prompt|\b(?:Receive|Finish): obj=|\bGenerated response \S{1,80}: output|"(?:messages|prompt|content)" ?: ?["[]/

/** The first line told that fits, for `also`; empty where none does. */
export function toldLike(evidence: Evidence, pattern: RegExp): readonly string[] {
  const line = toldLine(evidence, pattern)
  return line === null ? [] : [quotedTold(line)]
}

/** Whether log or teller speak of a container. */
export function isInContainer({ log, told, gpus }: Evidence): boolean {
  if (gpus?.place === 'container') return true
  const lines = [...(told ?? []), ...(log?.signs.flatMap(({ line, above }) => [line, ...above]) ?? [])]
  return lines.some((line) => CONTAINER.test(line))
}

const CONTAINER = /\b(?:docker|podman|containerd|kubelet|compose|container|pod|lxc)\b|^image: /i
