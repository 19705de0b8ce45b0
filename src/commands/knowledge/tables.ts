import type { Action, Report, Table } from '../../domain/report.ts'
import { counted } from '../../domain/report.ts'
import type { Known } from './known.ts'

/** Rows that are read at a glance; a chat has the others behind a button. */
const FIRST = 8

/** What is known in one table, worst first, and where each of it is from. In a terminal, which has no buttons, all rows are shown and --json has the sources. */
export function knownTables(all: readonly Known[], terminal: boolean): Pick<Report, 'tables' | 'actions'> {
  const rows = rowsOf(all)
  const [first, rest] = [rows.slice(0, FIRST), rows.slice(FIRST)]
  if (terminal || rest.length === 0) return { tables: [tableOf(TITLE, rows)], actions: terminal ? [] : [sources(all)] }
  const more = counted(rest.length, 'more row')
  return {
    tables: [tableOf(`${TITLE} (first ${FIRST} of ${rows.length} rows)`, first)],
    actions: [show(`Show ${more}`, `${TITLE}: ${more}`, tableOf(TITLE, rest)), sources(all)],
  }
}

const TITLE = 'Known, worst first'

type Rows = Table['rows']

/** What several sources say alike is one row. */
function rowsOf(all: readonly Known[]): Rows {
  const rows = all.map(({ holds, about, known, take }) => [`${holds ? '→ ' : ''}${about}`, known, take])
  return [...new Map(rows.map((row) => [row.join('\n'), row])).values()]
}

function tableOf(title: string, rows: Rows): Table {
  return { title, columns: ['About', 'Known', 'Do or set'], rows }
}

function sources(all: readonly Known[]): Action {
  return show('Show sources', 'Sources', sourceTable(all))
}

/** Each source once, with what it says something about. */
function sourceTable(all: readonly Known[]): Table {
  const bySource = Map.groupBy(all, ({ source, date }) => `${source}\n${date}`)
  return {
    title: 'Sources',
    columns: ['Source', 'Looked at', 'Says'],
    rows: [...bySource.values()].map((said) => [
      said[0]?.source ?? '',
      said[0]?.date ?? '',
      [...new Set(said.map(({ about }) => about))].join('; '),
    ]),
  }
}

function show(label: string, title: string, revealed: Table): Action {
  return { label, line: '', style: 'plain', reveals: { title, tables: [revealed] } }
}
