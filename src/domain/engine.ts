import type { Completion, Piece } from './completion.ts'
import type { Complaint, Failure } from './failure.ts'
import type { Outcome } from './outcome.ts'
import type { Api, Recorded } from './ports.ts'
import type { Exchange, SmokeRequest } from './smoke.ts'
import type { EngineKind } from './target.ts'

/** How to ask one kind of inference server, and how to read its answers. A new engine is one file. */
export interface Engine {
  readonly kind: EngineKind
  /** Whether the first entry of `/v1/models` and the answers to its probes belong to this engine. */
  detect(seen: Sighting): boolean
  /** Makes sure where the list only hints at this engine: a route that tells its `version`. */
  readonly confirm?: { readonly path: string; hinted(seen: Sighting): boolean }
  /** Runs one chat request. Every piece is handed on as it comes; a failure keeps what had arrived. */
  complete(api: Api, request: SmokeRequest, watch: Watch, signal: AbortSignal): Promise<Answer>
  /** Generates past the chat template and the parsers, not streamed. Absent where the server has no way past them. */
  raw?(api: Api, request: SmokeRequest, watch: Watch, signal: AbortSignal): Promise<RawAnswer>
  /** Takes a text apart with a reasoning parser of that name, without the model. Absent where the server has no such route. */
  parse?(
    api: Api,
    asked: { readonly text: string; readonly parser: string },
    signal: AbortSignal,
  ): Promise<Outcome<Parsed>>
  /** Counts the tokens of a prompt, without the model. Absent where the server has no such route. */
  count?(api: Api, request: SmokeRequest, signal: AbortSignal): Promise<Outcome<PromptCount>>
  /** The text of one token, special ones too. Absent where the server has no such route. */
  spell?(
    api: Api,
    asked: { readonly token: number; readonly model: string | null },
    signal: AbortSignal,
  ): Promise<Outcome<string>>
  /** Reads an answer that came once, as `complete` reads it; `streams` tells whether it is one of events. */
  reread(recorded: Recorded, streams: boolean): Answer
  /** Version, loaded model, limits. What the server does not tell is null. */
  info(api: Api, signal: AbortSignal): Promise<Outcome<EngineInfo>>
  /** What it is busy with, by routes that never generate a token. What the server does not tell is null. */
  load(api: Api, signal: AbortSignal): Promise<Outcome<EngineLoad>>
  /** What this engine means by an error body. */
  complaint(status: number, body: string): Complaint
}

/** What `/v1/models` said, for detection: its first entry, and the Server header. */
export interface Sighting {
  readonly ownedBy: string | null
  readonly server: string | null
  /** null where the list is empty */
  readonly model: string | null
  readonly maxModelLen: number | null
}

export interface Watch {
  readonly patienceMs: number
  onPiece(piece: Piece): void
}

/** An answer has the same fields whether it went well or not. */
export interface Answer {
  readonly completion: Completion | null
  readonly failure: Failure | null
  readonly exchange: Exchange
}

/** What the model wrote, all of it as content. */
export interface RawAnswer extends Answer {
  /** whether the server's own template made the prompt; else the bare prompt was sent */
  readonly templated: boolean
}

/** A text as a reasoning parser files it; empty where nothing of it is in a channel. */
export interface Parsed {
  readonly reasoning: string
  readonly content: string
}

export interface PromptCount {
  readonly tokens: number
  /** whether the tokens of the server's own template are among them; else it is the bare prompt */
  readonly templated: boolean
}

export interface EngineInfo {
  readonly kind: EngineKind
  readonly version: string | null
  /** names that may be asked for */
  readonly models: readonly string[]
  /** what is really loaded: a path or a repository name */
  readonly loaded: string | null
  /** context length in tokens */
  readonly context: number | null
  readonly reasoningParser: string | null
  readonly tensorParallel: number | null
}

/** What an engine does at one moment, over all its ranks. */
export interface EngineLoad {
  /** requests that are being answered */
  readonly running: number | null
  /** requests in line */
  readonly waiting: number | null
  /** part of the KV cache that is in use, 0 to 1 */
  readonly cacheUsage: number | null
  /** tokens written a second, for all requests together, as the engine counts them itself */
  readonly tokensPerSecond: number | null
  /** models in memory, for an engine that loads and unloads them; null where there is no such thing */
  readonly resident: readonly ResidentModel[] | null
  /** the route that told it; null where the server has none of those we know, or does not tell */
  readonly asked: string | null
}

export interface ResidentModel {
  readonly name: string
  /** bytes on GPUs; less than `bytes` where a part of it runs on the CPU */
  readonly gpuBytes: number | null
  readonly bytes: number | null
}

/** A target that answered enough to be talked to. */
export interface Reach {
  readonly engine: Engine
  readonly api: Api
  /** what detection already learned */
  readonly info: Partial<EngineInfo>
}
