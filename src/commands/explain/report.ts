import { isFault } from '../../domain/code.ts'
import type { Tools } from '../../domain/command.ts'
import { excerpt } from '../../domain/excerpt.ts'
import type { Finding } from '../../domain/finding.ts'
import type { Report, Section } from '../../domain/report.ts'
import { counted, report } from '../../domain/report.ts'
import { sanitise } from '../../domain/sanitise.ts'
import type { Explained } from '../../domain/shown.ts'
import { summary, title, toneOf } from '../smoke/report.ts'
import { diagnosed } from '../smoke/sections.ts'
import type { Material } from './material.ts'

/** What was found in what somebody showed. Nothing of it is kept. */
export async function explainedReport(
  material: readonly Material[],
  { redact, explain, ask }: Pick<Tools, 'redact' | 'explain' | 'ask'>,
): Promise<Report> {
  const found: Named[] = []
  const problems: string[] = []
  for (const { name, text } of material) {
    const shown = name === null ? 'a pasted text' : excerpt(redact(sanitise(name)), 80)
    // hiding secrets in a megabyte takes a while: others get their turn before the next one
    await new Promise(setImmediate)
    // before it is judged, since findings quote it
    const read = text.ok ? await explain(redact(text.value)) : text
    if (read.ok) found.push(...read.value.map((one) => ({ ...one, name: shown })))
    else problems.push(`${shown}: ${read.failure.observed}. Next: ${read.failure.next}.`)
  }
  const [worst] = found.toSorted((one, other) => weight(one.finding) - weight(other.finding))
  return worst === undefined ? unread(problems) : told(worst, found, problems, ask.person.name)
}

interface Named extends Explained {
  readonly name: string
}

/** What is wrong comes before what could not be told, and that before what is fine. */
function weight({ code, verdict }: Finding): number {
  if (isFault(code) && verdict !== 'inconclusive') return 0
  return verdict === 'inconclusive' ? 1 : 2
}

function told(worst: Named, found: readonly Named[], problems: readonly string[], by: string): Report {
  const { finding } = worst
  return report({
    tone: toneOf(finding.verdict),
    status: finding.verdict,
    title: title(finding, null),
    summary: summary({ ...finding, findings: [finding] }),
    lead: `${by} showed ${found.map(({ name, what }) => `${name}, ${what}`).join('; ')}`,
    sections: [...found.map((one) => sectionOf(one, found.length)), ...notRead(problems)],
    json: { explained: found.map(({ name, what, finding: one }) => ({ name, what, ...one })), not_read: problems },
  })
}

function sectionOf({ name, finding }: Named, all: number): Section {
  const section = diagnosed(finding)
  return all === 1 ? section : { ...section, title: `${name}: ${section.title}` }
}

function notRead(problems: readonly string[]): readonly Section[] {
  if (problems.length === 0) return []
  return [
    { kind: 'text', title: `Not read: ${counted(problems.length, 'text')}`, body: problems.join('\n'), folded: false },
  ]
}

function unread(problems: readonly string[]): Report {
  return report({ tone: 'warning', status: 'failed', title: 'Not explained.', summary: problems.join('\n') })
}
