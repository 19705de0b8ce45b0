import { z } from 'zod'

import type { Engine } from '../domain/engine.ts'
import { failed, ok } from '../domain/outcome.ts'
import { askAny, askModels } from './ask.ts'
import { inJson, inMetrics, loadBy } from './load.ts'
import { dialect, infoOf, openai } from './openai.ts'
import { byTemplate, raw } from './raw.ts'
import { llamaTokens } from './tokens.ts'

const slots = z.array(z.object({ is_processing: z.boolean() }))

/** llama-server: no key `reasoning_content` where it is empty, facts in `/props`. */
export const llamaCpp: Engine = {
  ...openai,
  kind: 'llama-cpp',
  detect: ({ ownedBy, server }) => ownedBy === 'llamacpp' || server === 'llama.cpp',
  raw: raw(dialect, byTemplate),
  ...llamaTokens(dialect),
  async info(api, signal) {
    const [models, answer] = await Promise.all([askModels(api, signal), askAny(api, ['/props'], signal)])
    if (!models.ok) return failed(models.failure)
    const told = props.parse(answer)
    return ok({
      ...infoOf('llama-cpp', models.value),
      version: told.build_info,
      loaded: told.model_path,
      context: told.default_generation_settings?.n_ctx ?? null,
    })
  },
  load: loadBy([
    // only with --metrics; the ratio is gone from newer builds
    {
      path: '/metrics',
      read: inMetrics({
        running: ['llamacpp:requests_processing'],
        waiting: ['llamacpp:requests_deferred'],
        cacheUsage: ['llamacpp:kv_cache_usage_ratio'],
        tokensPerSecond: ['llamacpp:predicted_tokens_seconds'],
      }),
    },
    {
      path: '/slots',
      read: inJson(slots, (all) => ({ running: all.filter(({ is_processing }) => is_processing).length })),
    },
  ]),
}

const text = z.string().nullable().catch(null)
const settings = z.object({ n_ctx: z.int().positive().nullable().catch(null) })

const props = z
  .object({ build_info: text, model_path: text, default_generation_settings: settings.nullable().catch(null) })
  .catch({ build_info: null, model_path: null, default_generation_settings: null })
