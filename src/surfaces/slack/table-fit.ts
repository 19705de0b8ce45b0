import type { Action, Fact, Report, ReportFile, Table } from '../../domain/report.ts'
import { count, counted } from '../../domain/report.ts'
import { cut, lengthOf } from './cut.ts'
import { escapedCost, oneLine } from './escape.ts'
import { saysAll } from './facts-line.ts'
import { fileFor } from './files.ts'
import { LIMITS } from './limits.ts'

/** A table as far as one message holds it, and the rows behind a button. */
export interface Fitted {
  readonly shown: Table
  /** what its title says about the rest */
  readonly notes: readonly string[]
  /** null where all is shown */
  readonly rest: Table | null
}

/** The first rows of a table, in the order of the command: the worst come first. Cells have one line each. */
export function fitTable(table: Table): Fitted {
  const all = columnsOf(table)
  const width = Math.min(all, LIMITS.table.columns)
  const columns = lined(table.columns, width)
  const rows = table.rows.map((row) => lined(row, width))
  const fit = rowsThatFit(columns, rows)
  const notes = [
    ...(all === width ? [] : [`first ${width} of ${all} columns`]),
    ...(fit === rows.length ? [] : [`first ${count(fit)} of ${count(rows.length)} rows`]),
  ]
  const shown = { title: noted(table.title, notes), columns, rows: rows.slice(0, fit) }
  return { shown, notes, rest: fit === rows.length ? null : { ...table, rows: table.rows.slice(fit) } }
}

/** What a title says about its table stays whole. */
function noted(title: string, notes: readonly string[]): string {
  const said = `(${notes.join(', ')})`
  return notes.length === 0 ? title : `${cut(oneLine(title), LIMITS.header - said.length - 1)} ${said}`
}

/** Facts that no line holds, as rows. */
export function factsTable(facts: readonly Fact[]): Table {
  return { title: 'Facts', columns: ['Fact', 'Value'], rows: facts.map(({ label, value }) => [label, value]) }
}

/** A report that fits: a button for the rows of each table that have no room, and a file for each text that is cut. */
export function fitted(report: Report): Report {
  const files = [...report.files]
  const tables = report.tables.map(fitTable)
  const facts = saysAll(report.facts) ? null : fitTable(factsTable(report.facts))
  const rests = [...tables.map(({ rest }) => rest), facts?.rest ?? null]
  const named = report.tables.length > 1 || facts !== null
  if (lengthOf(report.summary, escapedCost) > LIMITS.summary) fileFor(report.summary, SUMMARY, files)
  const shown = report.tables.map((table, at) => withFile(table, tables[at] ?? fitTable(table), files))
  if (facts !== null) withFile(factsTable(report.facts), facts, files)
  return {
    ...report,
    files,
    facts: report.facts.slice(0, facts?.shown.rows.length),
    tables: shown,
    actions: [...rests.flatMap((rest) => (rest === null ? [] : [reveal(rest, named)])), ...report.actions],
  }
}

const SUMMARY = { title: 'Summary', or: 'summary' }

/** What is shown of a table; where a cell of it is cut, its title names the file that has all of them. */
function withFile({ title, columns, rows }: Table, { shown, notes }: Fitted, files: ReportFile[]): Table {
  const whole = rows.slice(0, shown.rows.length)
  const cuts = whole.some((row, at) => row.some((cell, column) => isCut(cell, shown.rows[at]?.[column])))
  if (!cuts) return shown
  const text = whole.map((row) => row.map((cell, at) => `${columns[at] ?? at + 1}: ${cell}`).join('\n')).join('\n\n')
  const name = fileFor(text, { title, or: 'table' }, files)
  return { ...shown, title: noted(title, [...notes, `whole in ${name}`]) }
}

function isCut(cell: string, shown: string | undefined): boolean {
  return shown === undefined || (shown.endsWith('…') && shown !== oneLine(cell))
}

function reveal(rest: Table, named: boolean): Action {
  const title = counted(rest.rows.length, 'more row')
  return {
    label: named ? `Show ${title}: ${rest.title}` : `Show ${title}`,
    line: '',
    style: 'plain',
    reveals: { title: rest.title.trim() === '' ? title : `${rest.title}: ${title}`, tables: [rest] },
  }
}

/** At least one: Slack refuses a row without a cell. */
function columnsOf({ columns, rows }: Table): number {
  return rows.reduce((most, row) => Math.max(most, row.length), Math.max(1, columns.length))
}

function lined(cells: readonly string[], width: number): readonly string[] {
  const most = cellLength(width)
  return Array.from({ length: width }, (_, at) => cut(oneLine(cells[at] ?? ''), most))
}

/** Code points of one cell; a table is read at a glance, and its head and one row always fit. */
function cellLength(columns: number): number {
  return Math.min(300, Math.floor(CELLS / 2 / columns) - 1)
}

/** Code points of all cells, so that a table fits in one message with its title. */
const CELLS = 8_000

function rowsThatFit(columns: readonly string[], rows: Table['rows']): number {
  let room = CELLS - sizeOf(columns)
  const over = rows.findIndex((row) => {
    room -= sizeOf(row)
    return room < 0
  })
  const besidesHead = LIMITS.table.rows - 1
  return Math.min(over === -1 ? rows.length : over, besidesHead)
}

function sizeOf(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + lengthOf(cell) + 1, 0)
}
