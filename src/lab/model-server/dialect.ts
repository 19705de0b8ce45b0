import type { Piece, ToolCall } from '../../domain/completion.ts'
import type { Question, Speech } from '../story.ts'

/** One answer as SGLang words it; what differs between versions is asked of `version` (sglang.md 2.1, 2.3). */
export interface Wording {
  readonly id: string
  readonly model: string
  readonly version: string
  /** epoch seconds */
  readonly created: number
}

/** How an answer ended, and what it cost. */
export interface Ended {
  readonly finish: Speech['finish'] | 'length'
  readonly stop: Speech['stop']
  readonly promptTokens: number
  readonly completionTokens: number
  readonly reasoningTokens: number
}

/** SGLang's flat error body. */
export function flatError(code: number, type: string, message: string): unknown {
  return { object: 'error', message, type, param: null, code }
}

/** The answer to a request that does not stream. */
export function wholeAnswer(
  words: Wording,
  said: { readonly reasoning: string; readonly content: string; readonly toolCalls: readonly ToolCall[] },
  ended: Ended,
): unknown {
  const message = {
    role: 'assistant',
    content: said.content === '' ? emptyText(words.version) : said.content,
    reasoning_content: said.reasoning === '' ? null : said.reasoning,
    tool_calls: said.toolCalls.length === 0 ? null : said.toolCalls.map(calledTool),
  }
  const choice = { index: 0, message, logprobs: null, finish_reason: ended.finish, matched_stop: ended.stop }
  return {
    ...head(words, 'chat.completion'),
    choices: [choice],
    usage: usage(words.version, ended),
    metadata: { weight_version: 'default' },
  }
}

/** The first chunk: a role and an empty text. */
export function roleChunk(words: Wording): unknown {
  return chunk(words, { role: 'assistant', content: '' })
}

export function pieceChunk(words: Wording, piece: Piece): unknown {
  return chunk(words, piece.channel === 'content' ? { content: piece.text } : { reasoning_content: piece.text })
}

export function toolChunk(words: Wording, call: ToolCall, index: number): unknown {
  return chunk(words, { tool_calls: [calledTool(call, index)] })
}

export function finishChunk(words: Wording, ended: Ended): unknown {
  return chunk(words, {}, { finish_reason: ended.finish, matched_stop: ended.stop })
}

/** Comes after the finish where the request set `stream_options.include_usage`. */
export function usageChunk(words: Wording, ended: Ended): unknown {
  return { ...head(words, 'chat.completion.chunk'), choices: [], usage: usage(words.version, ended) }
}

/** An error in mid-stream stands inside an `error` key (sglang.md 1.5). */
export function errorChunk(message: string): unknown {
  return { error: flatError(500, 'InternalServerError', message) }
}

/** Since 0.5.10 an abort is an error chunk; before, it is a finish reason. */
export function abortsAsError(version: string): boolean {
  return atLeast(version, [0, 5, 10])
}

/** Tokens of a text, roughly; the lab has no tokenizer. */
export function roughTokens(question: Question): number {
  return 10 + Math.ceil(question.prompt.length / 4)
}

type Delta = Readonly<Record<string, unknown>>

/** Before 0.5.13 every key stands in a delta, as null. */
function chunk(words: Wording, delta: Delta, end: Delta = { finish_reason: null, matched_stop: null }): unknown {
  const sparse = atLeast(words.version, [0, 5, 13])
  const nulls = sparse
    ? { reasoning_content: null }
    : { role: null, content: null, reasoning_content: null, tool_calls: null }
  const choice = { index: 0, delta: { ...nulls, ...delta }, logprobs: null, ...end }
  return { ...head(words, 'chat.completion.chunk'), choices: [choice], ...(sparse ? {} : { usage: null }) }
}

function head({ id, created, model }: Wording, object: string): Delta {
  return { id, object, created, model }
}

function usage(version: string, ended: Ended): unknown {
  return {
    prompt_tokens: ended.promptTokens,
    total_tokens: ended.promptTokens + ended.completionTokens,
    completion_tokens: ended.completionTokens,
    prompt_tokens_details: null,
    reasoning_tokens: atLeast(version, [0, 5, 10]) ? ended.reasoningTokens : 0,
  }
}

function calledTool(call: ToolCall, index: number): unknown {
  return { id: `call_${index}`, index, type: 'function', function: { name: call.name, arguments: call.arguments } }
}

/** An empty text was null until 0.5.12.post1. */
function emptyText(version: string): '' | null {
  return atLeast(version, [0, 5, 13]) ? '' : null
}

function atLeast(version: string, wanted: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10))
  for (const [index, want] of wanted.entries()) {
    const have = parts[index] ?? 0
    if (have !== want) return have > want
  }
  return true
}
