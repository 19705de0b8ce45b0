import { title, toneOf } from '../commands/smoke/report.ts'
import { diagnosed } from '../commands/smoke/sections.ts'
import type { Finding } from '../domain/finding.ts'
import { redactor } from '../domain/redact.ts'
import type { Report } from '../domain/report.ts'
import { report } from '../domain/report.ts'
import { sanitise } from '../domain/sanitise.ts'
import { exitStatus } from '../domain/verdict.ts'
import { jsonLine } from '../surfaces/terminal/json.ts'
import { paint } from '../surfaces/terminal/paint.ts'
import { renderReport } from '../surfaces/terminal/render.ts'
import type { Document } from './diagnose/document.ts'
import { readDocument } from './diagnose/document.ts'
import { textsIn } from './diagnose/lines.ts'

interface Screen {
  write(text: string): unknown
  readonly isTTY?: boolean
}

interface Input extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean
}

const USAGE = 'Usage: pilotflame diagnose [--json] [--full] < FILE, one JSON document a line: {"id", "kind", "input"}'

/**
 * Judges recorded failures offline, without store and configuration. The exit status is that of the worst document; 2
 * where a line is no document, which is told on `err` while the others are judged.
 */
export async function diagnose(words: readonly string[], input: Input, out: Screen, err: Screen): Promise<number> {
  const foreign = words.find((word) => word !== '--json' && word !== '--full')
  if (foreign !== undefined) return refuse(err, `diagnose: "${clean(foreign)}" is not known. ${USAGE}`)
  if (input.isTTY === true) return refuse(err, USAGE)
  const style = paint(out.isTTY === true && !process.env['NO_COLOR'])
  const drawing = { style, clean, remembers: false, full: words.includes('--full') }
  const draw = (told: Report): string =>
    words.includes('--json') ? jsonLine(told, redact) : `${renderReport(told, drawing)}\n`
  const statuses: number[] = []
  for await (const { line, text } of textsIn(input)) {
    const read = text === null ? TOO_LONG : readDocument(text)
    if (read.ok) out.write(draw(reportOf(read.document)))
    else err.write(`line ${line}: ${clean(read.problem)}.\n`)
    statuses.push(read.ok ? exitStatus(read.document.finding.verdict) : 2)
  }
  if (statuses.length === 0) return refuse(err, `diagnose: standard input is empty. ${USAGE}`)
  return WORST_FIRST.find((status) => statuses.includes(status)) ?? 0
}

function refuse(err: Screen, why: string): number {
  err.write(`${why}\n`)
  return 2
}

const TOO_LONG = { ok: false, problem: 'longer than 4 MiB, not read; cut the output in it to its two ends' } as const

const redact = redactor([])
const clean = (text: string): string => redact(sanitise(text))

/** Wrong use before what is not fine, before what could not be told. */
const WORST_FIRST = [2, 1, 3, 0]

function reportOf({ id, kind, finding, parsed }: Document): Report {
  const name = id === null ? `kind ${kind}` : `${id}, kind ${kind}`
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
