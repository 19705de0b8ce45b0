import { sglang } from '../../src/engines/sglang.ts'
import type { Case, Dialect, Recorded, Refusal } from '../contract/engine.ts'
import { sse } from '../contract/engine.ts'

export interface Version {
  readonly version: string
  /** 0.5.13 sends '' where it sent null before, and leaves null keys out of deltas */
  readonly after13: boolean
  /** since 0.5.10 */
  readonly counts: boolean
}

/** SGLang as it answers in one version, on the wire (sglang.md 1.3, 1.5, 2.1, 2.3). */
export function dialect(version: Version): Dialect {
  return {
    engine: sglang,
    name: `SGLang ${version.version}`,
    facts: {
      '/v1/models': {
        object: 'list',
        data: [
          {
            id: 'qwen3.6-27b',
            object: 'model',
            created: 1,
            owned_by: 'sglang',
            root: 'qwen3.6-27b',
            parent: null,
            max_model_len: 262144,
          },
        ],
      },
      // the names before and since 0.5.6
      [version.after13 ? '/server_info' : '/get_server_info']: {
        version: version.version,
        model_path: '/srv/models/demo-27b',
        api_key: 'sk-planted',
        admin_api_key: 'sk-planted',
        tp_size: 2,
        reasoning_parser: 'qwen3',
        context_length: null,
        internal_states: [{ api_key: 'sk-planted', last_gen_throughput: 41.2 }],
      },
      [version.after13 ? '/model_info' : '/get_model_info']: {
        model_path: '/srv/models/demo-27b',
        is_generation: true,
      },
    },
    info: {
      kind: 'sglang',
      version: version.version,
      models: ['qwen3.6-27b'],
      loaded: '/srv/models/demo-27b',
      context: 262144,
      reasoningParser: 'qwen3',
      tensorParallel: 2,
    },
    noRoute: '{"detail":"Not Found"}',
    answers: answersOf(version),
    refusals: REFUSALS,
  }
}

interface Said {
  readonly reasoning: string | null
  readonly content: string | null
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[]
  readonly finish: string
  readonly stop: number | string | null
  readonly prompt: number
  readonly tokens: number
  readonly reasoningTokens: number
}

function answersOf(version: Version): Readonly<Record<Case, Recorded>> {
  const recorded = (said: Said) => record(version, said)
  return {
    both: recorded({
      reasoning: 'A greeting.',
      content: 'Hello!',
      finish: 'stop',
      stop: 248046,
      prompt: 16,
      tokens: 22,
      reasoningTokens: 14,
    }),
    // the field story: two tokens and nothing (case A-01)
    nothing: recorded({
      reasoning: null,
      content: null,
      finish: 'stop',
      stop: 248046,
      prompt: 16,
      tokens: 2,
      reasoningTokens: 0,
    }),
    // the field story: reasoning that ate the budget under finish "stop" (case A-15)
    'thinking-only': recorded({
      reasoning: 'Understand User Request: one Python function. Define Prime Number: divisible only by 1 and itself.',
      content: null,
      finish: 'stop',
      stop: 248046,
      prompt: 40,
      tokens: 1996,
      reasoningTokens: 1996,
    }),
    'content-only': recorded({
      reasoning: null,
      content: '2 + 2 = 2.',
      finish: 'length',
      stop: null,
      prompt: 12,
      tokens: 200,
      reasoningTokens: 0,
    }),
    'tool-call': recorded({
      reasoning: 'I call it.',
      content: null,
      calls: [{ name: 'weather', arguments: '{"city":"Ulm"}' }],
      finish: 'tool_calls',
      stop: 248046,
      prompt: 80,
      tokens: 30,
      reasoningTokens: 6,
    }),
  }
}

