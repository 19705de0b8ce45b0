import type { Engine, EngineInfo } from '../domain/engine.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Models } from './ask.ts'
import { askModels } from './ask.ts'
import type { Dialect } from './chat.ts'
import { chat, reread } from './chat.ts'
import { complaint } from './complaint.ts'
import { readUsage } from './completion.ts'
import { loadBy } from './load.ts'

/** What OpenAI's own chat dialect leaves open, as most servers fill it. */
export const dialect: Dialect = {
  usage: readUsage,
  complaint,
  thinking: (on) => ({ chat_template_kwargs: { enable_thinking: on } }),
}

/** Any server that speaks OpenAI's chat dialect. Other engines are this one with what they do differently. */
export const openai: Engine = {
  kind: 'openai',
  detect: ({ ownedBy }) => ownedBy === 'openai',
  complete: chat(dialect),
  reread: reread(dialect),
  info: async (api, signal) => {
    const models = await askModels(api, signal)
    return models.ok ? ok(infoOf('openai', models.value)) : failed(models.failure)
  },
  load: loadBy([]),
  complaint,
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
