import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { sendJson } from '../../../../src/lab/model-server/send-json.ts'
import type { Template } from './binding.ts'
import type { NpmModel } from './model.ts'

/** Answers the body of a chat request as llama-server does, whole or streamed; `head` is in every answer and chunk. */
export function chatOn(model: NpmModel, template: Template, head: object) {
  return async (body: string, response: ServerResponse): Promise<void> => {
    const asked = chatRequest.parse(JSON.parse(body))
    const { messages, chat_template_kwargs } = asked
    const prompt = template.render({ messages, add_generation_prompt: true, ...chat_template_kwargs })
    const tokens = model.tokens(prompt)
    if (tokens.length >= model.room) return refuse(response, 400, 'exceed_context_size_error', tooLong(tokens, model))
    const told = asked.stream ? streamTo(response, head, asked) : wholeTo(response, head)
    const take = sorted(isThinking(prompt), told.delta)
    const budget = Math.min(asked.max_tokens, model.room - tokens.length)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    let count = 0
    let finish = 'length'
    for await (const { text, end } of model.write(tokens, asked.temperature, gone.signal)) {
      count += 1
      take(text)
      if (end) finish = 'stop'
      if (count === budget) break
    }
    const usage = { prompt_tokens: tokens.length, completion_tokens: count, total_tokens: tokens.length + count }
    if (!gone.signal.aborted) told.end(finish, usage)
  }
}

/** An error as llama-server words it. */
export function refuse(response: ServerResponse, code: number, type: string, message: string): void {
  sendJson(response, code, { error: { code, message, type } })
}

/** What is read of a request, with llama-server's defaults. */
const chatRequest = z.object({
  messages: z.array(z.looseObject({ role: z.string() })),
  max_tokens: z.int().positive().default(Number.MAX_SAFE_INTEGER),
  temperature: z.number().nonnegative().default(0.8),
  stream: z.boolean().default(false),
  stream_options: z.object({ include_usage: z.boolean() }).default({ include_usage: false }),
  chat_template_kwargs: z.record(z.string(), z.unknown()).default({}),
})

type ChatRequest = z.infer<typeof chatRequest>

function tooLong(tokens: readonly number[], { room }: NpmModel): string {
  return `request (${tokens.length} tokens) exceeds the available context size (${room} tokens)`
}

/** A template opens the thinking, and closes it at once where thinking is off. */
function isThinking(prompt: string): boolean {
  return prompt.lastIndexOf('<think>') > prompt.lastIndexOf('</think>')
}

type Key = 'reasoning_content' | 'content'

/** Sorts texts by channel as llama-server's parser does: `</think>` is one token, and content begins without spaces. */
function sorted(thinking: boolean, delta: (key: Key, text: string) => void): (text: string) => void {
  let key: Key = thinking ? 'reasoning_content' : 'content'
  let begun = thinking
  return (text) => {
    if (key === 'reasoning_content' && text === '</think>') {
      key = 'content'
      begun = false
      return
    }
    const shown = begun ? text : text.trimStart()
    if (shown === '') return
    begun = true
    delta(key, shown)
  }
}

/** Where an answer goes, text by text. */
interface Told {
  delta(key: Key, text: string): void
  end(finish: string, usage: object): void
}

/** An empty reasoning has no key. */
function wholeTo(response: ServerResponse, head: object): Told {
  const message: Partial<Record<Key, string>> = { content: '' }
  return {
    delta(key, text) {
      message[key] = (message[key] ?? '') + text
    },
    end(finish_reason, usage) {
      const choices = [{ index: 0, finish_reason, message: { role: 'assistant', ...message } }]
      sendJson(response, 200, { ...head, object: 'chat.completion', choices, usage })
    },
  }
}

function streamTo(response: ServerResponse, head: object, asked: ChatRequest): Told {
  const event = (rest: object) =>
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...rest })}\n\n`)
  const chunk = (delta: object, finish_reason: string | null) =>
    event({ choices: [{ index: 0, finish_reason, delta }] })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  chunk({ role: 'assistant', content: null }, null)
  return {
    delta: (key, text) => chunk({ [key]: text }, null),
    end(finish, usage) {
      chunk({}, finish)
      if (asked.stream_options.include_usage) event({ choices: [], usage })
      response.end('data: [DONE]\n\n')
    },
  }
}
