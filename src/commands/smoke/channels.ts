import type { Completion } from '../../domain/completion.ts'
import type { Section } from '../../domain/report.ts'
import { count, seconds } from '../../domain/report.ts'
import type { Smoke } from '../../domain/smoke.ts'

/** What the model thought, what it said and what it called, each in a section of its own. */
export function channels({ completion, failure, cut }: Smoke): readonly Section[] {
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
