import type { Engine, EngineInfo } from '../domain/engine.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Models } from './ask.ts'
import { askModels } from './ask.ts'
import { chat } from './chat.ts'
import { complaint } from './complaint.ts'
import { readUsage } from './completion.ts'

/** Any server that speaks OpenAI's chat dialect. Other engines are this one with what they do differently. */
export const openai: Engine = {
  kind: 'openai',
  detect: ({ ownedBy }) => ownedBy === 'openai',
  complete: chat({ usage: readUsage, complaint }),
  info: listedInfo('openai'),
  complaint,
}

/** For an engine that has no route for its facts. */
export function listedInfo(kind: Engine['kind']): Engine['info'] {
  return async (api, signal) => {
    const models = await askModels(api, signal)
    return models.ok ? ok(infoOf(kind, models.value)) : failed(models.failure)
  }
}

/** What the model list alone tells. */
export function infoOf(kind: Engine['kind'], { list }: Models): EngineInfo {
  const [first] = list
  return {
    kind,
    version: null,
    models: list.map((model) => model.id),
    loaded: first?.root ?? null,
    context: first?.max_model_len ?? null,
    reasoningParser: null,
    tensorParallel: null,
  }
}
