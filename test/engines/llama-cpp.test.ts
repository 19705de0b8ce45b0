import { llamaCpp } from '../../src/engines/llama-cpp.ts'
import type { Recorded } from '../contract/engine.ts'
import { engineContract, sse } from '../contract/engine.ts'

/* Bodies as llama-server of build 11669 sends them: no key for what is empty, `timings` beside `usage`. */
const HEAD = { id: 'chatcmpl-x', created: 1780000000, model: 'healthy.gguf', system_fingerprint: 'b11669' }

engineContract({
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
  },
  info: {
    kind: 'llama-cpp',
    version: 'b11669-abcdef0',
    models: ['healthy.gguf'],
    loaded: '/srv/models/healthy.gguf',
    context: 4096,
    reasoningParser: null,
  },
  noRoute: '{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}',
  answers: {
    both: record({ reasoning_content: 'A greeting.', content: 'Hello!' }, 'stop', 22),
    nothing: record({ content: '' }, 'stop', 1),
    'thinking-only': record({ reasoning_content: 'Wait, let me check again.', content: '' }, 'length', 200),
    'content-only': record({ content: '2 + 2 = 2.' }, 'length', 200),
    'tool-call': record(
      {
        content: '',
        tool_calls: [{ type: 'function', id: 'abc', function: { name: 'weather', arguments: '{"city":"Ulm"}' } }],
      },
      'tool_calls',
      30,
    ),
  },
  refusals: [
    error(503, 'unavailable_error', 'Loading model', 'not-ready'),
    error(401, 'authentication_error', 'Invalid API Key', 'auth'),
    error(
      400,
      'exceed_context_size_error',
      'the request exceeds the available context size, try increasing it',
      'context',
    ),
    error(400, 'invalid_request_error', "'messages' is required", 'schema'),
    error(400, 'invalid_request_error', 'model not found: x', 'model-name'),
    error(500, 'server_error', 'failed to decode', 'server'),
  ],
})

function error(status: number, type: string, message: string, kind: string) {
  return { status, body: JSON.stringify({ error: { code: status, message, type } }), kind, says: message }
}

interface Message {
  readonly reasoning_content?: string
  readonly content: string
  readonly tool_calls?: readonly {
    readonly type: string
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

function record(message: Message, finish: string, tokens: number): Recorded {
  const usage = {
    completion_tokens: tokens,
    prompt_tokens: 12,
    total_tokens: 12 + tokens,
    prompt_tokens_details: { cached_tokens: 11 },
  }
  const timings = { cache_n: 11, prompt_n: 1, predicted_n: tokens, predicted_per_second: 2500 }
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...HEAD,
    object: 'chat.completion.chunk',
    choices: [{ finish_reason, index: 0, delta }],
  })
  const pieces = (key: string, text: string) => text.match(/.{1,5}/gs)?.map((piece) => chunk({ [key]: piece })) ?? []
  return {
    whole: JSON.stringify({
      ...HEAD,
      object: 'chat.completion',
      choices: [{ finish_reason: finish, index: 0, message: { role: 'assistant', ...message } }],
      usage,
      timings,
    }),
    stream: sse([
      chunk({ role: 'assistant', content: null }),
      ...pieces('reasoning_content', message.reasoning_content ?? ''),
      ...pieces('content', message.content),
      ...(message.tool_calls ?? []).map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
      { ...chunk({}, finish) },
      { ...HEAD, object: 'chat.completion.chunk', choices: [], usage, timings },
    ]),
    read: {
      reasoning: message.reasoning_content ?? null,
      content: message.content,
      toolCalls: message.tool_calls?.map((call) => call.function) ?? [],
      finish,
      stop: null,
      model: 'healthy.gguf',
      tokens: { prompt: 12, completion: tokens, reasoning: null, cached: 11 },
    },
    readStream: { content: message.content === '' ? null : message.content },
  }
}
