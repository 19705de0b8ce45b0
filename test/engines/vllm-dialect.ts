import { vllm } from '../../src/engines/vllm.ts'
import type { Dialect, Recorded, Refusal, Said } from '../contract/engine-dialect.ts'
import { callDeltas, inPieces, inWords, readOf, sse, wholeCalls } from '../contract/engine-dialect.ts'
import { flat } from './sglang-refusals.ts'

interface Version {
  readonly version: string
  /** its names for the reasoning: one, for a while two, then the other (sglang.md 2.4) */
  readonly names: readonly ('reasoning_content' | 'reasoning')[]
  /** errors stand under `error` since 2025-08 */
  readonly nested: boolean
  /** whether it counts tokens of the reasoning */
  readonly counts: boolean
  readonly cacheGauge: string
}

export const VLLM_010: Version = {
  version: '0.10.0',
  names: ['reasoning_content'],
  nested: false,
  counts: false,
  cacheGauge: 'vllm:gpu_cache_usage_perc',
}
export const VLLM_011: Version = {
  ...VLLM_010,
  version: '0.11.1',
  names: ['reasoning', 'reasoning_content'],
  nested: true,
  cacheGauge: 'vllm:kv_cache_usage_perc',
}
export const VLLM_NOW: Version = { ...VLLM_011, version: '0.19.0', names: ['reasoning'], counts: true }

/** vLLM as it answers in one version, on the wire (sglang.md 2.4). */
export function dialect(version: Version): Dialect {
  return {
    engine: vllm,
    name: `vLLM ${version.version}`,
    facts: {
      '/v1/models': { object: 'list', data: [card('qwen3.6-27b', '/srv/models/demo-27b'), card('demo-lora', null)] },
      '/version': { version: version.version },
      '/metrics': pageOf(version),
      '/load': { server_load: 9 },
    },
    info: {
      kind: 'vllm',
      version: version.version,
      models: ['qwen3.6-27b', 'demo-lora'],
      loaded: '/srv/models/demo-27b',
      context: 32768,
      reasoningParser: null,
      tensorParallel: null,
    },
    load: {
      running: 5,
      waiting: 2,
      cacheUsage: 0.375,
      tokensPerSecond: null,
      resident: null,
      asked: '/metrics',
    },
    noRoute: '{"detail":"Not Found"}',
    answers: inWords((said) => record(version, said)),
    thinkingOff: { chat_template_kwargs: { enable_thinking: false } },
    errorEvent: {
      data: errorOf(version, 500, 'InternalServerError', 'EngineCore encountered an issue.'),
      kind: 'server',
      says: 'EngineCore',
    },
    refusals: refusalsOf(version),
  }
}

/** One answer of a version. `stop` is what ended it: null for the end token, else a token or a text of the request's. */
export function record(version: Version, said: Said, stop: number | string | null = null): Recorded {
  const usage = {
    prompt_tokens: said.prompt,
    total_tokens: said.prompt + said.tokens,
    completion_tokens: said.tokens,
    prompt_tokens_details: version.counts ? { cached_tokens: 8 } : null,
    ...(version.counts ? { completion_tokens_details: { reasoning_tokens: said.reasoningTokens } } : {}),
  }
  const thought = Object.fromEntries(version.names.map((name) => [name, said.reasoning]))
  const calls = said.calls.length === 0 ? {} : { tool_calls: wholeCalls(said.calls) }
  const message = { role: 'assistant', content: said.content, refusal: null, ...calls, ...thought }
  const end = { finish_reason: said.finish, stop_reason: stop }
  return {
    whole: JSON.stringify({
      ...HEAD,
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, ...end, token_ids: null }],
      usage,
      prompt_logprobs: null,
      kv_transfer_params: null,
    }),
    stream: sse([
      chunk({ role: 'assistant', content: '' }),
      ...inPieces(said.reasoning).map((text) => chunk(Object.fromEntries(version.names.map((name) => [name, text])))),
      ...inPieces(said.content).map((text) => chunk({ content: text })),
      ...callDeltas(said.calls).map((delta) => chunk(delta)),
      chunk({ content: '' }, end),
      { ...HEAD, object: 'chat.completion.chunk', choices: [], usage },
    ]),
    read: {
      ...readOf(said),
      content: said.content,
      stop,
      model: 'qwen3.6-27b',
      tokens: {
        prompt: said.prompt,
        completion: said.tokens,
        reasoning: version.counts ? said.reasoningTokens : null,
        cached: version.counts ? 8 : null,
      },
    },
    // the chunk with the finish brings an empty text
    readStream: { content: said.content ?? '' },
  }
}

const HEAD = { id: 'chatcmpl-5f1e', created: 1780000000, model: 'qwen3.6-27b' }

function chunk(delta: object, end: object = { finish_reason: null }) {
  return { ...HEAD, object: 'chat.completion.chunk', choices: [{ index: 0, delta, logprobs: null, ...end }] }
}

function card(id: string, root: string | null) {
  return { id, object: 'model', created: 1, owned_by: 'vllm', root, parent: null, max_model_len: 32768, permission: [] }
}

/** Two engines behind one door. */
function pageOf({ cacheGauge }: Version): string {
  const gauge = (name: string, values: readonly number[]) => [
    `# HELP ${name} What it says.`,
    `# TYPE ${name} gauge`,
    ...values.map((value, engine) => `${name}{engine="${engine}",model_name="qwen3.6-27b"} ${value.toFixed(4)}`),
  ]
  return [
    ...gauge('vllm:num_requests_running', [3, 2]),
    ...gauge('vllm:num_requests_waiting', [0, 2]),
    ...gauge('vllm:num_requests_waiting_by_reason', [70, 70]),
    ...gauge(cacheGauge, [0.25, 0.5]),
    'vllm:request_success_total{engine="0",finished_reason="stop",model_name="qwen3.6-27b"} 12.0',
    '',
  ].join('\n')
}

function errorOf({ nested }: Version, status: number, type: string, message: string): object {
  return nested ? { error: { message, type, param: null, code: status } } : flat(status, type, message)
}

function refusalsOf(version: Version): readonly Refusal[] {
  const refusal = (status: number, type: string, says: string, kind: string) => ({
    status,
    body: JSON.stringify(errorOf(version, status, type, says)),
    kind,
    says,
  })
  return [
    refusal(404, 'NotFoundError', 'The model `x` does not exist.', 'model-name'),
    refusal(400, 'BadRequestError', "This model's maximum context length is 8192 tokens.", 'context'),
    refusal(400, 'BadRequestError', '"auto" tool choice requires --enable-auto-tool-choice', 'schema'),
    refusal(500, 'InternalServerError', 'EngineCore encountered an issue.', 'server'),
    refusal(503, 'ServiceUnavailableError', 'The server is overloaded.', 'overloaded'),
    { status: 401, body: '{"error":"Unauthorized"}', kind: 'auth', says: 'Unauthorized' },
    { status: 503, body: '', kind: 'not-ready', says: '' },
  ]
}
