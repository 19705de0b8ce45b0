import type { Tools } from '../../domain/command.ts'
import type { Action, Report, Table, Tone } from '../../domain/report.ts'
import { counted, report } from '../../domain/report.ts'
import type { Verdict } from '../../domain/verdict.ts'
import { blindWords, isBlind } from '../gpu/blind.ts'
import { diagnosed } from '../smoke/sections.ts'
import type { HostExam } from './exam.ts'
import { EXAM_STATES } from './exam.ts'
import { examJson } from './json.ts'
import type { CheckLine } from './line.ts'

export interface Examined {
  readonly tools: Pick<Tools, 'ask' | 'typed' | 'stopLine' | 'stoppedBy'>
  /** in any order */
  readonly exams: readonly HostExam[]
}

/** The message that lives while the hosts are looked at. */
export function doctorLive({ tools, exams }: Examined): Report {
  const told = exams.filter(({ state }) => state !== 'waiting').length
  return report({
    tone: 'running',
    status: 'running',
    title: `${told} of ${counted(exams.length, 'host')} have told`,
    lead: lead(tools, exams),
    actions: [{ label: 'Stop', line: tools.stopLine, style: 'danger' }],
  })
}

/** Of one host every line; of several what is not well, worst first. */
export function doctorReport(examined: Examined): Report {
  const exams = examined.exams.toSorted((one, other) => rank(one) - rank(other))
  const [first] = exams
  const isBlindNow = isBlind(exams)
  const blind = isBlindNow ? blindWords(exams, examined.tools.typed) : null
  const verdict = blind === null ? verdictOf(first) : 'inconclusive'
  const who = examined.tools.stoppedBy()?.name ?? null
  return report({
    tone: blind === null ? toneOf(first) : 'warning',
    status: verdict,
    title: blind?.title ?? titleOf(exams),
    summary: blind?.summary ?? summaryOf(first),
    lead: lead(examined.tools, exams),
    facts: who === null ? [] : [{ label: 'Stopped by', value: who }],
    tables: exams.length === 1 ? [] : manyTable(exams, isBlindNow),
    sections: [...(blind === null ? [] : [blind.section]), ...(exams.length === 1 ? sectionsOf(first) : [])],
    actions: exams.length === 1 || blind !== null ? [] : closerLooks(exams),
    json: { verdict, cannot_see: isBlindNow, hosts: exams.map(examJson) },
  })
}

function rank({ state }: HostExam): number {
  return EXAM_STATES.indexOf(state)
}

function lead({ ask }: Examined['tools'], exams: readonly HostExam[]): string {
  const [first] = exams
  const what = exams.length === 1 && first !== undefined ? first.host : counted(exams.length, 'host')
  return `${ask.person.name} asked for the health of ${what}`
}

/** `gpu-box-1: 1 fault, 2 warnings in 15 checks` or `3 of 12 hosts are not well` */
function titleOf(exams: readonly HostExam[]): string {
  const [first] = exams
  if (exams.length === 1 && first !== undefined) return `${first.host}: ${wordsOf(first)}`
  const of = (state: HostExam['state']) => exams.filter((one) => one.state === state).length
  const parts = [
    [of('failed'), 'gave no answer'],
    [of('fault'), 'with a fault'],
    [of('warn'), 'with a warning'],
    [of('unknown'), 'not wholly known'],
    [of('stopped'), 'not looked at'],
  ] as const
  const told = parts.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]))
  if (told.length === 0) return `All ${counted(exams.length, 'host')} are well`
  return `${of('ok')} of ${counted(exams.length, 'host')} ${of('ok') === 1 ? 'is' : 'are'} well: ${told.join(', ')}`
}

