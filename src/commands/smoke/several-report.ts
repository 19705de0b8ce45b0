import { isFault } from '../../domain/code.ts'
import type { Action, Fact, Report, Section } from '../../domain/report.ts'
import { counted, report, seconds } from '../../domain/report.ts'
import type { Verdict } from '../../domain/verdict.ts'
import { exitStatus } from '../../domain/verdict.ts'
import { cameWhole } from './facts.ts'
import { headlineOf } from './headline.ts'
import { smokeJson } from './json.ts'
import { lead } from './live.ts'
import type { KeptProof } from './prove.ts'
import { summary, toneOf, WORDS } from './report.ts'
import { diagnosisSection } from './sections.ts'
import type { Row, Several } from './several-live.ts'

/** Those whose diagnosis is shown, and those that have buttons; the rest is named. */
const DIAGNOSED = 8
const PRESSED = 4

/** Several judged smokes as one table, worst first, with a diagnosis of the worst. */
export function severalReport({ tools, prompt, rows, startedMs }: Several): Report {
  const sorted = rows.toSorted((one, other) => WORST_FIRST[verdictOf(one)] - WORST_FIRST[verdictOf(other)])
  const [worst] = sorted
  const status = worst === undefined ? 'inconclusive' : verdictOf(worst)
  const healthy = rows.filter((row) => exitStatus(verdictOf(row)) === 0).length
  const faulty = sorted.flatMap((row) => (row.state.kind === 'judged' && isBad(row.state.proof) ? row.state.proof : []))
  const took = { label: 'Took', value: seconds(tools.clock.monotonic() - startedMs) }
  return report({
    tone: toneOf(status),
    status,
    title: `${healthy} of ${rows.length} healthy`,
    summary: headline(faulty, rows),
    lead: lead(tools.ask, counted(rows.length, 'target'), prompt),
    facts: [took, ...stopped(rows, tools.stoppedBy()?.name ?? null), ...notKept(rows)],
    tables: [{ title: 'Targets', columns: [...COLUMNS], rows: sorted.map(cells) }],
    sections: [...faulty.slice(0, DIAGNOSED).map(section), ...alsoBad(faulty.slice(DIAGNOSED))],
    actions: faulty.slice(0, PRESSED).flatMap(actions),
    json: { healthy, total: rows.length, targets: sorted.map(jsonOf) },
  })
}

const COLUMNS = ['Target', 'Verdict', 'Engine', 'First token', 'Tokens/s', 'Cause'] as const

const WORST_FIRST: Readonly<Record<Verdict, number>> = {
  'hardware-fault': 0,
  broken: 1,
  unreachable: 2,
  misconfigured: 3,
  degraded: 4,
  'request-limit': 5,
  'client-error': 6,
  overloaded: 7,
  'not-ready': 8,
  inconclusive: 9,
  'needs-clarification': 10,
  'ok-normalized': 11,
  healthy: 12,
}

/** What was not run tells nothing of its target. */
function verdictOf({ state }: Row): Verdict {
  return state.kind === 'judged' ? state.proof.diagnosis.verdict : 'inconclusive'
}

function isBad({ diagnosis }: KeptProof): boolean {
  return exitStatus(diagnosis.verdict) !== 0 && isFault(diagnosis.code)
}

function headline([first]: readonly KeptProof[], rows: readonly Row[]): string {
  if (first !== undefined) return `${first.evidence.target.name}: ${summary(first.diagnosis)}`
  const busy = rows.filter(({ state }) => state.kind === 'busy').map(({ target }) => target.name)
  return busy.length === 0 ? '' : 'Some were not run: two runs on them are under way. Next: ask again once those end.'
}

function stopped(rows: readonly Row[], by: string | null): readonly Fact[] {
  const wasStopped = rows.some(
    ({ state }) =>
      state.kind === 'stopped' || (state.kind === 'judged' && state.proof.evidence.smoke?.failure?.kind === 'stopped'),
  )
  return wasStopped && by !== null ? [{ label: 'Stopped by', value: by }] : []
}

function notKept(rows: readonly Row[]): readonly Fact[] {
  const why = rows.flatMap(({ state }) => (state.kind === 'judged' ? (state.proof.notKept ?? []) : []))
  const [first] = why
  return first === undefined ? [] : [{ label: 'Not kept', value: `${counted(why.length, 'attempt')}: ${first}` }]
}

const NOT_KNOWN = '–'

function cells({ target, state }: Row): readonly string[] {
  switch (state.kind) {
    case 'judged':
      return [target.name, ...numbers(state.proof)]
    case 'busy':
      return [target.name, 'Busy', NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, 'Not run: two runs on it were under way']
    case 'stopped':
      return [target.name, 'Not run', NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, 'Stopped before its turn']
    case 'waiting':
    case 'running':
      return [target.name, 'Not ended', NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN]
  }
}

function numbers({ evidence: { smoke, engine }, diagnosis }: KeptProof): readonly string[] {
  const timing = smoke?.completion?.timing
  const first = smoke === undefined || cameWhole(smoke) ? null : (timing?.firstTokenMs ?? null)
  const speed = timing?.tokensPerSecond ?? null
  return [
    WORDS[diagnosis.verdict],
    engine === undefined ? NOT_KNOWN : `${engine.kind} ${engine.version ?? '(version not told)'}`,
    first === null ? NOT_KNOWN : seconds(first),
    speed === null ? NOT_KNOWN : speed.toFixed(1),
    headlineOf(diagnosis, smoke?.failure ?? null),
  ]
}

function section({ evidence, diagnosis }: KeptProof): Section {
  const told = diagnosisSection(diagnosis)
  return { ...told, title: `${evidence.target.name}: ${told.title}`, folded: true }
}

function alsoBad(rest: readonly KeptProof[]): readonly Section[] {
  if (rest.length === 0) return []
  const names = rest.map(({ evidence }) => evidence.target.name).join(', ')
  const body = `${names}\nNext: smoke "PROMPT" --target NAME shows one of them whole.`
  return [{ kind: 'text', title: `${rest.length} more that are not healthy`, body, folded: false }]
}

function actions({ evidence: { target, smoke }, attempt }: KeptProof): readonly Action[] {
  if (attempt === null) return []
  const { name } = target
  const retry = { label: `Retry ${name}`, line: `retry --target ${name}`, style: 'plain', attempt: attempt.id } as const
  // what never reached a server sent nothing
  if (smoke == null || smoke.exchange === null) return [retry]
  return [retry, { label: `Raw ${name}`, line: `raw --target ${name}`, style: 'plain', attempt: attempt.id }]
}

function jsonOf({ target, state }: Row): unknown {
  if (state.kind === 'judged') return smokeJson(state.proof.evidence, state.proof.diagnosis, state.proof.looked)
  return { target: target.name, verdict: 'inconclusive', not_run: state.kind }
}
