import type { Channel, Completion } from '../domain/completion.ts'
import { excerpt, excerptOfEnd } from '../domain/excerpt.ts'
import type { Evidence, Finding } from '../domain/finding.ts'
import { count, counted } from '../domain/report.ts'
import type { Smoke, SmokeRequest } from '../domain/smoke.ts'

/** An answer that the server itself ended: no failure, not cut by us, not stopped by a person. */
export interface Ended {
  readonly request: SmokeRequest
  readonly completion: Completion
}

/** Null where there is no such answer; most rules about answers have nothing to say then. */
export function endedAnswer({ smoke }: Evidence): Ended | null {
  if (smoke?.completion == null || smoke.failure !== null || wasInterrupted(smoke)) return null
  return { request: smoke.request, completion: smoke.completion }
}

function wasInterrupted(smoke: Smoke): boolean {
  return smoke.cut !== null || smoke.stoppedBy !== null
}

/** Null, empty and nothing but white space are all no text; `saidOf` keeps them apart for people. */
export function isBlank(text: string | null): boolean {
  return text === null || text.trim() === ''
}

/** Whether an answer carries nothing at all: no text in either channel, no tool call. */
export function isSilent({ content, reasoning, toolCalls }: Completion): boolean {
  return isBlank(content) && isBlank(reasoning) && toolCalls.length === 0
}

/** Within this share of the budget it counts as spent, whatever the finish says (case A-15: "stop" at 1996 of 2000). */
const SPENT = 0.95

export function budgetSpent(completion: Completion, request: SmokeRequest): boolean {
  return completion.finish === 'length' || usedOf(completion, request) >= SPENT * request.budget
}

/** Tokens used; where the server counts none, about as many as pieces came, or one for four characters. */
function usedOf({ tokens, pieces, content, reasoning }: Completion, { stream }: SmokeRequest): number {
  if (tokens.completion !== null) return tokens.completion
  return stream ? pieces : ((content ?? '').length + (reasoning ?? '').length) / 4
}

/** What is missing to be sure of a budget that is only estimated. */
export function uncounted({ tokens }: Completion): Pick<Finding, 'missing'> {
  return tokens.completion === null ? { missing: ['usage.completion_tokens'] } : {}
}

/** The engine says that its numbers are none (SGLang "NaN happened", schedule_batch.py, since 0.4.9.post4). */
export function saysNan({ stop }: Completion): boolean {
  return typeof stop === 'string' && /^nan\b/i.test(stop)
}

/** `2 of 200 tokens used, finish "stop", stop token 248046` */
export function endOf({ completion, request }: Ended): string {
  return [spentOf(completion.tokens.completion, request), finishOf(completion), ...stopOf(completion)].join(', ')
}

function spentOf(used: number | null, { budget }: SmokeRequest): string {
  if (Number.isFinite(budget))
    return used === null
      ? `budget ${counted(budget, 'token')}, none counted by the server`
      : `${count(used)} of ${counted(budget, 'token')} used`
  return used === null
    ? 'no budget named, no token counted by the server'
    : `${counted(used, 'token')} used, no budget named`
}

function finishOf({ finish }: Completion): string {
  return finish === null ? 'no finish' : `finish "${headOf(finish)}"`
}

function stopOf({ stop }: Completion): string[] {
  if (stop === null) return []
  return [typeof stop === 'number' ? `stop token ${stop}` : `stop word "${headOf(stop)}"`]
}

/** `content: the server sent null` · `reasoning: 812 characters` */
export function saidOf(channel: Channel, text: string | null): string {
  if (text === null) return `${channel}: the server sent null`
  if (text === '') return `${channel}: an empty text`
  const size = counted(text.length, 'character')
  return text.trim() === '' ? `${channel}: ${size}, all white space` : `${channel}: ${size}`
}

/** The beginning of a text in quotes that it does not hold itself, as a rule; nothing in it is escaped. */
export function quoted(text: string, length = QUOTED): string {
  return `“${headOf(text, length)}”`
}

/** The end of a text on one line, in quotes. */
export function quotedEnd(text: string): string {
  return `“${excerptOfEnd(onOneLine(text.slice(-ENOUGH)), QUOTED)}”`
}

const QUOTED = 60
/** Characters that are looked at for a quotation; the rest of them may be white space. */
const ENOUGH = 2000

function headOf(text: string, length = QUOTED): string {
  return excerpt(onOneLine(text.slice(0, ENOUGH)), length)
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
