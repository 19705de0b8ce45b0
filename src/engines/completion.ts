import type { Channel, Completion, Timing, Tokens, ToolCall } from '../domain/completion.ts'
import { NO_TOKENS } from '../domain/completion.ts'
import type { Said } from './said.ts'
import { saidIn } from './said.ts'
import type { ChatAnswer, ChatToolCall, ChatUsage } from './wire.ts'

/** Reads token counts; engines differ in what a number means. */
export type ReadUsage = (usage: ChatUsage) => Tokens

export function readUsage(usage: ChatUsage): Tokens {
  return {
    prompt: usage.prompt_tokens,
    completion: usage.completion_tokens,
    reasoning: usage.reasoning_tokens ?? usage.completion_tokens_details?.reasoning_tokens ?? null,
    cached: usage.prompt_tokens_details?.cached_tokens ?? null,
  }
}

/** Puts one answer together, from one whole body or from many chunks. */
export interface Assembly {
  /** Takes a body or a chunk that came at `atMs`; whether the model made anything of it, which a ping is not. */
  add(answer: ChatAnswer, atMs: number): boolean
  /** bodies or chunks that were of a chat answer */
  readonly seen: number
  /** finish_reason, once it came */
  readonly finish: string | null
  /** why this is no chat answer that we can read: `its content is a number`; null where it is one */
  readonly misfit: string | null
  /** null where nothing of an answer was read */
  completion(totalMs: number): Completion | null
}

/**
 * A channel is null until text for it arrives, `''` where the server sent an empty text. The `content: ""` that opens a
 * stream beside the role is no text: every server sends it, whether content follows or not.
 */
export function assemble(options: AssemblyOptions): Assembly {
  const { usage, streamed, onText } = options
  const draft = emptyDraft()
  function read({ reasoning, content, role, calls, strange, strangeAside }: Said, atMs: number): void {
    draft.spoke = true
    draft.strange ??= strange
    draft.strangeAside ??= strangeAside
    take(draft, 'reasoning', reasoning, atMs, onText)
    const opening = streamed && role !== null && content === ''
    take(draft, 'content', opening ? null : content, atMs, onText)
    merge(draft, calls, atMs)
  }
  return {
    add(answer, atMs) {
      const before = mark(draft)
      const choice = answer.choices?.[0] ?? null
      if (answer.choices !== null) draft.seen += 1
      if (answer.usage !== null) draft.tokens = usage(answer.usage)
      draft.model ??= answer.model
      draft.finish = choice?.finish_reason ?? draft.finish
      draft.stop = choice?.matched_stop ?? choice?.stop_reason ?? draft.stop
      const said = choice === null ? null : saidIn(choice)
      if (said !== null) read(said, atMs)
      return mark(draft) !== before
    },
    get seen() {
      return draft.seen
    },
    get finish() {
      return draft.finish
    },
    get misfit() {
      return misfitOf(draft)
    },
    completion(totalMs) {
      const { texts, calls, times, finish, stop, tokens, model, pieces } = draft
      if (draft.seen === 0 || (times.came === 0 && misfitOf(draft) !== null)) return null
      const timing = streamed ? timingOf(times, tokens, totalMs) : { ...NO_TIMES, totalMs }
      return { ...texts, finish, stop, tokens, model, pieces, toolCalls: [...calls.values()], timing }
    },
  }
}

type OnText = (channel: Channel, text: string) => void

export interface AssemblyOptions {
  readonly usage: ReadUsage
  readonly streamed: boolean
  readonly onText: OnText
}

interface Draft {
  readonly texts: Record<Channel, string | null>
  readonly calls: Map<number, ToolCall>
  readonly times: Times
  tokens: Tokens
  finish: string | null
  stop: number | string | null
  model: string | null
  pieces: number
  seen: number
  /** whether any choice carried a message, a delta or a text */
  spoke: boolean
  strange: string | null
  strangeAside: string | null
}

function emptyDraft(): Draft {
  return {
    texts: { reasoning: null, content: null },
    calls: new Map(),
    times: { first: null, content: null, last: null, came: 0 },
    tokens: NO_TOKENS,
    finish: null,
    stop: null,
    model: null,
    pieces: 0,
    seen: 0,
    spoke: false,
    strange: null,
    strangeAside: null,
  }
}

function misfitOf({ spoke, strange, strangeAside, texts }: Draft): string | null {
  if (!spoke) return 'it holds no choice with a message, a delta or a text'
  const odd = strange ?? (texts.content === null ? strangeAside : null)
  return odd === null ? null : `its ${odd}`
}

/** Changes with a piece of text or of a tool call, the finish and the usage; not with a role, an empty delta or a repeat. */
function mark({ times, finish, tokens }: Draft): string {
  return [times.came, finish, tokens.prompt, tokens.completion].join(' ')
}

function take(draft: Draft, channel: Channel, text: string | null, atMs: number, onText: OnText): void {
  if (text === null) return
  draft.texts[channel] = (draft.texts[channel] ?? '') + text
  if (text === '') return
  draft.pieces += 1
  came(draft.times, atMs)
  if (channel === 'content') draft.times.content ??= atMs
  onText(channel, text)
}

interface Times {
  first: number | null
  content: number | null
  last: number | null
  /** pieces of texts and of tool calls */
  came: number
}

const NO_TIMES: Timing = { firstTokenMs: null, firstContentMs: null, totalMs: 0, tokensPerSecond: null }

/** n tokens have n - 1 gaps between the first and the last. */
function timingOf(times: Times, tokens: Tokens, totalMs: number): Timing {
  const spanMs = (times.last ?? 0) - (times.first ?? 0)
  const gaps = (tokens.completion ?? 0) - 1
  const tokensPerSecond = spanMs > 0 && gaps > 0 ? (gaps / spanMs) * 1000 : null
  return { firstTokenMs: times.first, firstContentMs: times.content, totalMs, tokensPerSecond }
}

const MOST_CALLS = 128

/** Parts of a tool call come under its index; a server that leaves it out sends them in order. */
function merge(draft: Draft, parts: readonly (ChatToolCall | null)[], atMs: number): void {
  for (const [position, part] of parts.entries()) {
    const { name, arguments: text } = part?.function ?? {}
    if (name || text) came(draft.times, atMs)
    const index = part?.index ?? position
    const known = draft.calls.get(index)
    if (known === undefined && draft.calls.size >= MOST_CALLS) return
    const call = known ?? { name: '', arguments: '' }
    draft.calls.set(index, { name: call.name + (name ?? ''), arguments: call.arguments + (text ?? '') })
  }
}

function came(times: Times, atMs: number): void {
  times.first ??= atMs
  times.last = atMs
  times.came += 1
}
