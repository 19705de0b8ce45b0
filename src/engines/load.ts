import { z } from 'zod'

import type { Engine, EngineLoad } from '../domain/engine.ts'
import { readJson } from '../domain/json.ts'
import { failed, ok } from '../domain/outcome.ts'
import { askText, hasNoRoute } from './ask.ts'
import { gaugesIn, mean, sum } from './metrics.ts'

/** A route that tells what an engine is busy with; null where its answer says nothing of the kind. */
export interface LoadRoute {
  readonly path: string
  read(text: string): Told | null
}

export type Told = Partial<Omit<EngineLoad, 'asked'>>

const NOT_TOLD: EngineLoad = {
  running: null,
  waiting: null,
  cacheUsage: null,
  tokensPerSecond: null,
  resident: null,
  asked: null,
}

/** The first of these routes that tells anything, in order. A server that has none of them is not at fault. */
export function loadBy(routes: readonly LoadRoute[]): Engine['load'] {
  return async (api, signal) => {
    for (const { path, read } of routes) {
      const reply = await askText(api, path, signal)
      if (!reply.ok && !hasNoRoute(reply.failure)) return failed(reply.failure)
      const told = reply.ok ? read(reply.value.text) : null
      if (told !== null) return ok({ ...NOT_TOLD, ...told, asked: path })
    }
    return ok(NOT_TOLD)
  }
}

/** For a route that answers in JSON. */
export function inJson<T>(schema: z.ZodType<T>, tell: (read: T) => Told | null): LoadRoute['read'] {
  return (text) => {
    const json = readJson(text)
    const read = schema.safeParse(json.ok ? json.value : undefined)
    return read.success ? tell(read.data) : null
  }
}

/** For a page of Prometheus metrics: the names of its gauges, newest first where one was renamed. */
export function inMetrics(names: MetricNames): LoadRoute['read'] {
  const wanted = new Set(Object.values(names).flat())
  return (text) => {
    const gauges = gaugesIn(text, wanted)
    const of = (given: readonly string[]) => gauges.get(given.find((name) => gauges.has(name)) ?? '')
    if (gauges.size === 0) return null
    return {
      running: sum(of(names.running)),
      waiting: sum(of(names.waiting)),
      cacheUsage: part(mean(of(names.cacheUsage))),
      tokensPerSecond: sum(of(names.tokensPerSecond)),
    }
  }
}

type MetricNames = Readonly<Record<'running' | 'waiting' | 'cacheUsage' | 'tokensPerSecond', readonly string[]>>

/** A usage that is no part of a whole is none that we understand. */
export function part(usage: number | null): number | null {
  return usage !== null && usage >= 0 && usage <= 1 ? usage : null
}

/** Of what a server counts; anything else is not told. */
export const amount = z.number().nonnegative().nullable().catch(null)
