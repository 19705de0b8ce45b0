import { z } from 'zod'

import type { Engine } from '../domain/engine.ts'
import { failed, ok } from '../domain/outcome.ts'
import { askModels, askVersion } from './ask.ts'
import { amount, inJson, inMetrics, loadBy } from './load.ts'
import { dialect, infoOf, openai } from './openai.ts'
import { byTokens, raw } from './raw.ts'
import { vllmTokens } from './tokens.ts'

const VERSION = '/version'

/** Counts those in line too, and says 0 where it was not told to count (`--enable-server-load-tracking`). */
const serverLoad = z.object({ server_load: amount })

/**
 * vLLM: reasoning in `reasoning_content` to 0.10, under both names in 0.11, in `reasoning` since; `stop_reason`, which the
 * common dialect reads as well (sglang.md 2.4).
 */
export const vllm: Engine = {
  ...openai,
  kind: 'vllm',
  detect: ({ ownedBy }) => ownedBy === 'vllm',
  // others have a /version too; a list with lengths is vLLM's, behind a gateway that names itself as the owner
  confirm: { path: VERSION, hinted: ({ maxModelLen }) => maxModelLen !== null },
  raw: raw(dialect, byTokens),
  ...vllmTokens(dialect),
  async info(api, signal) {
    const [models, version] = await Promise.all([askModels(api, signal), askVersion(api, VERSION, signal)])
    return models.ok ? ok({ ...infoOf('vllm', models.value), version }) : failed(models.failure)
  },
  load: loadBy([
    {
      path: '/metrics',
      read: inMetrics({
        running: ['vllm:num_requests_running'],
        waiting: ['vllm:num_requests_waiting'],
        cacheUsage: ['vllm:kv_cache_usage_perc', 'vllm:gpu_cache_usage_perc'],
        tokensPerSecond: ['vllm:avg_generation_throughput_toks_per_s'],
      }),
    },
    {
      path: '/load',
      read: inJson(serverLoad, ({ server_load }) => (server_load ? { running: server_load } : null)),
    },
  ]),
}
