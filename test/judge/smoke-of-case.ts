import { z } from 'zod'
import type { Completion } from '../../src/domain/completion.ts'
import { NO_TOKENS } from '../../src/domain/completion.ts'
import type { EngineInfo } from '../../src/domain/engine.ts'
import type { Complaint, Failure, FailureKind } from '../../src/domain/failure.ts'
import type { Evidence } from '../../src/domain/finding.ts'
import type { Smoke } from '../../src/domain/smoke.ts'
import { completionOf, smokeOf } from './samples.ts'

/** A labelled answer as it lies in test/fixtures/answers: what was asked, the bytes that came, what is true. */
export const Case = z.object({
  id: z.string(),
  request: z.object({
    prompt: z.string(),
    max_tokens: z.number(),
    temperature: z.number(),
    stream: z.boolean(),
    thinking: z.boolean().optional(),
  }),
  response: z.object({ status: z.number(), body: z.string(), end: z.string() }),
  engine: z
    .object({ kind: z.enum(['sglang', 'vllm', 'llama-cpp']), version: z.string(), loaded: z.string(), tp: z.number() })
    .optional(),
  truth: z.object({ verdict: z.string(), code: z.string(), avoid: z.array(z.string()) }),
})

type Case = z.infer<typeof Case>

/** The evidence of a case, read without the engines: these tests judge the judgement alone. */
export function evidenceOf({ request, response, engine }: Case): Evidence {
  const asked = { ...request, budget: request.max_tokens, thinking: request.thinking ?? null, model: null }
  const { completion, failure } = read(response, request.stream)
  const exchange = {
    url: '',
    request: '',
    status: response.status,
    headers: {},
    response: response.body,
    end: response.end,
  }
  const smoke: Smoke = { ...smokeOf({ request: asked, completion, failure }), exchange }
  return { target: TARGET, smoke, ...(engine === undefined ? {} : { engine: infoOf(engine) }) }
}

const TARGET = { name: 'qwen', url: 'http://127.0.0.1:30000', host: null }

function infoOf({ kind, version, loaded, tp }: NonNullable<Case['engine']>): EngineInfo {
  return { kind, version, loaded, tensorParallel: tp, models: [], context: null, reasoningParser: null }
}

type Read = Pick<Smoke, 'completion' | 'failure'>

function read({ status, body, end }: Case['response'], stream: boolean): Read {
  if (status !== 200) return { completion: null, failure: refusal('http-status', status, body) }
  if (body === '') return { completion: null, failure: failure('empty-body') }
  if (stream) return readStream(body, end)
  const parsed = jsonOf(body)
  if (parsed === null) return { completion: null, failure: failure('not-json') }
  const { choices, error, usage } = Chat.parse(parsed)
  if (error !== undefined) return { completion: null, failure: refusal('stream-error', status, body) }
  const [choice] = choices ?? []
  return { completion: answerOf(choice?.message ?? {}, choice, usage), failure: null }
}

function readStream(body: string, end: string): Read {
  const events = body.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []))
  const chunks = events.flatMap((data) => (jsonOf(data) === null ? [] : [Chat.parse(jsonOf(data))]))
  const choices = chunks.flatMap((chunk) => chunk.choices ?? [])
  const content = choices.flatMap(({ delta }) => delta?.content ?? []).join('')
  const last = choices.findLast(({ finish_reason }) => finish_reason != null)
  const completion = answerOf({ content }, last, chunks.findLast(({ usage }) => usage != null)?.usage)
  if (end === 'timeout') return { completion, failure: failure('stalled') }
  if (chunks.length < events.length - 1) return { completion, failure: failure('not-json') }
  return { completion, failure: events.at(-1) === '[DONE]' ? null : failure('ended-early') }
}

const Message = z.object({
  content: z.string().nullish(),
  reasoning: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z.array(z.object({ function: z.object({ name: z.string(), arguments: z.string() }) })).nullish(),
})
const Choice = z.object({
  message: Message.optional(),
  delta: Message.optional(),
  finish_reason: z.string().nullish(),
  matched_stop: z.union([z.number(), z.string()]).nullish(),
  stop_reason: z.union([z.number(), z.string()]).nullish(),
})
const Usage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  reasoning_tokens: z.number().nullish(),
})
const Chat = z.object({ choices: z.array(Choice).optional(), error: z.unknown().optional(), usage: Usage.nullish() })

function answerOf(
  message: z.infer<typeof Message>,
  choice: z.infer<typeof Choice> | undefined,
  usage: z.infer<typeof Usage> | null | undefined,
): Completion {
  return completionOf({
    content: message.content ?? null,
    reasoning: message.reasoning_content ?? message.reasoning ?? null,
    toolCalls: (message.tool_calls ?? []).map((call) => call.function),
    finish: choice?.finish_reason ?? null,
    stop: choice?.matched_stop ?? choice?.stop_reason ?? null,
    tokens: {
      ...NO_TOKENS,
      prompt: usage?.prompt_tokens ?? null,
      completion: usage?.completion_tokens ?? null,
      reasoning: usage?.reasoning_tokens ?? null,
    },
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function failure(kind: FailureKind): Failure {
  return { kind, thing: 'target qwen', observed: kind, next: 'look into the engine log' }
}

function refusal(kind: FailureKind, status: number, body: string): Failure {
  const read = SAYINGS.find(([saying]) => saying.test(body))?.[1]
  const complaint = read === undefined ? {} : { complaint: { kind: read, message: body } }
  return { ...failure(kind), http: { status, body, ...complaint } }
}

const SAYINGS: readonly (readonly [RegExp, Complaint['kind']])[] = [
  [/Loading model/, 'not-ready'],
  [/context length/, 'context'],
  [/queue is full/, 'overloaded'],
  [/^Internal Server Error/, 'server'],
]
