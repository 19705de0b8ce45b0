import { z } from 'zod'

import type { Engine, PromptCount } from '../domain/engine.ts'
import type { SmokeRequest } from '../domain/smoke.ts'
import type { Dialect } from './chat.ts'
import { switched } from './raw.ts'
import { tell } from './tell.ts'

/** A server's tokenizer, asked without its model. */
type Tokens = Required<Pick<Engine, 'count' | 'spell'>>

/** SGLang from 0.5.4 on: it renders no chat here, so the bare prompt is counted. */
export const sglangTokens: Tokens = {
  count(api, { model, prompt }, signal) {
    const body = { ...named(model), prompt, add_special_tokens: false }
    return tell({ api, path: TOKENIZE, body, form: counted(false) }, signal)
  },
  spell(api, { token, model }, signal) {
    const body = { ...named(model), tokens: [token], skip_special_tokens: false }
    return tell({ api, path: DETOKENIZE, body, form: textIn('text') }, signal)
  },
}

/** vLLM renders a chat with its own template before it counts. */
export function vllmTokens({ thinking }: Pick<Dialect, 'thinking'>): Tokens {
  return {
    count(api, request, signal) {
      const body = { ...named(request.model), messages: asChat(request), ...switched(request, thinking) }
      return tell({ api, path: TOKENIZE, body, form: counted(true) }, signal)
    },
    spell(api, { token, model }, signal) {
      const body = { ...named(model), tokens: [token] }
      return tell({ api, path: DETOKENIZE, body, form: textIn('prompt') }, signal)
    },
  }
}

/** llama-server renders a chat on one route and counts on another; an older one renders none. */
export function llamaTokens({ thinking }: Pick<Dialect, 'thinking'>): Tokens {
  return {
    async count(api, request, signal) {
      const chat = { messages: asChat(request), ...switched(request, thinking) }
      const rendered = await tell({ api, path: '/apply-template', body: chat, form: textIn('prompt') }, signal)
      const content = rendered.ok ? rendered.value : request.prompt
      const body = { content, add_special: rendered.ok, parse_special: rendered.ok }
      return tell({ api, path: TOKENIZE, body, form: listed(rendered.ok) }, signal)
    },
    spell: (api, { token }, signal) =>
      tell({ api, path: DETOKENIZE, body: { tokens: [token] }, form: textIn('content') }, signal),
  }
}

const TOKENIZE = '/tokenize'
const DETOKENIZE = '/detokenize'

function counted(templated: boolean): z.ZodType<PromptCount> {
  return z.object({ count: z.int().nonnegative() }).transform(({ count }) => ({ tokens: count, templated }))
}

function listed(templated: boolean): z.ZodType<PromptCount> {
  return z.object({ tokens: z.array(z.int()) }).transform(({ tokens }) => ({ tokens: tokens.length, templated }))
}

function textIn(field: 'text' | 'prompt' | 'content'): z.ZodType<string> {
  return z
    .record(z.string(), z.unknown())
    .transform((all) => all[field])
    .pipe(z.string())
}

function named(model: string | null): object {
  return model === null ? {} : { model }
}

function asChat({ prompt }: SmokeRequest): readonly object[] {
  return [{ role: 'user', content: prompt }]
}
