/** The two channels of a reasoning model's answer; they are never mixed. */
export type Channel = 'reasoning' | 'content'

/**
 * One chat answer in one shape for all engines.
 * `null` means that the server sent nothing (no key, or null), `''` that it sent an empty text.
 */
export interface Completion {
  readonly reasoning: string | null
  readonly content: string | null
  readonly toolCalls: readonly ToolCall[]
  /** finish_reason as sent: stop, length, tool_calls, abort … */
  readonly finish: string | null
  /** what ended it: a token id, a stop word, SGLang's "NaN happened"; null where the engine does not say */
  readonly stop: number | string | null
  readonly tokens: Tokens
  /** the model name that the answer carries; SGLang echoes the request here */
  readonly model: string | null
  readonly timing: Timing
  /** pieces of text that arrived; a piece is not a token */
  readonly pieces: number
}

export interface ToolCall {
  readonly name: string
  /** JSON text as the model wrote it, maybe broken */
  readonly arguments: string
}

/** Token counts from `usage`; null where the server did not say. */
export interface Tokens {
  readonly prompt: number | null
  readonly completion: number | null
  /** null where the engine does not count them (SGLang to 0.5.9 sends a constant 0) */
  readonly reasoning: number | null
  readonly cached: number | null
}

/** Milliseconds from the moment the request was sent; null where it never happened. */
export interface Timing {
  readonly firstTokenMs: number | null
  readonly firstContentMs: number | null
  readonly totalMs: number
  /** completion tokens (from usage) a second, first to last token; null without usage */
  readonly tokensPerSecond: number | null
}

/** A piece of a stream as it arrived. */
export interface Piece {
  readonly channel: Channel
  readonly text: string
}

export const NO_TOKENS: Tokens = { prompt: null, completion: null, reasoning: null, cached: null }
