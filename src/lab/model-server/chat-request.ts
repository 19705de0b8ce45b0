import type { Question } from '../story.ts'

/** A chat request, as far as the lab looks at it. */
export interface ChatRequest extends Question {
  readonly stream: boolean
  readonly includeUsage: boolean
}

/** Reads a request body; a text says what is wrong with it. `context` bounds a budget that is not given. */
export function readChatRequest(body: string, context: number): ChatRequest | string {
  const json = parsed(body)
  const messages = field(json, 'messages')
  if (!Array.isArray(messages) || messages.length === 0) return '1 validation error: body -> messages: Field required'
  const prompt = textOf(field(messages.at(-1), 'content'))
  const budget = field(json, 'max_completion_tokens') ?? field(json, 'max_tokens')
  return {
    prompt,
    budget: typeof budget === 'number' ? budget : context - Math.ceil(prompt.length / 4),
    thinking: !isThinkingOff(json),
    model: String(field(json, 'model') ?? 'default'),
    stream: field(json, 'stream') === true,
    includeUsage: field(field(json, 'stream_options'), 'include_usage') === true,
  }
}

/** SGLang and vLLM ask the chat template, Ollama for an effort. */
function isThinkingOff(json: unknown): boolean {
  const asked = field(field(json, 'chat_template_kwargs'), 'enable_thinking')
  return asked === false || field(json, 'reasoning_effort') === 'none'
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** A field of JSON; undefined where there is none. */
export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** A message's content is a text, or a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => textOf(field(part, 'text'))).join('')
}
