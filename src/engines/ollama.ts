import { z } from 'zod'

import type { Engine } from '../domain/engine.ts'
import { failed, ok } from '../domain/outcome.ts'
import { askAny, askModels, askVersion } from './ask.ts'
import { chat } from './chat.ts'
import { inJson, loadBy } from './load.ts'
import { dialect, infoOf, openai } from './openai.ts'
import { raw, rawGenerate } from './raw.ts'

const VERSION = '/api/version'
const LOADED = '/api/ps'

const count = z.int().nonnegative().nullable().catch(null)

/** `GET /api/ps`: the models in memory; null where there is none, or it does not answer. */
const resident = z.object({
  models: z
    .array(z.object({ name: z.string(), size: count, size_vram: count, context_length: count }))
    .nullable()
    .transform((models) => models ?? []),
})

/** Ollama by its `/v1` routes: `reasoning`, three plain counts, no stop; facts in its own `/api` routes. */
export const ollama: Engine = {
  ...openai,
  kind: 'ollama',
  detect: ({ ownedBy }) => ownedBy === 'library',
  // the owner is the first part of a name that is not from the library, as in hf.co/bartowski/gemma:Q4
  confirm: { path: VERSION, hinted: ({ model, ownedBy }) => model === null || isPartOf(model, ownedBy) },
  // it knows nothing of chat templates' own switches
  complete: chat({ ...dialect, thinking: (on) => ({ reasoning_effort: on ? 'medium' : 'none' }) }),
  raw: raw(dialect, rawGenerate),
  async info(api, signal) {
    const [models, version, ps] = await Promise.all([
      askModels(api, signal),
      askVersion(api, VERSION, signal),
      askAny(api, [LOADED], signal),
    ])
    if (!models.ok) return failed(models.failure)
    const told = resident.safeParse(ps)
    const [only, ...others] = told.success ? told.data.models : []
    // which of several would answer is up to the request
    const loaded = others.length === 0 ? only : undefined
    return ok({
      ...infoOf('ollama', models.value),
      version,
      loaded: loaded?.name ?? null,
      context: loaded?.context_length ?? null,
    })
  },
  load: loadBy([
    {
      path: LOADED,
      read: inJson(resident, ({ models }) => ({
        resident: models.map(({ name, size, size_vram }) => ({ name, bytes: size, gpuBytes: size_vram })),
      })),
    },
  ]),
}

function isPartOf(model: string, owner: string | null): boolean {
  return owner !== null && owner !== '' && model.split('/').includes(owner)
}
