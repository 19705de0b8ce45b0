import type { Report, Table } from '../../domain/report.ts'
import { count, counted, report, seconds } from '../../domain/report.ts'
import { lead } from '../smoke/live.ts'
import type { Inquiry, Row } from './run.ts'

/** The message that lives while experiments run: one row each, filled in as they end. */
export function liveReport({ tools, puzzle, rows, purse, startedMs }: Inquiry): Report {
  const now = tools.clock.monotonic()
  const done = rows.filter(({ state }) => state.kind === 'concluded' || state.kind === 'left out').length
  const running = rows.find(({ state }) => state.kind === 'running')
  const doing = running === undefined ? '' : `, now ${running.choice.experiment.title}`
  const since = now - startedMs < 1000 ? '' : `: ${seconds(now - startedMs)}`
  return report({
    tone: 'running',
    status: 'running',
    title: `${done} of ${counted(rows.length, 'experiment')} done${doing}${since}`,
    summary: spentOf(purse),
    lead: lead(tools.ask, tools.target.name, puzzle.evidence.smoke?.request.prompt ?? ''),
    tables: [tableOf(rows)],
    actions: [{ label: 'Stop', line: tools.stopLine, style: 'danger' }],
  })
}

/** `3,412 of at most 20,000 tokens spent, read and written` */
export function spentOf({ spent, most }: Inquiry['purse']): string {
  return `${count(spent())} of at most ${count(most)} tokens spent, read and written`
}

export function tableOf(rows: readonly Row[]): Table {
  return {
    title: 'Experiments',
    columns: ['Experiment', 'Asked', 'What came', 'Speaks for', 'Rules out'],
    rows: rows.map((row) => [row.choice.experiment.title, asked(row), came(row), ...codes(row)]),
  }
}

function asked({ state, choice: { trial }, asked: sent, tokens }: Row): string {
  const all = trial.requests.length
  switch (state.kind) {
    case 'waiting':
      return `${counted(all, 'request')} to come`
    case 'running':
    case 'concluded':
      return `${sent} of ${counted(all, 'request')}, ${counted(tokens, 'token')}`
    case 'left out':
      return sent === 0 ? 'nothing' : `${sent} of ${counted(all, 'request')}, ${counted(tokens, 'token')}`
  }
}

function came({ state }: Row): string {
  switch (state.kind) {
    case 'waiting':
      return 'waits for its turn'
    case 'running':
      return 'under way'
    case 'concluded':
      return state.conclusion.said
    case 'left out':
      return LEFT_OUT[state.why]
  }
}

const LEFT_OUT = {
  settled: 'left out: nothing of what it separates is left',
  tokens: 'left out: it may take more tokens than are left (--tokens gives more)',
  stopped: 'left out: stopped before it came to anything',
  busy: 'left out: two runs on that target are under way',
} as const

/** Columns of a table are short: so many codes, the rest is counted. */
const SHOWN = 4

function codes({ state }: Row): readonly [string, string] {
  if (state.kind !== 'concluded') return ['–', '–']
  return [listed(state.conclusion.confirms), listed(state.conclusion.rulesOut)]
}

function listed(all: readonly string[]): string {
  const more = all.length > SHOWN ? ` and ${all.length - SHOWN} more` : ''
  return all.length === 0 ? '–' : `${all.slice(0, SHOWN).join(', ')}${more}`
}
