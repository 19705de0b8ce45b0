import type { Outcome } from './outcome.ts'

/** HTTP to one target: base URL, key, tunnel and limits are already bound. No path may leave the target's origin. */
export interface Api {
  readonly url: string
  json(request: ApiRequest, signal: AbortSignal): Promise<Outcome<Reply>>
  /** For an answer that need not be JSON and may be empty: metrics, health. */
  text(request: ApiRequest, signal: AbortSignal): Promise<Outcome<TextReply>>
  /** `onEvent` says whether an event is progress: comments and events without any do not end the patience's wait. */
  events(
    request: ApiRequest,
    onEvent: (event: StreamEvent) => boolean,
    signal: AbortSignal,
  ): Promise<Outcome<StreamEnd>>
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST'
  /** begins with / */
  readonly path: string
  /** becomes the JSON body */
  readonly body?: unknown
  /** no head for this long, then no byte of a whole answer or no progress of a stream, is a hang; in ms */
  readonly patienceMs: number
  /** the whole call may take this long, in ms; absent for streams, which end by patience */
  readonly deadlineMs?: number
  /** a stream of more than this is no answer to what was asked; absent: 16 MiB */
  readonly most?: StreamBounds
}

export interface StreamBounds {
  readonly bytes: number
  readonly events: number
}

/** A whole answer with a 2xx status. Other statuses are a failure of kind `http-status`. */
export interface Reply extends TextReply {
  /** the parsed JSON */
  readonly json: unknown
}

export interface TextReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** the body as text */
  readonly text: string
  /** milliseconds from sending to the first byte of the head and to the end */
  readonly headMs: number
  readonly totalMs: number
}

/** An answer that was recorded. It gives what an `Api` gave, or would have given, for it. */
export interface Recorded {
  readonly url: string
  /** what was sent; `{}` where that is not known */
  readonly body: unknown
  json(): Outcome<Reply>
  events(onEvent: (event: StreamEvent) => boolean): Outcome<StreamEnd>
}

/** One server-sent event: its data, and when it came (ms since the request was sent). */
export interface StreamEvent {
  readonly data: string
  readonly atMs: number
}

/** How a stream ended. A failure's `partial` has the same fields. */
export interface StreamEnd {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** whether `data: [DONE]` came */
  readonly done: boolean
  /** what was received, at most 256 KiB: the head and the tail with a line that says what is missing */
  readonly text: string
  readonly events: number
  readonly totalMs: number
}

/** Wall time for people and records, monotonic time for intervals; both in ms. */
export interface Clock {
  now(): number
  monotonic(): number
}

/** Our own log: a constant message and its data; never prompts, answers or secrets. */
export interface Log {
  debug(message: string, data?: Readonly<Record<string, unknown>>): void
  info(message: string, data?: Readonly<Record<string, unknown>>): void
  warn(message: string, data?: Readonly<Record<string, unknown>>): void
  error(message: string, data?: Readonly<Record<string, unknown>>): void
}

/** Opens a WebSocket. Never throws: what goes wrong is its end. */
export type OpenWire = (request: WireRequest) => Wire

export interface WireRequest {
  readonly url: string
  /** ms from ping to ping; it ends within three of them where the other side does not hear any more */
  readonly beatMs: number
  onText(text: string): void
  /** Called once, when nothing more can come. */
  onEnd(how: WireEnd): void
}

/** One WebSocket, from its address to its end. */
export interface Wire {
  /** False where it is closed or closing: nothing went out. */
  send(text: string): boolean
  /** Says goodbye, and goes within a second also where nobody answers. */
  close(): void
}

/** said: closed by either side · lost: it broke, or never was · deaf: it answers no ping */
export type WireEnd = 'said' | 'lost' | 'deaf'
