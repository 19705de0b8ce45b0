import { openai } from '../../src/engines/openai.ts'
import type { Dialect, Recorded, Said } from '../contract/engine-dialect.ts'
import { callDeltas, inPieces, inWords, readOf, sse, wholeCalls } from '../contract/engine-dialect.ts'

/** A server of no kind that we know: OpenAI's dialect, with a stop that it names like vLLM and details of its usage. */
export const dialect: Dialect = {
  engine: openai,
  name: 'OpenAI dialect',
  facts: {
    '/v1/models': {
      object: 'list',
      data: [
        { id: 'some-model', object: 'model', owned_by: 'openai', root: '/srv/some-model', max_model_len: 8192 },
        { id: 'another', object: 'model', owned_by: 'somebody' },
      ],
    },
  },
  info: {
    kind: 'openai',
    version: null,
    models: ['some-model', 'another'],
    loaded: '/srv/some-model',
    context: 8192,
    reasoningParser: null,
    tensorParallel: null,
  },
  load: { running: null, waiting: null, cacheUsage: null, tokensPerSecond: null, resident: null, asked: null },
  noRoute: '{"detail":"Not Found"}',
  answers: inWords(record),
  thinkingOff: { chat_template_kwargs: { enable_thinking: false } },
  errorEvent: {
    data: { error: { message: 'The server had an error', type: 'server_error', param: null, code: null } },
    kind: 'server',
    says: 'had an error',
  },
  refusals: [
    refusal(401, 'invalid_request_error', 'Incorrect API key provided', 'invalid_api_key', 'auth'),
    refusal(429, 'insufficient_quota', 'You exceeded your current quota', 'x', 'overloaded'),
    refusal(400, 'invalid_request_error', 'too long', 'context_length_exceeded', 'context'),
    refusal(404, 'invalid_request_error', 'The model `x` does not exist', 'model_not_found', 'model-name'),
  ],
}

function record(said: Said): Recorded {
  const usage = {
    prompt_tokens: said.prompt,
    completion_tokens: said.tokens,
    total_tokens: said.prompt + said.tokens,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: said.reasoningTokens },
  }
  const chunk = (delta: object, end = {}) => ({
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: null, stop_reason: null, ...end }],
  })
  const end = { finish_reason: said.finish, stop_reason: 'END' }
  const message = {
    role: 'assistant',
    content: said.content,
    reasoning: said.reasoning,
    ...(said.calls.length === 0 ? {} : { tool_calls: wholeCalls(said.calls) }),
  }
  return {
    whole: JSON.stringify({ model: 'm', choices: [{ index: 0, message, ...end }], usage }),
    stream: sse([
      chunk({ role: 'assistant', content: '' }),
      ...inPieces(said.reasoning).map((text) => chunk({ reasoning: text })),
      ...inPieces(said.content).map((text) => chunk({ content: text })),
      ...callDeltas(said.calls).map((delta) => chunk(delta)),
      chunk({}, end),
      { model: 'm', choices: [], usage },
    ]),
    read: {
      ...readOf(said),
      content: said.content,
      stop: 'END',
      model: 'm',
      tokens: { prompt: said.prompt, completion: said.tokens, reasoning: said.reasoningTokens, cached: 4 },
    },
  }
}

function refusal(status: number, type: string, says: string, code: string, kind: string) {
  return { status, body: JSON.stringify({ error: { message: says, type, param: null, code } }), kind, says }
}
