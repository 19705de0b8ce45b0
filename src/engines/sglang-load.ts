import { z } from 'zod'

import type { Told } from './load.ts'
import { amount, inJson, inMetrics, loadBy, part } from './load.ts'
import { mean, sum } from './metrics.ts'

const rank = z.object({
  num_running_reqs: amount,
  num_waiting_reqs: amount,
  token_usage: amount,
  gen_throughput: amount,
})
const aggregate = z.object({ total_running_reqs: amount, total_waiting_reqs: amount, avg_token_usage: amount })

/** Since 0.5.8, whether metrics are on or not: one entry per data-parallel rank; 0.5.8 sums them up besides. */
const loads = z.object({ loads: z.array(rank).catch([]), aggregate: aggregate.nullable().catch(null) })

function tellLoads({ loads: ranks, aggregate: all }: z.infer<typeof loads>): Told | null {
  if (ranks.length === 0 && all === null) return null
  return {
    running: sum(ranks.map((one) => one.num_running_reqs)) ?? all?.total_running_reqs ?? null,
    waiting: sum(ranks.map((one) => one.num_waiting_reqs)) ?? all?.total_waiting_reqs ?? null,
    cacheUsage: part(mean(ranks.map((one) => one.token_usage)) ?? all?.avg_token_usage ?? null),
    tokensPerSecond: sum(ranks.map((one) => one.gen_throughput)),
  }
}

/** 0.4.7 to 0.5.7: `num_reqs` holds those in line too. */
const getLoad = z.array(z.object({ num_reqs: amount, num_waiting_reqs: amount }))

function tellGetLoad(ranks: z.infer<typeof getLoad>): Told | null {
  const all = sum(ranks.map((one) => one.num_reqs))
  const waiting = sum(ranks.map((one) => one.num_waiting_reqs))
  if (all === null) return null
  return { running: waiting === null ? null : Math.max(0, all - waiting), waiting }
}

/** None of these asks the scheduler for a token, as `/health` does since 0.4.10.post2 (sglang.md 1.2). */
export const sglangLoad = loadBy([
  { path: '/v1/loads?include=core', read: inJson(loads, tellLoads) },
  { path: '/get_load', read: inJson(getLoad, tellGetLoad) },
  {
    path: '/metrics',
    read: inMetrics({
      running: ['sglang:num_running_reqs'],
      waiting: ['sglang:num_queue_reqs'],
      cacheUsage: ['sglang:token_usage'],
      tokensPerSecond: ['sglang:gen_throughput'],
    }),
  },
])
