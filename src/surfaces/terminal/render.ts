import type { Report, Section } from '../../domain/report.ts'
import { count } from '../../domain/report.ts'
import { aligned } from './columns.ts'
import type { Style } from './paint.ts'
import { SYMBOLS } from './paint.ts'
import { pairLines, tableLines } from './table.ts'

export interface Drawing {
  readonly style: Style
  /** folded sections whole */
  readonly full: boolean
  readonly remembers: boolean
  /** columns of the screen; absent in a pipe, where a row is a line */
  readonly columns?: number
  /** sanitises and redacts; everything that came from outside goes through it before it is cut */
  clean(text: string): string
}

/** A report as text: verdict line, who asked what, facts, sections, tables, what to type next. */
export function renderReport(report: Report, drawing: Drawing): string {
  const { style, clean } = drawing
  const width = (drawing.columns ?? Number.POSITIVE_INFINITY) - INDENT
  const line = (text: string): string => clean(text).replaceAll(/\s+/g, ' ')
  // spaces that do not break stay until the table is folded
  const cell = (text: string): string => clean(text).replaceAll(/[^\S\u00a0]+/g, ' ')
  const blocks = [
    [
      style.tone(report.tone, `${SYMBOLS[report.tone]} ${line(report.title)}`),
      ...(report.lead === '' ? [] : [`  ${line(report.lead)}`]),
    ],
    indented(
      pairLines(
        report.facts.map(({ label, value }) => [line(label), line(value)] as const),
        width,
      ),
    ),
    ...report.sections.map((section) => sectionLines(section, drawing)),
    ...report.tables.map(({ title, columns, rows }) => [
      style.bold(line(title)),
      ...indented(
        tableLines(
          columns.map(line),
          rows.map((row) => row.map(cell)),
          width,
        ).map((text) => text.replaceAll('\u00a0', ' ')),
      ),
    ]),
    drawing.remembers ? actionLines(report, style) : [],
  ]
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`
}

function sectionLines(section: Section, { style, clean, full }: Drawing): readonly string[] {
  const body = clean(section.body).split('\n')
  const lines = section.folded && !full ? shortened(body) : body
  const shade = section.kind === 'reasoning' ? style.dim : (text: string): string => text
  return [style.bold(clean(section.title)), ...indented(lines.map(shade))]
}

const HEAD = 6
const TAIL = 3
const LONGEST_LINE = 400

/** Head and tail of a long text, with what is missing between them. */
function shortened(lines: readonly string[]): readonly string[] {
  const cut = lines.map((line) => (line.length > LONGEST_LINE ? middleCut(line) : line))
  if (cut.length <= HEAD + TAIL + 1) return cut
  const missing = lines.slice(HEAD, -TAIL)
  const note = `… ${count(missing.length)} lines, ${count(missing.join('\n').length)} characters more (--full shows them) …`
  return [...cut.slice(0, HEAD), note, ...cut.slice(-TAIL)]
}

function middleCut(line: string): string {
  const characters = [...line]
  const [head, tail] = [characters.slice(0, 250), characters.slice(-100)]
  const missing = characters.length - head.length - tail.length
  return missing <= 0
    ? line
    : `${head.join('')} … ${count(missing)} characters more (--full shows them) … ${tail.join('')}`
}

/** Lines that a shell takes as they are; others, with a $ or a quote in a prompt, are not offered for copying. */
const SHELL_SAFE = /^[\w .,=:/@+"-]*$/

function actionLines({ actions }: Report, style: Style): readonly string[] {
  // what only a press shows has no line
  const safe = actions.filter(({ line }) => line !== '' && SHELL_SAFE.test(line))
  if (safe.length === 0) return []
  const rows = aligned(safe.map(({ line, label }) => [`pilotflame ${line}`, label]))
  return [style.bold('Next'), ...indented(rows)]
}

const INDENT = 2

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === '' ? '' : `${' '.repeat(INDENT)}${line}`))
}
