import type { Engine, EngineInfo } from '../domain/engine.ts'
import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Api } from '../domain/ports.ts'
import { askModels, isSlow } from './ask.ts'
import { llamaCpp } from './llama-cpp.ts'
import { ollama } from './ollama.ts'
import { infoOf, openai } from './openai.ts'
import { sglang } from './sglang.ts'
import { vllm } from './vllm.ts'

/** Every engine; a new one is one file and one line here. The first is the common dialect, used where no other is known. */
export const engines: readonly [Engine, ...Engine[]] = [openai, sglang, vllm, llamaCpp, ollama]

/**
 * Which engine answers, by whom `/v1/models` says the model is owned; the names it lists come with it. A server that has
 * no such list, or does not give it in time, is asked in the common dialect: whether it can chat, a chat tells best.
 */
export async function detectEngine(api: Api, signal: AbortSignal): Promise<Outcome<Detected>> {
  const models = await askModels(api, signal)
  if (!models.ok) return tellsNothing(models.failure) ? ok({ engine: openai, info: {} }) : failed(models.failure)
  const [first] = models.value.list
  const sighting = { ownedBy: first?.owned_by ?? null, server: models.value.server }
  const engine = engines.find((candidate) => candidate.detect(sighting)) ?? openai
  return ok({ engine, info: known(infoOf(engine.kind, models.value)) })
}

interface Detected {
  readonly engine: Engine
  readonly info: Partial<EngineInfo>
}

function tellsNothing(failure: Failure): boolean {
  const { kind, http } = failure
  return isSlow(failure) || kind === 'shape' || kind === 'not-json' || NO_ROUTE.has(http?.status ?? 0)
}

const NO_ROUTE: ReadonlySet<number> = new Set([404, 405, 501])

/** Without what the list does not tell, so that it never hides what the engine's own facts say. */
function known(info: EngineInfo): Partial<EngineInfo> {
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== null))
}
