import type { Report } from '../../../src/domain/report.ts'
import { report } from '../../../src/domain/report.ts'
import { fieldsIn } from '../../../src/lab/slack/json.ts'
import { golden } from '../../../src/surfaces/slack/golden.ts'

export const running = named('smoke-running')
export const healthy = named('smoke-healthy')

function named(name: string): Report {
  const found = golden().find((one) => one.name === name)
  if (found === undefined) throw new Error(`no golden report ${name}`)
  return found.report
}

const HOSTS = 100
export const CARDS = HOSTS * 8

/** 100 hosts with 8 cards each, the hottest first. */
export const cards: Report = report({
  tone: 'warning',
  status: 'degraded',
  title: `One of ${CARDS} cards is hot.`,
  tables: [
    {
      title: 'Cards, the hottest first',
      columns: ['Host', 'Card', 'Memory', 'Load', 'Temperature'],
      rows: Array.from({ length: CARDS }, (_, at) => [
        `node${1 + (at % HOSTS)}`,
        `${Math.floor(at / HOSTS)}`,
        `${81_559 - at * 17} MiB`,
        `${at % 101} %`,
        `${(95 - at / 10).toFixed(1)} °C`,
      ]),
    },
  ],
})

/** What each card's row says. */
export const cardRows: readonly string[] = cards.tables.flatMap(({ rows }) => rows.map((row) => row.join(' | ')))

/** The rows of cards in the blocks of a message, in their order, without the table's head and its note. */
export function cardRowsIn(blocks: unknown): readonly string[] {
  const rows = fieldsIn(blocks)
    .filter((block) => block['type'] === 'table')
    .flatMap((block) => block['rows'])
  const lines = rows.map((row) => fieldsIn(row).map((cell) => String(cell['text'])))
  return lines.filter(([host = '']) => host.startsWith('node')).map((cells) => cells.join(' | '))
}
