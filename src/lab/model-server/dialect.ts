import type { Piece, ToolCall } from '../../domain/completion.ts'
import type { Question, Speech } from '../story.ts'

/** How one engine, in one version, words what a model of the lab says and is. All but texts is JSON. */
export interface Dialect {
  /** the Server header; null where it sends none */
  readonly server: string | null
  /** its way past template and parser; absent where the lab plays none */
  readonly raw?: RawWay
  /** what it does with a text without its model, by path: the answer to a request, null where it refuses it */
  readonly tools?: ReadonlyMap<string, (json: unknown) => unknown>
  /** paths that answer with the health of the story, and an empty body */
  readonly health: readonly string[]
  /** what it says of itself by path, JSON or a text */
  facts(about: About): ReadonlyMap<string, unknown>
  /** the body where there is no such route */
  readonly noRoute: unknown
  /** the body of a refusal */
  refusal(status: number, type: string, message: string): unknown
  newId(): string
  /** the answer to a request that does not stream */
  whole(head: Head, said: Said, ended: Ended): unknown
  /** a stream: first this, then pieces, calls, an ending, and the usage where it was asked for */
  opening(head: Head): readonly unknown[]
  piece(head: Head, piece: Piece): unknown
  calls(head: Head, calls: readonly ToolCall[]): readonly unknown[]
  ending(head: Head, ended: Ended): unknown
  usage(head: Head, ended: Ended): unknown
  /** an error in mid-stream */
  errorEvent(message: string): unknown
  /** whether a request that the scheduler gives up ends in an error, not in the finish `abort` */
  readonly abortsAsError: boolean
}

/** A route that generates from a bare prompt, and answers in one piece. */
export interface RawWay {
  readonly path: string
  /** the prompt and the budget in its request */
  read(json: unknown): { readonly prompt: string; readonly budget: number }
  answer(text: string, ended: Ended): unknown
}

export type DialectOf = (version: string) => Dialect

/** What a server knows of itself at one moment. */
export interface About {
  readonly model: string
  readonly context: number
  /** answers that are being made */
  readonly running: number
  /** requests in line */
  readonly waiting: number
  readonly tokensPerSecond: number
}

/** What every body of one answer carries. */
export interface Head {
  readonly id: string
  readonly model: string
  /** epoch seconds */
  readonly created: number
}

export interface Said {
  readonly reasoning: string
  readonly content: string
  readonly calls: readonly ToolCall[]
}

/** How an answer ended, and what it cost. */
export interface Ended {
  readonly finish: Speech['finish'] | 'length'
  readonly stop: Speech['stop']
  readonly promptTokens: number
  readonly completionTokens: number
  readonly reasoningTokens: number
}

/** Tokens of a text, roughly; the lab has no tokenizer. */
export function roughTokens(question: Question): number {
  return 10 + Math.ceil(question.prompt.length / 4)
}

/** The three counts that every engine has. */
export function counts({ promptTokens, completionTokens }: Ended): object {
  return {
    prompt_tokens: promptTokens,
    total_tokens: promptTokens + completionTokens,
    completion_tokens: completionTokens,
  }
}

export function calledTool(call: ToolCall, index: number): object {
  return { id: `call_${index}`, index, type: 'function', function: { name: call.name, arguments: call.arguments } }
}

/** Part of the KV cache that some answers take. */
export function cacheUsage(running: number): number {
  return Math.min(1, running / 16)
}