/** One answer of a version, whole and streamed. */
export function record(version: Version, said: Said): Recorded {
  const reasoning = version.counts ? said.reasoningTokens : 0
  const usage = {
    prompt_tokens: said.prompt,
    total_tokens: said.prompt + said.tokens,
    completion_tokens: said.tokens,
    prompt_tokens_details: null,
    reasoning_tokens: reasoning,
  }
  const empty = version.after13 ? '' : null
  return {
    whole: JSON.stringify({
      ...HEAD,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: said.content ?? empty,
            reasoning_content: said.reasoning,
            tool_calls: wholeCalls(said),
          },
          logprobs: null,
          finish_reason: said.finish,
          matched_stop: said.stop,
        },
      ],
      usage,
      metadata: { weight_version: 'default' },
    }),
    stream: sse(chunks(version, said, usage)),
    read: {
      reasoning: said.reasoning,
      content: said.content ?? empty,
      toolCalls: said.calls ?? [],
      finish: said.finish,
      stop: said.stop,
      model: 'demo-27b',
      tokens: {
        prompt: said.prompt,
        completion: said.tokens,
        reasoning: reasoning === 0 ? null : reasoning,
        cached: null,
      },
    },
    // the role chunk's empty content is no text
    readStream: { content: said.content },
  }
}

function wholeCalls({ calls }: Said) {
  return calls?.map((call, index) => ({ id: `call_${index}`, index, type: 'function', function: call })) ?? null
}

function chunks({ after13 }: Version, said: Said, usage: unknown): unknown[] {
  const blank = after13
    ? { reasoning_content: null }
    : { role: null, content: null, reasoning_content: null, tool_calls: null }
  const chunk = (delta: object, finish: string | null = null, stop: Said['stop'] = null) => ({
    ...HEAD,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish, matched_stop: stop }],
    ...(after13 ? {} : { usage: null }),
  })
  const pieces = (key: string, text: string | null) =>
    (text ?? '').match(/.{1,5}/gs)?.map((piece) => chunk({ ...blank, [key]: piece })) ?? []
  return [
    chunk({ ...blank, role: 'assistant', content: '' }),
    ...pieces('reasoning_content', said.reasoning),
    ...pieces('content', said.content),
    ...(said.calls ?? []).flatMap((call, index) => [
      chunk({ ...blank, tool_calls: [{ id: `call_${index}`, index, function: { name: call.name, arguments: '' } }] }),
      ...pieces('x', call.arguments).map((_, part) =>
        chunk({
          ...blank,
          tool_calls: [
            { id: null, index, function: { name: null, arguments: call.arguments.slice(part * 5, part * 5 + 5) } },
          ],
        }),
      ),
    ]),
    chunk({ ...blank }, said.finish, said.stop),
    { ...HEAD, object: 'chat.completion.chunk', choices: [], usage },
  ]
}

const HEAD = { id: '0f3c9a1b2d4e4f6a8b7c6d5e4f3a2b1c', created: 1780000000, model: 'demo-27b' }

const REFUSALS: readonly Refusal[] = [
  flat(
    400,
    'BadRequestError',
    "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
    'context',
  ),
  flat(
    400,
    'BadRequest',
    "Requested token count exceeds the model's maximum context length of 8192 tokens.",
    'context',
  ),
  flat(400, 'BadRequestError', '1 validation error: body.max_tokens: Input should be a valid integer', 'schema'),
  flat(503, '503', 'The request queue is full.', 'overloaded'),
  flat(503, '503', 'Request waiting timeout reached.', 'overloaded'),
  flat(500, 'InternalServerError', 'probability tensor contains either `inf`, `nan`', 'server'),
  flat(500, 'InternalServerError', 'The request was aborted by the scheduler.', 'aborted'),
  {
    status: 404,
    body: '{"error":{"message":"The model `x` does not exist","type":"NotFound","code":"model_not_found"}}',
    kind: 'model-name',
    says: '`x`',
  },
  { status: 401, body: '{"error":"Unauthorized"}', kind: 'auth', says: 'Unauthorized' },
  { status: 403, body: '{"error":"Forbidden"}', kind: 'auth', says: 'Forbidden' },
  { status: 503, body: '', kind: 'not-ready', says: '' },
  { status: 500, body: 'Internal Server Error', kind: 'server', says: 'Internal Server Error' },
  {
    status: 503,
    body: '{"error":{"type":"Service Unavailable","code":"server_selection_failed","message":"No available workers (all circuits open or unhealthy)"}}',
    kind: 'proxy',
    says: 'workers',
  },
]

function flat(status: number, type: string, message: string, kind: string) {
  return {
    status,
    body: JSON.stringify({ object: 'error', message, type, param: null, code: status }),
    kind,
    says: message,
  }
}
