import type { Completion } from './completion.ts'
import type { Failure } from './failure.ts'

/** The budget of a smoke where nobody names one: a thinking model needs room to think (sglang.md, smoke ladder). */
export const DEFAULT_BUDGET = 4096

/** One request to be judged. Null means: let the model's own setting decide. */
export interface SmokeRequest {
  readonly prompt: string
  /** max_tokens; Infinity where none was set, as only a recorded request can be */
  readonly budget: number
  readonly temperature: number | null
  readonly thinking: boolean | null
  readonly stream: boolean
  /** the name to ask for; null where the engine has one model only */
  readonly model: string | null
  /** absent: the model's own. A temperature of the request wins over the one in it */
  readonly sampling?: SamplingSettings
}

/** How tokens are drawn, as a model card advises it. Null: the server's own. */
export interface SamplingSettings {
  readonly temperature: number | null
  readonly topP: number | null
  readonly topK: number | null
  readonly minP: number | null
  readonly presencePenalty: number | null
}

/** What really went over the wire, for `raw`. */
export interface Exchange {
  readonly url: string
  /** the request body as sent */
  readonly request: string
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  /** the response as received, at most 256 KiB of it */
  readonly response: string
  /** how the response ended, in the adapter's words: done, eof, cut, stopped … */
  readonly end: string
}

/** A repetition that was found in a channel. */
export interface Loop {
  readonly channel: 'reasoning' | 'content'
  /** the text that repeats, at most 200 characters of it */
  readonly unit: string
  /** its period in characters */
  readonly period: number
  readonly copies: number
  /** where the first copy starts, in characters of the channel */
  readonly from: number
  /** whether it is certain enough to cut the stream */
  readonly certain: boolean
  /** which signal saw it */
  readonly signal: 'period' | 'masked' | 'recurring' | 'white-space' | 'short'
}

/** A smoke that was run: what was asked, what came, how it ended. */
export interface Smoke {
  readonly request: SmokeRequest
  /** everything that arrived, also when the smoke failed */
  readonly completion: Completion | null
  readonly failure: Failure | null
  /** the loop for which we ended the stream ourselves */
  readonly cut: Loop | null
  /** the name of the person who pressed Stop */
  readonly stoppedBy: string | null
  readonly exchange: Exchange | null
}
