import type { SectionBlock, TableBlock } from '@slack/types'
import type { Fact, Table } from '../../domain/report.ts'
import { count } from '../../domain/report.ts'
import { cut } from './cut.ts'
import { cutForMarkup, fence, mrkdwn, mrkdwnObject } from './escape.ts'
import { LIMITS } from './limits.ts'
import type { Part } from './pages.ts'

/** Code points of one cell; a table is read at a glance. */
const CELL = 300
/** Code points of all cells, so that a table fits in one message with its title. */
const CELLS = 8_000

/** Code points of a table in the words that stand in for the blocks. */
const IN_WORDS = 1_000

/** A table under its title. Rows that do not fit are counted in the last row. */
export function tablePart(table: Table): Part {
  const rows = table.rows.map((row) => row.map((cell) => cut(cell, CELL)))
  const kept = rows.slice(0, rowsThatFit(rows))
  const missing = rows.length - kept.length
  const more = missing === 0 ? [] : [[`… and ${count(missing)} more rows`]]
  const shown = [table.columns.map((cell) => cut(cell, CELL)), ...kept, ...more]
  return {
    blocks: [heading(table.title), grid(shown, table.columns.length)],
    text: mrkdwn`*${cut(table.title, LIMITS.header)}*\n${fence(cutForMarkup(shown.map((row) => row.join('  ')).join('\n'), IN_WORDS))}`,
  }
}

/** Facts as a table of two columns: label and value. */
export function factsPart(facts: readonly Fact[]): Part {
  const rows = [['Fact', 'Value'], ...facts.map(({ label, value }) => [cut(label, CELL), cut(value, CELL)])]
  return {
    blocks: [grid(rows.slice(0, LIMITS.table.rows), 2)],
    text: mrkdwn`${cutForMarkup(facts.map(({ label, value }) => `${label}: ${value}`).join('\n'), IN_WORDS)}`,
  }
}

/** The line of a message that says the most important facts. */
export function factsLine(facts: readonly Fact[]): string {
  return facts.map(({ label, value }) => `${label}: ${value}`).join('  ·  ')
}

function heading(title: string): SectionBlock {
  return { type: 'section', text: mrkdwnObject(mrkdwn`*${cut(title, LIMITS.header)}*`) }
}

function grid(rows: readonly (readonly string[])[], columns: number): TableBlock {
  const width = Math.min(columns, LIMITS.table.columns)
  return {
    type: 'table',
    column_settings: Array.from({ length: width }, () => ({ is_wrapped: true })),
    rows: rows.map((row) => Array.from({ length: width }, (_, at) => cell(row[at] ?? ''))),
  }
}

function cell(text: string): { type: 'raw_text'; text: string } {
  return { type: 'raw_text', text: text.trim() === '' ? '–' : text }
}

function rowsThatFit(rows: readonly (readonly string[])[]): number {
  let room = CELLS
  const over = rows.findIndex((row) => {
    room -= row.reduce((sum, text) => sum + text.length + 1, 0)
    return room < 0
  })
  if (over === -1 && rows.length < LIMITS.table.rows) return rows.length
  const besidesHeaderAndCount = LIMITS.table.rows - 2
  return over === -1 ? besidesHeaderAndCount : Math.min(over, besidesHeaderAndCount)
}
