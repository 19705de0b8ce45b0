import { z } from 'zod'

import { readJson } from '../domain/json.ts'
import type { ToldInstead } from '../judge/told-instead.ts'
import { inChat } from './native.ts'
import { modelList } from './wire.ts'

/** What a model server tells in place of an answer, by its body; null where it is an answer, or of something else. */
export function toldInstead(text: string): ToldInstead | null {
  if (IS_UP.test(text.slice(0, LOOKED_AT))) return { what: 'health', said: text.trim() }
  const json = readJson(text)
  return (json.ok ? told(json.value) : null) ?? notAnswered(text)
}

/** `GET /` of Ollama. */
const IS_UP = /^\s*Ollama is running\s*$/
const LOOKED_AT = 200

function told(json: unknown): ToldInstead | null {
  if (noChoice.safeParse(json).success) return { what: 'no-choice' }
  const models = openaiModels.safeParse(json)
  if (models.success) return { what: 'models', names: models.data.data.map(({ id }) => id) }
  const local = ollamaModels.safeParse(json)
  if (local.success) return { what: 'models', names: local.data.models.map(({ name }) => name) }
  const health = healthBody.safeParse(json)
  if (health.success) return { what: 'health', said: health.data }
  const facts = FACTS.find((shape) => shape.safeParse(json).success)
  return facts === undefined ? null : { what: 'facts', names: Object.keys(facts.shape) }
}

/** Ollama loads a model, or puts it out of memory, where a request asks nothing. */
function notAnswered(text: string): ToldInstead | null {
  const answer = inChat(text)
  if (answer?.finish !== 'load' && answer?.finish !== 'unload') return null
  return { what: answer.finish, model: answer.model }
}

const noChoice = z.object({ choices: z.array(z.unknown()).length(0), error: z.null().optional() })
const openaiModels = z.object({ object: z.literal('list'), ...modelList.shape })
const ollamaModels = z.object({ models: z.array(z.object({ name: z.string(), model: z.string() })) })

const UP = /^(?:ok|healthy|up|alive|ready)$/i
const fact = z.union([z.string().max(LOOKED_AT), z.number(), z.boolean(), z.null()])
/** What a server says beside its state. With any other field it is the state of a task, an answer, or a complaint. */
const besideHealth = z
  .object({
    version: fact,
    uptime: fact,
    uptime_seconds: fact,
    slots_idle: fact,
    slots_processing: fact,
    model: fact,
    model_name: fact,
    model_id: fact,
    model_loaded: z.literal(true),
    loaded: z.literal(true),
    ready: z.literal(true),
    error: z.null(),
  })
  .partial().shape
const healthBody = z.union([
  z
    .strictObject({ ...besideHealth, status: z.string().regex(UP), healthy: z.literal(true).optional() })
    .transform(({ status }) => status),
  z.strictObject({ ...besideHealth, healthy: z.literal(true) }).transform(() => 'healthy'),
])

/** Facts of SGLang and of llama.cpp; a bare version, as vLLM and Ollama tell it. */
const FACTS = [
  z.object({ model_path: z.string(), tokenizer_path: z.string() }),
  z.object({ default_generation_settings: z.looseObject({}), total_slots: z.number() }),
  z.strictObject({ version: z.string() }),
]
