import { z } from 'zod'

import type { Engine } from '../domain/engine.ts'
import { failed, ok } from '../domain/outcome.ts'
import { askAny, askModels } from './ask.ts'
import { chat, reread } from './chat.ts'
import type { ReadUsage } from './completion.ts'
import { readUsage } from './completion.ts'
import { dialect, infoOf, openai } from './openai.ts'
import { generate, raw } from './raw.ts'
import { separateReasoning } from './reparse.ts'
import { sglangLoad } from './sglang-load.ts'
import { sglangTokens } from './tokens.ts'

/** To 0.5.9 `reasoning_tokens` is a constant 0 and an answer does not tell its version, so 0 is not known (sglang.md 2.1). */
const usage: ReadUsage = (sent) => {
  const tokens = readUsage(sent)
  return { ...tokens, reasoning: tokens.reasoning === 0 ? null : tokens.reasoning }
}

/** SGLang: `matched_stop`, reasoning in `reasoning_content`, facts in `/server_info` and `/model_info`. */
export const sglang: Engine = {
  ...openai,
  kind: 'sglang',
  detect: ({ ownedBy }) => ownedBy === 'sglang',
  complete: chat({ ...dialect, usage }),
  raw: raw({ ...dialect, usage }, generate),
  parse: separateReasoning,
  ...sglangTokens,
  reread: reread({ ...dialect, usage }),
  async info(api, signal) {
    const [models, server, model] = await Promise.all([
      askModels(api, signal),
      askAny(api, ['/server_info', '/get_server_info'], signal),
      askAny(api, ['/model_info', '/get_model_info'], signal),
    ])
    if (!models.ok) return failed(models.failure)
    const told = serverInfo.parse(server)
    const listed = infoOf('sglang', models.value)
    return ok({
      ...listed,
      version: told.version,
      loaded: modelInfo.parse(model).model_path ?? told.model_path ?? listed.loaded,
      context: listed.context ?? told.context_length,
      reasoningParser: told.reasoning_parser,
      tensorParallel: told.tp_size,
    })
  },
  load: sglangLoad,
}

const text = z.string().nullable().catch(null)
const count = z.int().positive().nullable().catch(null)

/** A flat dump of all arguments with api_key in clear text (sglang.md 1.3): only these leave it. */
const serverInfo = z
  .object({ version: text, model_path: text, context_length: count, reasoning_parser: text, tp_size: count })
  .catch({ version: null, model_path: null, context_length: null, reasoning_parser: null, tp_size: null })

const modelInfo = z.object({ model_path: text }).catch({ model_path: null })
