import { randomUUID } from 'node:crypto'
import { field } from './chat-request.ts'
import type { Dialect, Ended, Head, RawWay } from './dialect.ts'
import { calledTool, counts } from './dialect.ts'
import { sglangFacts } from './sglang-facts.ts'
import { sglangTools } from './tools.ts'
import { atLeast } from './version.ts'

/** SGLang: null or '' for an empty text, keys in a delta and counts depend on its version (sglang.md 2.1, 2.3). */
export function sglang(version: string): Dialect {
  // an empty text was null until 0.5.12.post1, and every key stood in a delta, as null
  const sparse = atLeast(version, [0, 5, 13])
  const nulls = sparse
    ? { reasoning_content: null }
    : { role: null, content: null, reasoning_content: null, tool_calls: null }
  const chunk = (head: Head, delta: object, end: object = { finish_reason: null, matched_stop: null }) => ({
    ...headed(head, 'chat.completion.chunk'),
    choices: [{ index: 0, delta: { ...nulls, ...delta }, logprobs: null, ...end }],
    ...(sparse ? {} : { usage: null }),
  })
  const usage = (ended: Ended) => ({
    ...counts(ended),
    prompt_tokens_details: null,
    reasoning_tokens: atLeast(version, [0, 5, 10]) ? ended.reasoningTokens : 0,
  })
  return {
    server: 'uvicorn',
    raw: generate,
    tools: sglangTools(version),
    health: ['/health', '/health_generate'],
    facts: (about) => sglangFacts(about, version),
    noRoute: { detail: 'Not Found' },
    refusal: flat,
    newId: () => randomUUID().replaceAll('-', ''),
    whole(head, { reasoning, content, calls }, ended) {
      const message = {
        role: 'assistant',
        content: content === '' && !sparse ? null : content,
        reasoning_content: reasoning === '' ? null : reasoning,
        tool_calls: calls.length === 0 ? null : calls.map(calledTool),
      }
      const choice = { index: 0, message, logprobs: null, finish_reason: ended.finish, matched_stop: ended.stop }
      return {
        ...headed(head, 'chat.completion'),
        choices: [choice],
        usage: usage(ended),
        metadata: { weight_version: 'default' },
      }
    },
    opening: (head) => [chunk(head, { role: 'assistant', content: '' })],
    piece: (head, { channel, text }) =>
      chunk(head, { [channel === 'content' ? 'content' : 'reasoning_content']: text }),
    calls: (head, calls) => calls.map((call, index) => chunk(head, { tool_calls: [calledTool(call, index)] })),
    ending: (head, { finish, stop }) => chunk(head, {}, { finish_reason: finish, matched_stop: stop }),
    usage: (head, ended) => ({ ...headed(head, 'chat.completion.chunk'), choices: [], usage: usage(ended) }),
    // stands inside an `error` key there (sglang.md 1.5)
    errorEvent: (message) => ({ error: flat(500, 'InternalServerError', message) }),
    abortsAsError: atLeast(version, [0, 5, 10]),
  }
}

const generate: RawWay = {
  path: '/generate',
  read(json) {
    const sampling = field(json, 'sampling_params')
    return { prompt: String(field(json, 'text') ?? ''), budget: Number(field(sampling, 'max_new_tokens') ?? 128) }
  },
  answer: (text, { finish, stop, promptTokens, completionTokens }) => ({
    text,
    meta_info: {
      finish_reason: { type: finish, matched: stop },
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
    },
  }),
}

function headed({ id, created, model }: Head, object: string): object {
  return { id, object, created, model }
}

function flat(code: number, type: string, message: string): object {
  return { object: 'error', message, type, param: null, code }
}
