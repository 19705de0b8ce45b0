import { z } from 'zod'

/** One answer of an engine's own API, or a piece of it, in the words of the chat dialect. */
export interface NativeAnswer {
  readonly message: { readonly role: string | null; readonly content?: unknown; readonly thinking?: unknown }
  readonly calls: readonly { readonly function: { readonly name: string | null; readonly arguments: string } }[]
  readonly finish: string | null
  readonly stop: number | string | null
  readonly model: string | null
  readonly tokens: { readonly prompt: number | null; readonly completion: number | null }
  /** false: a piece of a stream, and more comes */
  readonly isLast: boolean
  /** whether a piece of a stream may have all the text so far: SGLang sends that, or only what is new, as it was started */
  readonly maybeSoFar: boolean
}

/** Reads an answer of Ollama's `/api/chat` and `/api/generate`, SGLang's `/generate`, llama.cpp's `/completion`; null for any other JSON. */
export function nativeAnswer(json: unknown): NativeAnswer | null {
  return fromOllama(json) ?? fromGenerate(json) ?? fromLlama(json)
}

/** The same as a whole body of the chat dialect. */
export function asChat(answer: NativeAnswer): object {
  const { message, calls, finish, stop, model } = answer
  const choice = { message: { ...message, ...callsOf(calls) }, finish_reason: finish, matched_stop: stop }
  return { model, choices: [choice], usage: usageOf(answer) }
}

/** The same as a chunk of a stream; `before` is the text that it repeats from its beginning, '' where all of it is new. */
export function asChunk(answer: NativeAnswer, before: string): object {
  const { message, calls, finish, stop, model, isLast } = answer
  const content = typeof message.content === 'string' ? message.content.slice(before.length) : message.content
  const choice = { delta: { ...message, content, ...callsOf(calls) }, finish_reason: finish, matched_stop: stop }
  return { model, choices: [choice], ...(isLast ? { usage: usageOf(answer) } : {}) }
}

/** SGLang's own route. */
export function fromGenerate(json: unknown): NativeAnswer | null {
  const told = generated.safeParse(json)
  if (!told.success) return null
  const { text: content, meta_info: meta } = told.data
  const { type = null, matched = null } = meta.finish_reason ?? {}
  return {
    ...BARE,
    message: { ...SILENT, content },
    finish: type,
    stop: matched,
    tokens: { prompt: meta.prompt_tokens, completion: meta.completion_tokens },
    isLast: type !== null,
    maybeSoFar: true,
  }
}

/** Ollama's own routes: the text is in `response`, or in a message. Of tools it sends the arguments as an object. */
function fromOllama(json: unknown): NativeAnswer | null {
  const told = ollamaAnswer.safeParse(json)
  if (!told.success) return null
  const { message, response, thinking, done, done_reason, model, prompt_eval_count, eval_count } = told.data
  const calls = (message?.tool_calls ?? []).map(({ function: { name, arguments: given } }) => ({
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) },
  }))
  if (message === null && response === undefined) return null
  return {
    ...BARE,
    message: message ?? { role: 'assistant', content: response, thinking },
    calls,
    finish: done_reason ?? (done ? 'stop' : null),
    model,
    tokens: { prompt: prompt_eval_count, completion: eval_count },
    isLast: done,
  }
}

/** llama.cpp's own route; older ones tell why they ended in three flags. */
function fromLlama(json: unknown): NativeAnswer | null {
  const told = completed.safeParse(json)
  if (!told.success) return null
  const { content, stop, stop_type, stopped_limit, stopping_word, model, tokens_evaluated, tokens_predicted } =
    told.data
  const isLimit = stop_type === 'limit' || stopped_limit === true
  return {
    ...BARE,
    message: { ...SILENT, content },
    finish: stop ? (isLimit ? 'length' : 'stop') : null,
    stop: stopping_word === '' ? null : stopping_word,
    model,
    tokens: { prompt: tokens_evaluated, completion: tokens_predicted },
    isLast: stop,
  }
}

function usageOf({ tokens }: NativeAnswer): object {
  return { prompt_tokens: tokens.prompt, completion_tokens: tokens.completion }
}

function callsOf(calls: NativeAnswer['calls']): object {
  return calls.length === 0 ? {} : { tool_calls: calls }
}

const SILENT = { role: null, thinking: null }
const BARE = { calls: [], stop: null, model: null, maybeSoFar: false } as const

const count = z.int().nonnegative().nullable().catch(null)
const text = z.string().nullable().catch(null)
const matched = z.union([z.number(), z.string()]).nullable().catch(null)

const generated = z.object({
  text: z.string(),
  meta_info: z.object({
    finish_reason: z.object({ type: text, matched }).nullable().catch(null),
    prompt_tokens: count,
    completion_tokens: count,
  }),
})
const toolCall = z.object({ function: z.object({ name: text, arguments: z.unknown().optional() }) })
const ollamaAnswer = z.object({
  message: z
    .object({
      role: text,
      content: z.unknown().optional(),
      thinking: z.unknown().optional(),
      tool_calls: z.array(toolCall).nullable().catch(null),
    })
    .nullable()
    .catch(null),
  response: z.string().optional(),
  thinking: z.unknown().optional(),
  done: z.boolean(),
  done_reason: text,
  model: text,
  prompt_eval_count: count,
  eval_count: count,
})
const completed = z.object({
  content: z.string(),
  stop: z.boolean(),
  stop_type: text,
  stopped_limit: z.boolean().nullable().catch(null),
  stopping_word: text,
  model: text,
  tokens_evaluated: count,
  tokens_predicted: count,
})
