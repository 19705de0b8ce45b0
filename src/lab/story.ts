import type { Completion, Piece, ToolCall } from '../domain/completion.ts'

/** What a model server of the lab does with a request: one fault of the field story, or health. */
export interface Story {
  readonly name: string
  /** what `GET /health` answers, with an empty body as SGLang does */
  readonly health: 200 | 503
  /** its schedulers are gone: it tells what its HTTP process knows by itself, and everything else waits for ever */
  readonly hung?: true
  play(question: Question): Act
}

/** A chat request as a story sees it. */
export interface Question {
  /** text of the last message */
  readonly prompt: string
  /** tokens that may be spent */
  readonly budget: number
  readonly thinking: boolean
  readonly model: string
}

export type Act = Speech | Refusal

export interface Refusal {
  readonly act: 'refuse'
  readonly status: number
  /** the kind of error by its name, for engines that give one */
  readonly type: string
  readonly message: string
}

/** Each piece is one token; the server ends them at the budget. */
export interface Speech {
  readonly act: 'speak'
  readonly pieces: Iterable<Piece>
  /** tokens that cost budget and show no text: `</think>`, the end token */
  readonly hidden: number
  readonly toolCalls: readonly ToolCall[]
  /** how it ends where the budget does not end it first */
  readonly finish: 'stop' | 'tool_calls' | 'abort'
  readonly stop: Completion['stop']
  /** `early`: the stream ends in order, without finish and `[DONE]` · `cut`: the connection dies */
  readonly ending: 'whole' | 'early' | 'cut'
}
