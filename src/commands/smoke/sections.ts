import type { Code } from '../../domain/code.ts'
import { CODES, isFault } from '../../domain/code.ts'
import type { Diagnosis, Evidence, Finding } from '../../domain/finding.ts'
import type { Looked } from '../../domain/looked.ts'
import type { Section } from '../../domain/report.ts'
import { capital, counted } from '../../domain/report.ts'
import { channels } from './channels.ts'

/** The two channels, the tool calls, the diagnosis and what was looked at, each in a section of its own. */
export function smokeSections(
  { smoke }: Evidence,
  diagnosis: Diagnosis,
  attempt: number,
  looked: Looked | null = null,
): readonly Section[] {
  const sections = [
    ...(smoke === undefined ? [] : channels(smoke)),
    diagnosisSection(diagnosis),
    ...lookedSection(looked),
  ]
  if (attempt === 1) return sections
  // a thread may hold many, and other messages between them
  return sections.map((section) => ({ ...section, title: `Attempt ${attempt}: ${section.title}` }))
}

/**
 * The leading finding whole, and of each other one a line. Several findings of one cause would else ask for the same thing
 * several times over, as if there were several things to do.
 */
export function diagnosisSection({ findings: [leading, ...others] }: Pick<Diagnosis, 'findings'>): Section {
  const same = others.filter((other) => pointsAt(leading, other))
  const section = sectionOf(leading, [
    ...listed(
      'Also points there',
      same.map(({ code }) => named(code)),
    ),
    ...alsoFound(others.filter((other) => !same.includes(other))),
  ])
  return { ...section, folded: [leading, ...others].every(({ code }) => !isFault(code)) }
}

/** One finding as a section: cause, evidence, what to do. */
export function diagnosed(finding: Finding): Section {
  return sectionOf(finding, [])
}

function sectionOf(finding: Finding, besides: readonly string[]): Section {
  const lines = [
    finding.cause,
    ...finding.because.map((line) => `• ${line}`),
    ...(finding.remedy.length === 0
      ? []
      : ['What to do:', ...finding.remedy.map((line, at) => `${at + 1}. ${asStep(line)}`)]),
    ...(finding.unless === undefined ? [] : [`Unless: ${finding.unless}`]),
    ...listed('Against it', finding.against),
    ...listed('It is not', finding.excludes),
    ...listed('Not known', finding.missing),
    ...besides,
  ]
  const page = isFault(finding.code) ? ` (docs/problems/${finding.code}.md)` : ''
  return {
    kind: 'diagnosis',
    title: `Diagnosis: ${finding.code}, ${finding.confidence}${page}`,
    body: lines.join('\n'),
    folded: !isFault(finding.code),
  }
}

/** A line that begins with a command is pasted as it stands. */
const COMMAND =
  /^(?:sudo|systemctl|journalctl|nvidia-smi|rocm-smi|amd-smi|dkms|modprobe|rmmod|docker|pct|lxc-attach|kill|ps|ss|pip|apt|apt-get|echo|cat|df|dmesg|ldconfig|hf|git|ls|curl|ping|py-spy|coredumpctl|ip|lspci|grep|nvcc|lsof|ollama|env|which|ldd|id|mount|umount|findmnt|ssh|ssh-keygen|ssh-keyscan|ssh-add) /

function asStep(line: string): string {
  return COMMAND.test(line) ? line : capital(line)
}

/** Whether the first thing to do for it is one that the leading finding asks for already. */
function pointsAt(leading: Finding, other: Finding): boolean {
  const [first] = other.remedy
  return first !== undefined && leading.remedy.some((step) => deedOf(step) === deedOf(first))
}

/** `Upgrade SGLang 0.5.9 to 0.5.11 or newer, then repeat this prompt.` → what is done, without what comes after it */
function deedOf(step: string): string {
  const [deed = ''] = step.split(/, (?:then|and) /, 1)
  return deed.replace(/\.$/, '').toLowerCase()
}

/** Findings that are told with a cause and a first step; the rest is named. */
const TOLD = 5

function alsoFound(others: readonly Finding[]): readonly string[] {
  const lines = others.slice(0, TOLD).map(({ code, confidence, cause, remedy: [first] }) => {
    const next = first === undefined ? '' : ` Next: ${asStep(first)}`
    return `Also found: ${code}, ${confidence}. ${capital(cause)}${next}`
  })
  return [
    ...lines,
    ...listed(
      'And',
      others.slice(TOLD).map(({ code }) => named(code)),
    ),
  ]
}

/** `version.too-old (The software is older than the model)` */
function named(code: Code): string {
  return `${code} (${CODES[code]})`
}

function listed(label: string, texts: readonly string[] | undefined): readonly string[] {
  return texts === undefined || texts.length === 0 ? [] : [`${label}: ${texts.join('; ')}`]
}

/** What a diagnosis had to go by, in one folded section; none where nobody looked. */
export function lookedSection(looked: Looked | null): readonly Section[] {
  if (looked === null) return []
  const gaps = looked.missing.map(({ what, why }) => `${what.join(', ')} (${why})`)
  const lines = [...(looked.seen.length === 0 ? [] : [looked.seen.join('; ')]), ...listed('Not known', gaps)]
  const unknown = looked.missing.reduce((sum, { what }) => sum + what.length, 0)
  const title = `Looked at for this diagnosis: ${counted(looked.seen.length, 'thing')}${unknown === 0 ? '' : `, ${unknown} not known`}`
  return lines.length === 0 ? [] : [{ kind: 'text', title, body: lines.join('\n'), folded: true }]
}
