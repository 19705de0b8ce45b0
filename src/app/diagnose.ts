import { title, toneOf } from '../commands/smoke/report.ts'
import { diagnosed } from '../commands/smoke/sections.ts'
import type { Finding } from '../domain/finding.ts'
import { redactor } from '../domain/redact.ts'
import type { Report } from '../domain/report.ts'
import { counted, report } from '../domain/report.ts'
import { sanitise } from '../domain/sanitise.ts'
import { exitStatus } from '../domain/verdict.ts'
import { jsonLine } from '../surfaces/terminal/json.ts'
import { paint } from '../surfaces/terminal/paint.ts'
import { renderReport } from '../surfaces/terminal/render.ts'
import type { Document } from './diagnose/document.ts'
import { wordsFor } from './diagnose/plain-words.ts'
import { readsIn } from './diagnose/reads.ts'
import { foreignWord, help, USAGE } from './diagnose/usage.ts'
import { refuser } from './refuse.ts'

interface Screen {
  write(text: string): unknown
  readonly isTTY?: boolean
}

interface Input extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean
}

/**
 * Judges recorded failures offline, without store and configuration. The exit status is that of the worst document; 2
 * where a line is no document, which is told on `err` while the others are judged. With --json a wrong use is one document.
 */
export async function diagnose(words: readonly string[], input: Input, out: Screen, err: Screen): Promise<number> {
  if (words.includes('--help') || words.includes('-h')) {
    out.write(help())
    return 0
  }
  const json = words.includes('--json')
  const refuse = refuser({ out, err, json })
  const foreign = words.find((word) => word !== '--json' && word !== '--full')
  if (foreign !== undefined) return refuse(2, foreignWord(clean(foreign)))
  if (input.isTTY === true) return refuse(2, USAGE)
  const style = paint(out.isTTY === true && !process.env['NO_COLOR'])
  const drawing = { style, clean, remembers: false, full: words.includes('--full') }
  const draw = (told: Report): string => (json ? jsonLine(told, redact) : `${renderReport(told, drawing)}\n`)
  const statuses: number[] = []
  const problems = complainer(err)
  for await (const { line, read } of readsIn(input)) {
    if (read.ok) out.write(draw(reportOf(read.document)))
    else problems.tell(line, read.problem, read.hint)
    statuses.push(read.ok ? exitStatus(read.document.finding.verdict) : 2)
  }
  problems.end()
  if (statuses.length === 0) return refuse(2, `diagnose: standard input is empty. ${USAGE}`)
  // a program reads one document, also where nothing was judged
  const first = problems.first()
  if (json && first !== null && statuses.every((status) => status === 2)) return refuse(2, first)
  return WORST_FIRST.find((status) => statuses.includes(status)) ?? 0
}

/** Tells of the first lines that are no documents, each hint once; of the others, which may be a whole log, how many. */
function complainer(err: Screen) {
  let count = 0
  let first: string | null = null
  const hinted = new Set<string>()
  return {
    tell(line: number, problem: string, hint: string | undefined) {
      count += 1
      first ??= `line ${line}: ${clean(problem)}.`
      if (count > MOST_TOLD) return
      const more = hint === undefined || hinted.has(hint) ? '' : `; ${hint}`
      if (hint !== undefined) hinted.add(hint)
      err.write(`line ${line}: ${clean(problem)}${more}.\n`)
    },
    first: () => first,
    end() {
      if (count > MOST_TOLD) err.write(`${counted(count - MOST_TOLD, 'more line')} that cannot be read.\n`)
    },
  }
}

const MOST_TOLD = 10

const redact = redactor([])
const clean = (text: string): string => redact(sanitise(text))

/** Wrong use before what is not fine, before what could not be told. */
const WORST_FIRST = [2, 1, 3, 0]

function reportOf(document: Document): Report {
  const { id, finding, parsed } = document
  const how = wordsFor(document)
  const name = id === null ? how : `${id}, ${how}`
  return report({
    tone: toneOf(finding.verdict),
    status: finding.verdict,
    title: title(finding, null),
    lead: name,
    sections: [diagnosed(finding)],
    json: { id, ...machineView(finding), parsed },
  })
}

function machineView({
  verdict,
  code,
  cause,
  because,
  remedy,
  confidence,
}: Finding): Omit<Finding, 'unless' | 'missing'> {
  return { verdict, code, cause, because, remedy, confidence }
}
