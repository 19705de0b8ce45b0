import { z } from 'zod'

import type { Engine } from '../domain/engine.ts'
import { ok } from '../domain/outcome.ts'
import type { Api } from '../domain/ports.ts'
import type { SmokeRequest } from '../domain/smoke.ts'
import type { Dialect } from './chat.ts'
import { drawn, wholeMs } from './chat.ts'
import { wholeAnswer } from './chat-answer.ts'
import { asChat, fromGenerate } from './native-answer.ts'

/** A way past the chat template and the parsers. */
interface RawRoute {
  readonly path: string
  body(request: SmokeRequest, prompt: RawPrompt): object
  /** The prompt as the server's own template makes it; null where the server does not tell it. */
  render?(api: Api, request: SmokeRequest, signal: AbortSignal): Promise<RawPrompt | null>
  /** The answer in the form of `/v1/completions`; one that is none of this route stays as it is. */
  asCompletion?(json: unknown): unknown
}

/** A text, or the ids of its tokens. */
type RawPrompt = string | readonly number[]

/** Generates by such a route. A bare prompt is no chat: a model may go on with it as with any text. */
export function raw(
  { usage, complaint, thinking }: Dialect,
  route: (words: Pick<Dialect, 'thinking'>) => RawRoute,
): NonNullable<Engine['raw']> {
  const { path, body, render, asCompletion = (json) => json } = route({ thinking })
  return async (api, request, watch, signal) => {
    const rendered = (await render?.(api, request, signal)) ?? null
    const given = body(request, rendered ?? request.prompt)
    const longest = wholeMs(watch.patienceMs, request.budget)
    const call = { method: 'POST', path, body: given, patienceMs: longest, deadlineMs: longest } as const
    const reply = await api.json(call, signal)
    const read = reply.ok ? ok({ ...reply.value, json: asCompletion(reply.value.json) }) : reply
    const onText = (channel: 'reasoning' | 'content', text: string) => watch.onPiece({ channel, text })
    const sent = { url: api.url, path, body: given, usage, complaint, onText }
    return { ...wholeAnswer(sent, read, 'eof'), templated: rendered !== null }
  }
}

/** SGLang's own route. It has none that renders a chat, so the bare prompt is sent. */
export function generate(): RawRoute {
  return {
    path: '/generate',
    body: (request, text) => ({
      text,
      sampling_params: { max_new_tokens: request.budget, skip_special_tokens: false, ...drawn(request) },
      stream: false,
    }),
    asCompletion: (json) => {
      const answer = fromGenerate(json)
      return answer === null ? json : asChat(answer)
    },
  }
}

/** vLLM tells the tokens of a rendered chat, and takes them as a prompt. */
export function byTokens({ thinking }: Pick<Dialect, 'thinking'>): RawRoute {
  return {
    ...completions,
    async render(api, request, signal) {
      const { model, prompt } = request
      const messages = [{ role: 'user', content: prompt }]
      const asked = { ...(model === null ? {} : { model }), messages, ...switched(request, thinking) }
      const told = tokenized.safeParse(await rendering(api, '/tokenize', asked, signal))
      return told.success ? told.data.tokens : null
    },
  }
}

/** llama-server applies its template on request. */
export function byTemplate({ thinking }: Pick<Dialect, 'thinking'>): RawRoute {
  return {
    ...completions,
    async render(api, request, signal) {
      const messages = [{ role: 'user', content: request.prompt }]
      const asked = { messages, ...switched(request, thinking) }
      const told = applied.safeParse(await rendering(api, '/apply-template', asked, signal))
      return told.success ? told.data.prompt : null
    },
  }
}

/** Ollama's own route, which leaves its template out where it is told to. */
export function rawGenerate(): RawRoute {
  return {
    path: '/api/generate',
    body: (request, prompt) => ({
      ...(request.model === null ? {} : { model: request.model }),
      prompt,
      raw: true,
      stream: false,
      options: { num_predict: request.budget, ...drawn(request) },
    }),
    asCompletion: (json) => {
      const told = ollamaGenerated.safeParse(json)
      if (!told.success) return json
      const { response, done_reason, prompt_eval_count, eval_count } = told.data
      const usage = { prompt_tokens: prompt_eval_count, completion_tokens: eval_count }
      return { choices: [{ text: response, finish_reason: done_reason }], usage }
    },
  }
}

const completions: RawRoute = {
  path: '/v1/completions',
  body: (request, prompt) => ({
    ...(request.model === null ? {} : { model: request.model }),
    prompt,
    max_tokens: request.budget,
    ...drawn(request),
    skip_special_tokens: false,
    stream: false,
  }),
}

const RENDER_MS = 10_000

async function rendering(api: Api, path: string, body: object, signal: AbortSignal): Promise<unknown> {
  const reply = await api.json({ method: 'POST', path, body, patienceMs: RENDER_MS, deadlineMs: RENDER_MS }, signal)
  return reply.ok ? reply.value.json : null
}

export function switched(request: SmokeRequest, thinking: Dialect['thinking']): object {
  return request.thinking === null ? {} : thinking(request.thinking)
}

const count = z.int().nonnegative().nullable().catch(null)
const text = z.string().nullable().catch(null)
const tokenized = z.object({ tokens: z.array(z.int().nonnegative()).min(1) })
const applied = z.object({ prompt: z.string().min(1) })
const ollamaGenerated = z.object({
  response: z.string(),
  done_reason: text,
  prompt_eval_count: count,
  eval_count: count,
})
