import type { Action, Report, Table } from '../../domain/report.ts'
import { count, counted } from '../../domain/report.ts'
import { cut, lengthOf } from './cut.ts'
import { oneLine } from './escape.ts'
import { LIMITS } from './limits.ts'

/** A table as far as one message holds it, and the rows behind a button. */
export interface Fitted {
  readonly shown: Table
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
  const title = notes.length === 0 ? table.title : `${cut(oneLine(table.title), TITLE)} (${notes.join(', ')})`
  const shown = { title, columns, rows: rows.slice(0, fit) }
  return { shown, rest: fit === rows.length ? null : { ...table, rows: table.rows.slice(fit) } }
}

/** Code points of a title before what it says about missing rows. */
const TITLE = 90

/** A report whose tables fit, with a button for the rows of each that do not. */
export function splitTables(report: Report): Report {
  const fitted = report.tables.map(fitTable)
  const reveals = fitted.flatMap(({ rest }) => (rest === null ? [] : [reveal(rest, fitted.length > 1)]))
  return { ...report, tables: fitted.map(({ shown }) => shown), actions: [...reveals, ...report.actions] }
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
