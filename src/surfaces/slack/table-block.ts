import type { SectionBlock, TableBlock } from '@slack/types'
import type { Fact, Table } from '../../domain/report.ts'
import { count } from '../../domain/report.ts'
import type { Can } from './abilities.ts'
import { cut, lengthOf, pieces } from './cut.ts'
import { breakFences, cutForMarkup, escapedCost, FENCE_COST, fence, mrkdwn, mrkdwnObject, oneLine } from './escape.ts'
import { heading } from './heading.ts'
import { excerptOf, replies, titled } from './in-words.ts'
import { LIMITS } from './limits.ts'
import type { Drawn, Part } from './pages.ts'
import { factsTable, fitTable } from './table-fit.ts'

/** A table under its title; where tables are refused, aligned in code; where blocks are, the same in replies of words. */
export function tablePart(table: Table): Drawn {
  const { shown } = fitTable(table)
  const title = cut(oneLine(shown.title), LIMITS.header)
  return (can) => {
    const text = excerptOf(title, lines(shown))
    if (!can.blocks) return replies(title, lines(shown))
    return can.table ? [{ blocks: [heading(title), grid(shown)], text }] : inCode(title, shown, can)
  }
}

/** Of a table in a message that still changes: rows, and code points of all of them in markup. */
const GLANCE = { rows: 20, text: 1_500 }

/** The first rows of a table in a message that still changes. In code on every rung: it must stay one message. */
export function glancePart(table: Table): Drawn {
  const { columns, rows } = fitTable({ ...table, rows: table.rows.slice(0, GLANCE.rows) }).shown
  const all = breakFences(lines({ title: '', columns, rows })).split('\n')
  let room = GLANCE.text
  const over = all.findIndex((line) => {
    room -= lengthOf(line, escapedCost) + 1
    return room < 0
  })
  const shown = over === -1 ? all : all.slice(0, over)
  const more = table.rows.length - (shown.length - 1)
  const text = fence([...shown, ...(more > 0 ? [`… and ${count(more)} more`] : [])].join('\n'))
  return ({ blocks, expand }) => {
    const section: SectionBlock = { type: 'section', text: mrkdwnObject(text), ...(expand ? { expand: true } : {}) }
    return [{ blocks: blocks ? [section] : [], text }]
  }
}

/** Facts as a table of two columns: label and value. */
export function factsPart(facts: readonly Fact[]): Drawn {
  const { shown } = fitTable(factsTable(facts))
  const words = shown.rows.map((row) => row.join(': ')).join('\n')
  const text = mrkdwn`${cutForMarkup(words, LIMITS.text - 1_000)}`
  return (can) => {
    if (!can.blocks) return replies('Facts', words)
    return can.table ? [{ blocks: [grid(shown)], text }] : inCode('Facts', shown, can)
  }
}

function grid(table: Table): TableBlock {
  const { columns, rows } = table
  return {
    type: 'table',
    column_settings: columns.map((_, at) =>
      isFigures(table, at) ? { align: 'right', is_wrapped: false } : { is_wrapped: true },
    ),
    rows: [columns, ...rows].map((row) => columns.map((_, at) => cell(row[at] ?? ''))),
  }
}

function cell(text: string): { type: 'raw_text'; text: string } {
  return { type: 'raw_text', text: text.trim() === '' ? '–' : text }
}

/** `41 %`, `1,024 MiB`, `-3.5` */
const FIGURE = /^[-+−]?\d[\d.,]*(?:\s?(?:%|°C|[a-zA-Z]{1,3}(?:\/s)?))?$/

/** Whether a column holds figures alone, so that they stand one under the other. */
function isFigures({ rows }: Table, at: number): boolean {
  const cells = rows.map((row) => row[at]?.trim() ?? '').filter((text) => !/^[–-]?$/.test(text))
  return cells.length > 0 && cells.every((text) => FIGURE.test(text))
}

/** Aligned text in sections as large as Slack takes. */
function inCode(title: string, table: Table, can: Can): readonly Part[] {
  const parts = pieces(breakFences(lines(table)), LIMITS.section - FENCE_COST, escapedCost)
  return parts.map((code, at) => {
    const part = ({ expand }: Can): Part => {
      const body: SectionBlock = {
        type: 'section',
        text: mrkdwnObject(fence(code)),
        ...(expand ? { expand: true } : {}),
      }
      const name = at === 0 ? title : `${titled(title)}, continued`
      return {
        blocks: at === 0 ? [heading(title), body] : [body],
        text: excerptOf(name, code),
        below: (less) => (less.blocks ? [part(less)] : replies(name, code)),
      }
    }
    return part(can)
  })
}

/** A cell that is longer than this does not widen its column. */
const WIDEST = 40
/** Code points from which alignment costs more than it helps. */
const ALIGNED = 9_000

/** The rows as text, aligned where that keeps them short. */
function lines(table: Table): string {
  const { columns, rows } = table
  const all = [columns, ...rows]
  const widths = columns.map((_, at) => Math.min(WIDEST, Math.max(...all.map((row) => lengthOf(row[at] ?? '')))))
  const right = columns.map((_, at) => isFigures(table, at))
  const padded = all.map((row) =>
    row
      .map((text, at) => {
        const gap = ' '.repeat(Math.max(0, (widths[at] ?? 0) - lengthOf(text)))
        return right[at] === true ? `${gap}${text}` : `${text}${gap}`
      })
      .join('  ')
      .trimEnd(),
  )
  const aligned = padded.join('\n')
  return aligned.length <= ALIGNED ? aligned : all.map((row) => row.join('  ')).join('\n')
}
