import { parseArgs } from 'node:util'
import { listen } from '../../src/lab/listen.ts'
import { vllm } from '../../src/lab/model-server/vllm.ts'
import type { Question, Refusal, Speech } from '../../src/lab/story.ts'
import { speechOf } from './sglang-double/model.ts'
import { openServer } from './sglang-double/serve.ts'

/**
 * A double of `vllm serve MODEL --served-model-name NAME`, for the one thing that SGLang does not do: it answers 404 to a
 * name that it does not serve (vLLM, entrypoints/openai/serving_models.py); SGLang takes any name.
 */
const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    'served-model-name': { type: 'string' },
    'reasoning-parser': { type: 'string' },
    port: { type: 'string' },
  },
})
const [model = '/srv/models/Qwen3.6-27B'] = positionals
const name = values['served-model-name'] ?? model
const CONTEXT = 262_144
const VERSION = '0.19.0'

const card = { id: name, object: 'model', created: 1_780_000_000, owned_by: 'vllm', root: model, parent: null }
const server = openServer({
  dialect: vllm(VERSION),
  context: CONTEXT,
  facts: new Map<string, unknown>([
    ['/v1/models', { object: 'list', data: [{ ...card, max_model_len: CONTEXT }] }],
    ['/version', { version: VERSION }],
  ]),
  play,
})
const port = await listen(server, Number(values.port ?? 8000))
process.stderr.write(`INFO:     Application startup complete.\nlistening on http://127.0.0.1:${port}\n`)

function play(question: Question): Speech | Refusal {
  if (question.model !== name) {
    return {
      act: 'refuse',
      status: 404,
      type: 'NotFoundError',
      message: `The model \`${question.model}\` does not exist.`,
    }
  }
  const reasoningParser = values['reasoning-parser'] ?? null
  return speechOf(question, { version: '0.5.18', tensorParallel: 1, reasoningParser, strictThinking: false })
}
