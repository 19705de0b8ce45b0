import { isFault } from '../../domain/code.ts'
import type { Completion } from '../../domain/completion.ts'
import type { Diagnosis, Evidence, Finding } from '../../domain/finding.ts'
import type { Looked } from '../../domain/looked.ts'
import type { Section } from '../../domain/report.ts'
import { capital, count, seconds } from '../../domain/report.ts'
import type { Smoke } from '../../domain/smoke.ts'

/** The two channels, the tool calls, the diagnosis and what was looked at, each in a section of its own. */
export function smokeSections(
  { smoke }: Evidence,
  diagnosis: Diagnosis,
  attempt: number,
  looked: Looked | null = null,
): readonly Section[] {
  const sections = [
    ...(smoke === undefined ? [] : channels(smoke)),
    ...diagnosis.findings.map(diagnosed),
    ...lookedSection(looked),
  ]
  if (attempt === 1) return sections
  // a thread may hold many, and other messages between them
  return sections.map((section) => ({ ...section, title: `Attempt ${attempt}: ${section.title}` }))
}

function channels({ completion, failure, cut }: Smoke): readonly Section[] {
  if (completion === null) return []
  const ended = failure === null && cut === null
  return [reasoning(completion, ended), content(completion, ended), ...toolCalls(completion)]
}

function reasoning(completion: Completion, ended: boolean): Section {
  return {
    kind: 'reasoning',
    title: `Reasoning (${size(completion.reasoning, completion.tokens.reasoning, thinkingTime(completion))})`,
    body: said(completion.reasoning, 'reasoning', ended),
    folded: true,
  }
}

function content(completion: Completion, ended: boolean): Section {
  const { tokens, timing } = completion
  const own = tokens.completion === null || tokens.reasoning === null ? null : tokens.completion - tokens.reasoning
  const time = timing.firstContentMs === null ? null : timing.totalMs - timing.firstContentMs
  return {
    kind: 'content',
    title: `Content (${size(completion.content, own, time)})`,
    body: said(completion.content, 'content', ended),
    folded: false,
  }
}

function toolCalls(completion: Completion): readonly Section[] {
  if (completion.toolCalls.length === 0) return []
  const body = completion.toolCalls.map((call) => `${call.name}(${call.arguments})`).join('\n')
  return [{ kind: 'tool-calls', title: `Tool calls (${completion.toolCalls.length})`, body, folded: false }]
}

function thinkingTime({ timing }: Completion): number | null {
  if (timing.firstTokenMs === null) return null
  return (timing.firstContentMs ?? timing.totalMs) - timing.firstTokenMs
}

/** How much it was: tokens where the server counts them, else characters; and how long it took. */
function size(text: string | null, tokens: number | null, ms: number | null): string {
  if (text === null || text === '') return 'empty'
  const much = tokens === null ? `${count([...text].length)} characters` : `${count(tokens)} tokens`
  return ms === null ? much : `${much}, ${seconds(ms)}`
}

function said(text: string | null, channel: string, ended: boolean): string {
  if (text === null && !ended) return `No ${channel} had come when the answer broke off.`
  if (text === null) return `The server sent null: no ${channel} at all.`
  if (text === '') return `The server sent an empty text as ${channel}.`
  if (text.trim() === '') return `The server sent ${count(text.length)} blank characters as ${channel}.`
  return text
}

/** A line that begins with a command is pasted as it stands. */
const COMMAND =
  /^(?:sudo|systemctl|journalctl|nvidia-smi|rocm-smi|amd-smi|dkms|modprobe|rmmod|docker|pct|lxc-attach|kill|ps|ss|pip|apt|apt-get|echo|cat|df|dmesg|ldconfig|hf|git) /

/** One finding as a section: cause, evidence, what to do. */
export function diagnosed(finding: Finding): Section {
  const lines = [
    finding.cause,
    ...finding.because.map((line) => `• ${line}`),
    ...(finding.remedy.length === 0
      ? []
      : [
          'What to do:',
          ...finding.remedy.map((line, at) => `${at + 1}. ${COMMAND.test(line) ? line : capital(line)}`),
        ]),
    ...(finding.unless === undefined ? [] : [`Unless: ${finding.unless}`]),
    ...listed('Against it', finding.against),
    ...listed('It is not', finding.excludes),
    ...listed('Not known', finding.missing),
  ]
  const page = isFault(finding.code) ? ` (docs/problems/${finding.code}.md)` : ''
  return {
    kind: 'diagnosis',
    title: `Diagnosis: ${finding.code}, ${finding.confidence}${page}`,
    body: lines.join('\n'),
    folded: !isFault(finding.code),
  }
}

function listed(label: string, texts: readonly string[] | undefined): readonly string[] {
  return texts === undefined || texts.length === 0 ? [] : [`${label}: ${texts.join('; ')}`]
}

/** What a diagnosis had to go by, in one folded section; none where nobody looked. */
export function lookedSection(looked: Looked | null): readonly Section[] {
  if (looked === null) return []
  const gaps = looked.missing.map(({ what, why }) => `${what.join(', ')} (${why})`)
  const all = looked.seen.length + looked.missing.reduce((sum, { what }) => sum + what.length, 0)
  const lines = [...(looked.seen.length === 0 ? [] : [looked.seen.join('; ')]), ...listed('Not known', gaps)]
  const title = `Looked at: ${looked.seen.length} of ${all}`
  return lines.length === 0 ? [] : [{ kind: 'text', title, body: lines.join('\n'), folded: true }]
}
