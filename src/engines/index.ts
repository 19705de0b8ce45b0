import type { Engine, EngineInfo, Sighting } from '../domain/engine.ts'
import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Api } from '../domain/ports.ts'
import type { Models } from './ask.ts'
import { askModels, askVersion, hasNoRoute, isSlow } from './ask.ts'
import { llamaCpp } from './llama-cpp.ts'
import { ollama } from './ollama.ts'
import { infoOf, openai } from './openai.ts'
import { sglang } from './sglang.ts'
import { vllm } from './vllm.ts'

/** Every engine; a new one is one file and one line here. The first is the common dialect, used where no other is known. */
export const engines: readonly [Engine, ...Engine[]] = [openai, sglang, vllm, llamaCpp, ollama]

/**
 * Which engine answers, by whom `/v1/models` says the model is owned; the names it lists come with it. Never by
 * `/api/tags` or the words of `/`, which SGLang has from Ollama since 0.5.7 (sglang.md 1.2). A server that has no such list, or does not give it in time, is asked in the common dialect: whether it can chat, a chat tells best.
 */
export async function detectEngine(api: Api, signal: AbortSignal): Promise<Outcome<Detected>> {
  const models = await askModels(api, signal)
  if (!models.ok) return tellsNothing(models.failure) ? ok({ engine: openai, info: {} }) : failed(models.failure)
  const seen = sightingOf(models.value)
  const engine = engines.find((one) => one.detect(seen)) ?? (await confirmed(api, seen, signal)) ?? openai
  return ok({ engine, info: known(infoOf(engine.kind, models.value)) })
}

interface Detected {
  readonly engine: Engine
  readonly info: Partial<EngineInfo>
}

function sightingOf({ list, server }: Models): Sighting {
  const [first] = list
  return {
    server,
    ownedBy: first?.owned_by ?? null,
    model: first?.id ?? null,
    maxModelLen: first?.max_model_len ?? null,
  }
}

/** The engine that the list hints at and whose own route answers. */
async function confirmed(api: Api, seen: Sighting, signal: AbortSignal): Promise<Engine | null> {
  for (const engine of engines) {
    const { confirm } = engine
    if (confirm?.hinted(seen) === true && (await askVersion(api, confirm.path, signal)) !== null) return engine
  }
  return null
}

function tellsNothing(failure: Failure): boolean {
  const { kind } = failure
  return isSlow(failure) || kind === 'shape' || kind === 'not-json' || hasNoRoute(failure)
}

/** Without what the list does not tell, so that it never hides what the engine's own facts say. */
function known(info: EngineInfo): Partial<EngineInfo> {
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== null))
}
