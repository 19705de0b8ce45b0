import { llamaCpp } from '../../src/engines/llama-cpp.ts'
import type { Dialect, Recorded, Said } from '../contract/engine-dialect.ts'
import { callDeltas, inPieces, inWords, readOf, sse, wholeCalls } from '../contract/engine-dialect.ts'

const HEAD = { id: 'chatcmpl-x', created: 1780000000, model: 'healthy.gguf', system_fingerprint: 'b11669' }

/** llama-server of build 11669: no key for what is empty, `timings` beside `usage`. */
export const dialect: Dialect = {
  engine: llamaCpp,
  name: 'llama.cpp',
  facts: {
    '/v1/models': {
      models: [{ name: 'healthy.gguf' }],
      object: 'list',
      data: [
        {
          id: 'healthy.gguf',
          object: 'model',
          created: 1780000000,
          owned_by: 'llamacpp',
          meta: { n_ctx: 4096, n_ctx_train: 8192 },
        },
      ],
    },
    '/props': {
      default_generation_settings: { n_ctx: 4096, params: { temperature: 0.8 } },
      total_slots: 2,
      model_path: '/srv/models/healthy.gguf',
      build_info: 'b11669-abcdef0',
    },
    '/metrics': [
      '# HELP llamacpp:predicted_tokens_seconds Average generation throughput in tokens/s.',
      '# TYPE llamacpp:predicted_tokens_seconds gauge',
      'llamacpp:predicted_tokens_seconds 250.5',
      'llamacpp:tokens_predicted_total 812',
      'llamacpp:requests_processing 2',
      'llamacpp:requests_deferred 3',
      '',
    ].join('\n'),
    '/slots': [],
  },
  info: {
    kind: 'llama-cpp',
    version: 'b11669-abcdef0',
    models: ['healthy.gguf'],
    loaded: '/srv/models/healthy.gguf',
    context: 4096,
    reasoningParser: null,
    tensorParallel: null,
  },
  load: {
    running: 2,
    waiting: 3,
    cacheUsage: null,
    tokensPerSecond: 250.5,
    resident: null,
    asked: '/metrics',
  },
  noRoute: '{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}',
  answers: inWords(record),
  thinkingOff: { chat_template_kwargs: { enable_thinking: false } },
  errorEvent: {
    data: { error: { code: 500, message: 'Context size has been exceeded.', type: 'server_error' } },
    kind: 'context',
    says: 'Context size',
  },
  refusals: [
    refusal(503, 'unavailable_error', 'Loading model', 'not-ready'),
    refusal(401, 'authentication_error', 'Invalid API Key', 'auth'),
    refusal(
      400,
      'exceed_context_size_error',
      'the request exceeds the available context size, try increasing it',
      'context',
    ),
    refusal(400, 'invalid_request_error', "'messages' is required", 'schema'),
    refusal(400, 'invalid_request_error', 'model not found: x', 'model-name'),
    refusal(500, 'server_error', 'failed to decode', 'server'),
  ],
}

function record(said: Said): Recorded {
  const usage = {
    completion_tokens: said.tokens,
    prompt_tokens: said.prompt,
    total_tokens: said.prompt + said.tokens,
    prompt_tokens_details: { cached_tokens: 11 },
  }
  const timings = { cache_n: 11, prompt_n: 1, predicted_n: said.tokens, predicted_per_second: 2500 }
  const message = {
    role: 'assistant',
    content: said.content ?? '',
    ...(said.reasoning === null ? {} : { reasoning_content: said.reasoning }),
    ...(said.calls.length === 0 ? {} : { tool_calls: wholeCalls(said.calls) }),
  }
  return {
    whole: JSON.stringify({
      ...HEAD,
      object: 'chat.completion',
      choices: [{ finish_reason: said.finish, index: 0, message }],
      usage,
      timings,
    }),
    stream: sse([
      chunk({ role: 'assistant', content: null }),
      ...inPieces(said.reasoning).map((text) => chunk({ reasoning_content: text })),
      ...inPieces(said.content).map((text) => chunk({ content: text })),
      ...callDeltas(said.calls).map((delta) => chunk(delta)),
      chunk({}, said.finish),
      { ...HEAD, object: 'chat.completion.chunk', choices: [], usage, timings },
    ]),
    read: {
      ...readOf(said),
      content: said.content ?? '',
      stop: null,
      model: 'healthy.gguf',
      tokens: { prompt: said.prompt, completion: said.tokens, reasoning: null, cached: 11 },
    },
    readStream: { content: said.content },
  }
}

function chunk(delta: object, finish: string | null = null) {
  return { ...HEAD, object: 'chat.completion.chunk', choices: [{ finish_reason: finish, index: 0, delta }] }
}

function refusal(status: number, type: string, says: string, kind: string) {
  return { status, body: JSON.stringify({ error: { code: status, message: says, type } }), kind, says }
}