function wordsOf({ state, failure, lines }: HostExam): string {
  if (state === 'stopped') return 'the look was stopped'
  if (failure !== null) return 'it could not be looked at'
  const of = (one: CheckLine['state']) => lines.filter((line) => line.state === one).length
  const bad = [
    ...(of('fault') > 0 ? [counted(of('fault'), 'fault')] : []),
    ...(of('warn') > 0 ? [counted(of('warn'), 'warning')] : []),
    ...(of('unknown') > 0 ? [`${of('unknown')} not known`] : []),
  ]
  const all = counted(lines.length, 'check')
  return bad.length === 0 ? `all ${all} are fine` : `${bad.join(', ')} in ${all}`
}

/** The worst one and what to do about it. */
function summaryOf(exam: HostExam | undefined): string {
  if (exam === undefined) return ''
  const { host, failure, lines } = exam
  if (failure !== null) return `${host}: ${failure.observed}.\nNext: ${failure.next}.`
  const [worst] = lines
  if (worst === undefined || worst.state === 'ok' || worst.state === 'unknown') return ''
  return `${host}: ${worst.said}${worst.next === null ? '' : `\nNext: ${worst.next}`}`
}

function verdictOf(exam: HostExam | undefined): Verdict {
  switch (exam?.state) {
    case 'failed':
      return 'unreachable'
    case 'fault':
    case 'warn':
      return exam.findings[0]?.verdict ?? 'inconclusive'
    case 'ok':
    case 'unknown':
      return 'healthy'
    case 'stopped':
    case 'waiting':
    case undefined:
      return 'inconclusive'
  }
}

function toneOf(exam: HostExam | undefined): Tone {
  switch (exam?.state) {
    case 'failed':
    case 'fault':
      return 'bad'
    case 'warn':
    case 'stopped':
    case 'waiting':
    case undefined:
      return 'warning'
    case 'ok':
    case 'unknown':
      return 'good'
  }
}

const SIGNS = { ok: '✓', warn: '!', fault: '✗', unknown: '?' } as const

function sectionsOf(exam: HostExam | undefined): Report['sections'] {
  if (exam === undefined || exam.lines.length === 0) return []
  const body = exam.lines.map(({ check, state, said }) => `${SIGNS[state]} ${check}: ${said}`).join('\n')
  const findings = exam.findings.map((finding) => ({ ...diagnosed(finding), folded: true }))
  return [{ kind: 'text', title: 'Checks', body, folded: false }, ...findings]
}

const WORDS = { fault: 'Fault', warn: 'Warning', unknown: 'Not known', ok: 'Fine' } as const
/** Rows of a table that a chat pages through. */
const MOST_ROWS = 300

function manyTable(exams: readonly HostExam[], isBlindNow: boolean): readonly Table[] {
  const rows = exams.flatMap((exam) => rowsOf(exam, isBlindNow))
  if (rows.length === 0) return []
  return [{ title: 'Not well', columns: ['Host', 'State', 'Check', 'What', 'Next'], rows: rows.slice(0, MOST_ROWS) }]
}

function rowsOf({ host, state, failure, lines }: HostExam, isBlindNow: boolean): readonly (readonly string[])[] {
  if (failure !== null) return [[host, isBlindNow ? 'Not seen' : 'No answer', '–', failure.observed, failure.next]]
  if (state === 'stopped') return [[host, 'Not looked at', '–', 'the look was stopped', 'ask again']]
  return lines
    .filter((line) => line.state !== 'ok')
    .map(({ check, state: of, said, next, findings: [first] }) => {
      const code = first === undefined ? '' : `${first.code}: `
      return [host, WORDS[of], check, `${code}${said}`, next ?? '–']
    })
}

/** Buttons; more would hide the first. */
const PRESSED = 5

/** The worst ones, each alone. */
function closerLooks(exams: readonly HostExam[]): readonly Action[] {
  return exams
    .filter(({ state }) => state === 'failed' || state === 'fault' || state === 'warn')
    .slice(0, PRESSED)
    .map(({ host }) => ({ label: host, line: `gpu doctor ${host}`, style: 'plain' }))
}
