import { ollama } from '../../src/engines/ollama.ts'
import { openai } from '../../src/engines/openai.ts'
import { vllm } from '../../src/engines/vllm.ts'
import type { Dialect, Recorded } from '../contract/engine.ts'
import { engineContract, sse } from '../contract/engine.ts'

/* vLLM since 0.16 says `reasoning` and `stop_reason`, Ollama says `reasoning` and three plain counts (sglang.md 2.4). */
engineContract({
  ...common('vllm', 'Qwen/Qwen3.6-27B'),
  engine: vllm,
  name: 'vLLM',
  refusals: [
    error(
      404,
      { message: 'The model `x` does not exist.', type: 'NotFoundError', param: 'model', code: 404 },
      'model-name',
    ),
    error(
      400,
      {
        message: "This model's maximum context length is 8192 tokens.",
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
      'context',
    ),
    { status: 401, body: '{"error":"Unauthorized"}', kind: 'auth', says: 'Unauthorized' },
  ],
})

engineContract({
  ...common('library', 'qwen3:8b'),
  engine: ollama,
  name: 'Ollama',
  refusals: [
    error(
      404,
      { message: 'model "x" not found, try pulling it first', type: 'not_found_error', param: null, code: null },
      'model-name',
    ),
  ],
})

engineContract({
  ...common('openai', 'some-model'),
  engine: openai,
  name: 'OpenAI dialect',
  refusals: [
    error(
      401,
      { message: 'Incorrect API key provided', type: 'invalid_request_error', param: null, code: 'invalid_api_key' },
      'auth',
    ),
    error(
      429,
      { message: 'You exceeded your current quota', type: 'insufficient_quota', param: null, code: 'x' },
      'overloaded',
    ),
    error(
      400,
      { message: 'too long', type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
      'context',
    ),
  ],
})

function error(status: number, inner: { message: string; [key: string]: unknown }, kind: string) {
  return { status, body: JSON.stringify({ error: inner }), kind, says: inner.message }
}

function common(owner: string, model: string): Omit<Dialect, 'engine' | 'name' | 'refusals'> {
  return {
    facts: {
      '/v1/models': {
        object: 'list',
        data: [{ id: model, object: 'model', owned_by: owner, root: `/srv/${model}`, max_model_len: 8192 }],
      },
    },
    info: { version: null, models: [model], loaded: `/srv/${model}`, context: 8192 },
    noRoute: '{"detail":"Not Found"}',
    answers: {
      both: record({ reasoning: 'A greeting.', content: 'Hello!' }, 22, 14),
      nothing: record({ reasoning: null, content: null }, 1, 0),
      'thinking-only': record({ reasoning: 'Hm.', content: null }, 200, 200),
      'content-only': record({ content: 'Hello!' }, 7, null),
      'tool-call': record(
        { content: null, tool_calls: [{ index: 0, function: { name: 'weather', arguments: '{}' } }] },
        9,
        null,
      ),
    },
  }
}

interface Message {
  readonly reasoning?: string | null
  readonly content: string | null
  readonly tool_calls?: readonly {
    readonly index: number
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

function record(message: Message, completion: number, reasoning: number | null): Recorded {
  const details = reasoning === null ? null : { reasoning_tokens: reasoning }
  const usage = {
    prompt_tokens: 12,
    completion_tokens: completion,
    total_tokens: 12 + completion,
    completion_tokens_details: details,
  }
  const chunk = (delta: object, end = {}) => ({
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: null, stop_reason: null, ...end }],
  })
  const end = { finish_reason: 'stop', stop_reason: 'END' }
  return {
    whole: JSON.stringify({
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, ...end }],
      usage,
    }),
    stream: sse([
      chunk({ role: 'assistant', content: '' }),
      chunk(message),
      chunk({}, end),
      { model: 'm', choices: [], usage },
    ]),
    read: {
      reasoning: message.reasoning ?? null,
      content: message.content,
      toolCalls: message.tool_calls?.map((call) => call.function) ?? [],
      finish: 'stop',
      stop: 'END',
      tokens: { prompt: 12, completion, reasoning, cached: null },
    },
  }
}
