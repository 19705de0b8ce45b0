import type { Attempt } from '../../domain/attempt.ts'
import { CODES } from '../../domain/code.ts'
import type { Diagnosis } from '../../domain/finding.ts'
import type { Action, Fact, Report, Section } from '../../domain/report.ts'
import { counted, report, seconds } from '../../domain/report.ts'
import type { Choice } from '../../judge/experiments/choose.ts'
import { lead } from '../smoke/live.ts'
import { summary, toneOf, WORDS } from '../smoke/report.ts'
import { diagnosisSection } from '../smoke/sections.ts'
import { spentOf, tableOf } from './live.ts'
import type { Inquiry, Row } from './run.ts'
import { left } from './run.ts'

interface Ended {
  readonly inquiry: Inquiry
  readonly attempt: Attempt
  /** experiments that apply and load the server: for buttons */
  readonly loading: readonly Choice[]
}

/** What the experiments came to: the table, what is left of the diagnosis, what it cost. */
export function whyReport({ inquiry, attempt, loading }: Ended): Report {
  const { tools, puzzle, rows, purse, startedMs } = inquiry
  const rest = left(inquiry)
  const stopped = tools.signal.aborted ? tools.stoppedBy() : null
  const facts: readonly Fact[] = [
    { label: 'Tokens', value: spentOf(purse) },
    { label: 'Requests', value: String(rows.reduce((sum, { asked }) => sum + asked, 0)) },
    { label: 'Total', value: seconds(tools.clock.monotonic() - startedMs) },
    ...(stopped === null ? [] : [{ label: 'Stopped by', value: stopped.name }]),
    { label: 'Kept', value: 'this report; the answers themselves are not kept, and none counts as an attempt' },
  ]
  return report({
    tone: toneOf(rest.verdict),
    status: rest.verdict,
    title: `${headOf(rows, tools.signal.aborted)}: ${WORDS[rest.verdict]}. ${CODES[rest.code]}.`,
    summary: summary(rest),
    lead: lead(tools.ask, tools.target.name, puzzle.evidence.smoke?.request.prompt ?? ''),
    facts,
    tables: [tableOf(rows)],
    sections: [{ ...diagnosisSection(rest), folded: false }, ...gone(puzzle.diagnosis, rest, rows)],
    actions: [...loading.map(({ experiment }) => loadingAction(experiment, attempt)), ...again(attempt)],
    json: jsonOf(inquiry, attempt, rest),
  })
}

function headOf(rows: readonly Row[], isStopped: boolean): string {
  const done = rows.filter(({ state }) => state.kind === 'concluded').length
  const many = done === rows.length ? counted(done, 'experiment') : `${done} of ${counted(rows.length, 'experiment')}`
  return `After ${many}${isStopped ? ', stopped' : ''}`
}

/** What is no longer thought, and what speaks both ways. */
function gone(before: Diagnosis, rest: Diagnosis, rows: readonly Row[]): readonly Section[] {
  const done = rows.flatMap(({ state, choice }) =>
    state.kind === 'concluded' ? { ...state, title: choice.experiment.title } : [],
  )
  const dropped = before.findings.filter(({ code }) => !rest.findings.some((one) => one.code === code))
  const lines = dropped.map(({ code }) => {
    const by = done.filter(({ conclusion }) => conclusion.rulesOut.includes(code)).map(({ title }) => title)
    return `${code} (${CODES[code]}): ruled out by ${by.join(', ')}`
  })
  const torn = rest.findings.flatMap(({ code }) => {
    const no = done.filter(({ conclusion }) => conclusion.rulesOut.includes(code)).map(({ title }) => title)
    const yes = done.filter(({ conclusion }) => conclusion.confirms.includes(code)).map(({ title }) => title)
    return no.length > 0 && yes.length > 0 ? `${code}: ${yes.join(', ')} speak for it, ${no.join(', ')} against it` : []
  })
  const body = [...lines, ...torn].join('\n')
  return body === '' ? [] : [{ kind: 'text', title: 'Ruled out, and contradictions', body, folded: false }]
}

function loadingAction({ title, name }: Choice['experiment'], { id, target }: Attempt): Action {
  return {
    label: `${title} (operators)`,
    line: `smoke why --only ${name} --target ${target}`,
    style: 'plain',
    attempt: id,
  }
}

function again({ id, target }: Attempt): readonly Action[] {
  return [{ label: 'Retry', line: `retry --target ${target}`, style: 'plain', attempt: id }]
}

function jsonOf({ rows, purse, tools }: Inquiry, { number }: Attempt, rest: Diagnosis): unknown {
  return {
    target: tools.target.name,
    attempt: number,
    verdict: rest.verdict,
    code: rest.code,
    findings: rest.findings,
    tokens: purse.spent(),
    most_tokens: purse.most,
    experiments: rows.map(({ choice: { experiment, trial }, state, asked, tokens }) => ({
      name: experiment.name,
      requests: trial.requests.length,
      asked,
      tokens,
      ...(state.kind === 'concluded'
        ? { said: state.conclusion.said, confirms: state.conclusion.confirms, rules_out: state.conclusion.rulesOut }
        : { left_out: state.kind === 'left out' ? state.why : state.kind }),
    })),
  }
}
