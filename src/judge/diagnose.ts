import type { Code } from '../domain/code.ts'
import { isFault } from '../domain/code.ts'
import type { Diagnosis, Evidence, Finding, Rule } from '../domain/finding.ts'
import type { GpuEvidence } from '../domain/gpu.ts'
import { count, counted } from '../domain/report.ts'
import type { LogEvidence, LongLine } from '../domain/signature.ts'
import { LONGEST_LINE } from '../domain/signature.ts'
import { quoted } from './answer.ts'
import { besideAnswer } from './beside-answer.ts'

/**
 * Runs all rules and puts the leading finding first: causes before symptoms, certain before likely, remarks last.
 * What is fine is said only where nothing is wrong, and before what is merely possible. Never empty: without any finding
 * it names what is missing. Of several findings of one code the strongest is told.
 */
export function diagnose(evidence: Evidence, rules: readonly Rule[]): Diagnosis {
  const [first = needMore(evidence), ...rest] = findingsOf(evidence, rules)
  return { verdict: first.verdict, code: first.code, findings: [first, ...rest] }
}

/** What the rules say, the leading finding first; empty where none of them speaks. */
export function findingsOf(evidence: Evidence, rules: readonly Rule[]): readonly Finding[] {
  const said = besideAnswer(
    rules.flatMap((rule) => rule.check(evidence)),
    evidence,
  )
  const faults = withoutExplained(said.filter(({ code }) => isFault(code)))
  const fine = said.filter(({ code }) => !isFault(code))
  const isWrong = faults.some(({ confidence }) => confidence !== 'possible')
  const heard = isWrong ? faults : [...fine, ...faults]
  const ranked = heard.toSorted((one, other) => place(one) - place(other) || (one.at ?? 0) - (other.at ?? 0))
  return [...Map.groupBy(ranked, ({ code }) => code).values()].flatMap(([strongest]) => strongest ?? [])
}

/** What spends any budget and fills any context: beside it the advice to raise them is wrong. */
const WASTEFUL = new Set(['model', 'sampling', 'grammar', 'template'])

function withoutExplained(faults: readonly Finding[]): readonly Finding[] {
  const firm = faults.filter(({ confidence }) => confidence !== 'possible')
  const explained = new Set(firm.flatMap(({ explains }) => explains ?? []))
  const isWasted = firm.some(({ code }) => WASTEFUL.has(familyOf(code)))
  const isRead = firm.some(({ code, at }) => at !== undefined && !REMARKS.has(code))
  return faults.filter(
    ({ code, confidence }) =>
      !explained.has(code) &&
      !(isWasted && (familyOf(code) === 'budget' || code === 'context.exceeded')) &&
      // a log that tells a cause needs no more lines, and no guess at why a request was refused
      !(isRead && (code === 'log.need-more' || (code === 'template.missing' && confidence === 'possible'))),
  )
}

function familyOf(code: Code): string {
  return code.split('.')[0] ?? ''
}

/** What follows from something else: a loop spends the budget, a dead engine cuts the stream, or never listened. */
const SYMPTOMS = new Set(['budget', 'stream', 'transport', 'server'])
/** True, yet rarely what hurts; and the wrapper in which a server says that something failed. */
const REMARKS: ReadonlySet<Code> = new Set([
  'engine.usage-wrong',
  'engine.finish-reason-wrong',
  'engine.finish-reason-missing',
  'engine.invariant',
  'proxy.sse-mangled',
  'log.need-more',
  'state.up-unverified',
])

const CONFIDENCE = { certain: 0, likely: 1, possible: 2 }

function place({ code, confidence }: Finding): number {
  return 10 * group(code, confidence) + CONFIDENCE[confidence]
}

/** A merely possible cause does not outrank an observed symptom. */
function group(code: Code, confidence: Finding['confidence']): number {
  if (REMARKS.has(code)) return 3
  if (SYMPTOMS.has(familyOf(code))) return 1
  return confidence === 'possible' ? 2 : 0
}

function needMore({ smoke, log, gpus }: Evidence): Finding {
  if (log !== undefined && smoke === undefined) return needMoreLog(log)
  if (gpus !== undefined && smoke === undefined) return needMoreOfTool(gpus)
  const missing = smoke === undefined ? 'a smoke of this target' : 'an answer or a failure of the smoke'
  return {
    ...UNKNOWN,
    because: [smoke === undefined ? 'no smoke was run' : 'the smoke ended without an answer and without a failure'],
    remedy: ['Run the smoke again; then look into the engine log of the same minute.'],
    missing: [missing],
  }
}

const UNKNOWN = {
  code: 'log.need-more',
  verdict: 'inconclusive',
  cause: 'The evidence does not hold a cause.',
  confidence: 'certain',
} as const

function needMoreLog({ lines, end, longest }: LogEvidence): Finding {
  if (lines === 1 && longest !== undefined) return needLineEnds(longest)
  const last = end.findLast((line) => line.trim() !== '')
  return {
    ...UNKNOWN,
    cause: 'The log does not hold a cause.',
    because: [
      `${counted(lines, 'line')} read${longest === undefined ? '' : `, of line ${longest.at} (${count(longest.bytes)} bytes) its first ${READ_OF_ONE}`}`,
      ...(last === undefined ? [] : [`the last one: ${quoted(last, 200)}`]),
    ],
    remedy: ['Show 200 lines more, from before these: the first exception stands above the last one.'],
    missing: ['the lines above; of the kernel: dmesg -T | grep -iE "oom|xid|nvrm"'],
  }
}

const READ_OF_ONE = `${count(LONGEST_LINE)} characters`

function needLineEnds({ bytes }: LongLine): Finding {
  return {
    ...UNKNOWN,
    cause: `The log is a single line of ${count(bytes)} bytes. Its first ${READ_OF_ONE} were read, and they do not hold a cause.`,
    because: [`1 line read, its first ${READ_OF_ONE}`],
    remedy: ['Give the log with its line ends, one message a line.'],
    missing: ['the rest of that line'],
  }
}

function needMoreOfTool({ tool, notes, rc }: GpuEvidence): Finding {
  return {
    ...UNKNOWN,
    cause: `What ${tool} printed does not hold a cause.`,
    because: [`exit status ${rc ?? 'unknown'}`, ...notes.slice(0, 3).map((note) => quoted(note, 200))],
    remedy: ['Read the kernel log beside it: dmesg -T | grep -iE "nvrm|xid|amdgpu".'],
    missing: ['the kernel log of the same minute'],
  }
}
