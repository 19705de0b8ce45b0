import type { Completion } from '../../src/domain/completion.ts'
import type { Engine, EngineInfo, EngineLoad } from '../../src/domain/engine.ts'

/** How one engine answers on the wire, in one of its versions: the fixtures of its tests. */
export interface Dialect {
  readonly engine: Engine
  /** `SGLang 0.5.9` */
  readonly name: string
  /** bodies by path and query: JSON, or a text as it is; a path that is missing answers 404 */
  readonly facts: Readonly<Record<string, unknown>>
  readonly info: Partial<EngineInfo>
  readonly load: EngineLoad
  /** body of a 404 for a route that it does not have */
  readonly noRoute: string
  readonly answers: Readonly<Record<Case, Recorded>>
  /** what a request says so that the model does not think */
  readonly thinkingOff: object
  /** an event that tells of an error in the middle of a stream, and what it says */
  readonly errorEvent: { readonly data: unknown; readonly kind: string; readonly says: string }
  readonly refusals: readonly Refusal[]
}

/** What every engine must be able to say. */
export type Case = 'both' | 'nothing' | 'thinking-only' | 'content-only' | 'tool-call'

export interface Recorded {
  /** the whole JSON body */
  readonly whole: string
  /** the SSE text of the same answer */
  readonly stream: string
  /** what must be read from either */
  readonly read: Partial<Completion>
  /** where the two differ: what the stream says else */
  readonly readStream?: Partial<Completion>
}

export interface Refusal {
  readonly status: number
  readonly body: string
  readonly kind: string
  readonly says: string
}

/** What a model says, before an engine words it. */
export interface Said {
  readonly reasoning: string | null
  readonly content: string | null
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
  readonly finish: 'stop' | 'length' | 'tool_calls'
  readonly prompt: number
  readonly tokens: number
  readonly reasoningTokens: number
}

const SAYINGS: Readonly<Record<Case, Said>> = {
  both: said({ reasoning: 'A greeting.', content: 'Hello! 你好 🚀', tokens: 22, reasoningTokens: 14 }),
  // the field story: two tokens and nothing (case A-01)
  nothing: said({ tokens: 2 }),
  // the field story: reasoning that ate the budget under finish "stop" (case A-15)
  'thinking-only': said({
    reasoning: 'Understand User Request: one Python function. Define Prime Number: divisible only by 1 and itself.',
    prompt: 40,
    tokens: 1996,
    reasoningTokens: 1996,
  }),
  'content-only': said({ content: '2 + 2 = 2.', finish: 'length', prompt: 12, tokens: 200 }),
  'tool-call': said({
    reasoning: 'I call it.',
    calls: [
      { name: 'weather', arguments: '{"city":"Ulm"}' },
      { name: 'weather', arguments: '{"city":"Bonn"}' },
    ],
    finish: 'tool_calls',
    prompt: 80,
    tokens: 30,
    reasoningTokens: 6,
  }),
}

export function said(given: Partial<Said>): Said {
  const nothing = { reasoning: null, content: null, calls: [], finish: 'stop', reasoningTokens: 0 } as const
  return { ...nothing, prompt: 16, tokens: 9, ...given }
}

/** The five answers as one engine words them. */
export function inWords(record: (said: Said) => Recorded): Dialect['answers'] {
  return {
    both: record(SAYINGS.both),
    nothing: record(SAYINGS.nothing),
    'thinking-only': record(SAYINGS['thinking-only']),
    'content-only': record(SAYINGS['content-only']),
    'tool-call': record(SAYINGS['tool-call']),
  }
}

/** What of `read` is the same in every dialect. */
export function readOf({ reasoning, calls, finish }: Said): Partial<Completion> {
  return { reasoning, toolCalls: calls, finish }
}

/** A text as a stream brings it. */
export function inPieces(text: string | null): readonly string[] {
  return (text ?? '').match(/.{1,5}/gsu) ?? []
}

/** Deltas for tool calls as most engines stream them: the name first, then the arguments bit by bit, by index. */
export function callDeltas(calls: Said['calls']): readonly object[] {
  return calls.flatMap(({ name, arguments: text }, index) => [
    { tool_calls: [{ id: `call_${index}`, type: 'function', index, function: { name, arguments: '' } }] },
    ...inPieces(text).map((part) => ({ tool_calls: [{ index, function: { arguments: part } }] })),
  ])
}

export function wholeCalls(calls: Said['calls']): readonly object[] {
  return calls.map((call, index) => ({ id: `call_${index}`, type: 'function', function: call }))
}

/** SSE text of chunks, ended by [DONE]. */
export function sse(chunks: readonly unknown[]): string {
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')
}
