import { z } from 'zod'

import { words } from './words.ts'

/*
 * What we read of an OpenAI-style chat answer, whole or as stream chunks. Servers disagree about what is null, missing or
 * of another type, so each field falls to null by itself and no field can refuse the rest (sglang.md 2.1-2.4).
 * What the model says tells what came in its place: a text that we cannot read is not one that was never sent.
 */
const text = z.string().nullable().catch(null)
const count = z.int().nonnegative().nullable().catch(null)

const toolCall = z.object({
  index: count,
  function: z.object({ name: text, arguments: text }).nullable().catch(null),
})

/** `message` of a whole answer, `delta` of a chunk: the same keys. */
const message = z.object({
  role: text,
  content: words,
  refusal: words,
  reasoning_content: words,
  reasoning: words,
  thinking: words,
  tool_calls: z.array(toolCall.nullable().catch(null)).nullable().catch(null),
})

const stop = z.union([z.number(), z.string()]).nullable().catch(null)

const choice = z.object({
  message: message.nullable().catch(null),
  delta: message.nullable().catch(null),
  /** of the completions before chat */
  text: words,
  finish_reason: text,
  matched_stop: stop,
  stop_reason: stop,
})

const usage = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  reasoning_tokens: count,
  completion_tokens_details: z.object({ reasoning_tokens: count }).nullable().catch(null),
  prompt_tokens_details: z.object({ cached_tokens: count }).nullable().catch(null),
})

export const chatAnswer = z.object({
  object: text,
  model: text,
  choices: z.array(choice.nullable().catch(null)).nullable().catch(null),
  usage: usage.nullable().catch(null),
  error: z.unknown().optional(),
})

export type ChatAnswer = z.infer<typeof chatAnswer>
export type ChatChoice = z.infer<typeof choice>
export type ChatMessage = z.infer<typeof message>
export type ChatUsage = z.infer<typeof usage>
export type ChatToolCall = z.infer<typeof toolCall>

const card = z.object({
  id: z.string(),
  owned_by: text,
  root: text,
  max_model_len: count,
})

/** `GET /v1/models`: the first entry is what the server serves. Ollama says null where it has no model. */
export const modelList = z.object({
  data: z
    .array(card)
    .nullable()
    .transform((list) => list ?? []),
})

export type ModelList = z.infer<typeof modelList>
