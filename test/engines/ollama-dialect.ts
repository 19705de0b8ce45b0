import { ollama } from '../../src/engines/ollama.ts'
import type { Dialect, Recorded, Said } from '../contract/engine-dialect.ts'
import { inPieces, inWords, readOf, sse } from '../contract/engine-dialect.ts'

const HEAD = { id: 'chatcmpl-417', created: 1780000000, model: 'qwen3:8b', system_fingerprint: 'fp_ollama' }

/** Ollama by its /v1 routes: three plain counts, a role and a content in every chunk, tool calls in one piece. */
export const dialect: Dialect = {
  engine: ollama,
  name: 'Ollama',
  facts: {
    '/v1/models': {
      object: 'list',
      data: [
        { id: 'qwen3:8b', object: 'model', created: 1780000000, owned_by: 'library' },
        { id: 'hf.co/bartowski/gemma:Q4_K_M', object: 'model', created: 1770000000, owned_by: 'bartowski' },
      ],
    },
    '/api/version': { version: '0.12.6' },
    '/api/tags': { models: [] },
    '/api/ps': {
      models: [
        {
          name: 'qwen3:8b',
          model: 'qwen3:8b',
          size: 6_591_830_464,
          digest: '500a1f067a9f',
          details: { family: 'qwen3', quantization_level: 'Q4_K_M' },
          expires_at: '2026-11-30T10:05:00Z',
          size_vram: 5_333_539_264,
          context_length: 4096,
        },
      ],
    },
  },
  info: {
    kind: 'ollama',
    version: '0.12.6',
    models: ['qwen3:8b', 'hf.co/bartowski/gemma:Q4_K_M'],
    loaded: 'qwen3:8b',
    context: 4096,
    reasoningParser: null,
    tensorParallel: null,
  },
  load: {
    running: null,
    waiting: null,
    cacheUsage: null,
    tokensPerSecond: null,
    resident: [{ name: 'qwen3:8b', bytes: 6_591_830_464, gpuBytes: 5_333_539_264 }],
    asked: '/api/ps',
  },
  noRoute: '404 page not found',
  answers: inWords(record),
  thinkingOff: { reasoning_effort: 'none' },
  errorEvent: {
    data: { error: { message: 'an error was encountered while running the model: CUDA error', type: 'api_error' } },
    kind: 'server',
    says: 'CUDA error',
  },
  refusals: [
    refusal(404, 'not_found_error', "model 'x' not found", 'model-name'),
    refusal(404, 'not_found_error', 'model "x" not found, try pulling it first', 'model-name'),
    refusal(400, 'invalid_request_error', "[] is too short - 'messages'", 'schema'),
    refusal(400, 'invalid_request_error', '"gemma:2b" does not support thinking', 'schema'),
    refusal(503, 'api_error', 'server busy, please try again.  maximum pending requests exceeded', 'overloaded'),
    refusal(500, 'api_error', 'llama runner process has terminated: exit status 2', 'server'),
    refusal(500, 'api_error', 'model requires more system memory (9.1 GiB) than is available (3.2 GiB)', 'server'),
    { status: 404, body: '{"error":"model \'x\' not found"}', kind: 'model-name', says: "'x'" },
  ],
}

function record(said: Said): Recorded {
  const usage = {
    prompt_tokens: said.prompt,
    completion_tokens: said.tokens,
    total_tokens: said.prompt + said.tokens,
  }
  const message = (reasoning: string | null, content: string, calls: Said['calls'] = []) => ({
    role: 'assistant',
    content,
    ...(reasoning === null ? {} : { reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(called) }),
  })
  const chunk = (delta: object, finish: string | null = null) => ({
    ...HEAD,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  return {
    whole: JSON.stringify({
      ...HEAD,
      object: 'chat.completion',
      choices: [
        { index: 0, message: message(said.reasoning, said.content ?? '', said.calls), finish_reason: said.finish },
      ],
      usage,
    }),
    stream: sse([
      ...inPieces(said.reasoning).map((text) => chunk(message(text, ''))),
      ...inPieces(said.content).map((text) => chunk(message(null, text))),
      ...(said.calls.length === 0 ? [] : [chunk(message(null, '', said.calls))]),
      chunk(message(null, ''), said.finish),
      { ...HEAD, object: 'chat.completion.chunk', choices: [], usage },
    ]),
    read: {
      ...readOf(said),
      content: said.content ?? '',
      stop: null,
      model: 'qwen3:8b',
      tokens: { prompt: said.prompt, completion: said.tokens, reasoning: null, cached: null },
    },
    readStream: { content: said.content },
  }
}

function called(call: Said['calls'][number], index: number) {
  return { id: `call_${index}`, index, type: 'function', function: call }
}

function refusal(status: number, type: string, says: string, kind: string) {
  return { status, body: JSON.stringify({ error: { message: says, type, param: null, code: null } }), kind, says }
}
