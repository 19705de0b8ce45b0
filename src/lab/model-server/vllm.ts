import { randomUUID } from 'node:crypto'
import type { About, Dialect, Ended, Head } from './dialect.ts'
import { cacheUsage, calledTool, counts } from './dialect.ts'
import { vllmTools } from './tools.ts'
import { atLeast } from './version.ts'

/** vLLM: `reasoning`, `stop_reason`, errors under `error`; what is empty is dropped or null (sglang.md 2.4). */
export function vllm(version: string): Dialect {
  const chunk = (head: Head, delta: object, end: object = { finish_reason: null }) => ({
    ...headed(head, 'chat.completion.chunk'),
    choices: [{ index: 0, delta, logprobs: null, ...end }],
  })
  return {
    server: 'uvicorn',
    tools: vllmTools,
    health: ['/health'],
    facts: (about) => facts(about, version),
    noRoute: { detail: 'Not Found' },
    refusal: nested,
    newId: () => `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    whole(head, { reasoning, content, calls }, ended) {
      const message = {
        role: 'assistant',
        content: content === '' ? null : content,
        refusal: null,
        ...(calls.length === 0 ? {} : { tool_calls: calls.map(calledTool) }),
        ...thought(version, reasoning === '' ? null : reasoning),
      }
      return {
        ...headed(head, 'chat.completion'),
        choices: [{ index: 0, message, logprobs: null, ...endOf(ended) }],
        usage: usage(ended),
      }
    },
    opening: (head) => [chunk(head, { role: 'assistant', content: '' })],
    piece: (head, { channel, text }) => chunk(head, channel === 'content' ? { content: text } : thought(version, text)),
    calls: (head, calls) => calls.map((call, index) => chunk(head, { tool_calls: [calledTool(call, index)] })),
    ending: (head, ended) => chunk(head, { content: '' }, endOf(ended)),
    usage: (head, ended) => ({ ...headed(head, 'chat.completion.chunk'), choices: [], usage: usage(ended) }),
    errorEvent: (message) => nested(500, 'InternalServerError', message),
    abortsAsError: false,
  }
}

/** One name to 0.10, both in 0.11, the other one since about 0.16. */
function thought(version: string, text: string | null): object {
  return {
    ...(atLeast(version, [0, 16]) ? {} : { reasoning_content: text }),
    ...(atLeast(version, [0, 11]) ? { reasoning: text } : {}),
  }
}

/** The model's own end is null; a stop that the lab's stories name is always that. */
function endOf({ finish }: Ended): object {
  return { finish_reason: finish, stop_reason: null }
}

function usage(ended: Ended): object {
  return {
    ...counts(ended),
    prompt_tokens_details: null,
    completion_tokens_details: { reasoning_tokens: ended.reasoningTokens },
  }
}

function headed({ id, created, model }: Head, object: string): object {
  return { id, object, created, model }
}

function nested(code: number, type: string, message: string): object {
  return { error: { message, type, param: null, code } }
}

function facts({ model, context, running, waiting }: About, version: string): ReadonlyMap<string, unknown> {
  const card = { id: model, object: 'model', created: 1_780_000_000, owned_by: 'vllm', root: `/srv/models/${model}` }
  const gauge = (name: string, value: number) =>
    `# TYPE ${name} gauge\n${name}{engine="0",model_name="${model}"} ${value}\n`
  const page = [
    gauge('vllm:num_requests_running', running),
    gauge('vllm:num_requests_waiting', waiting),
    gauge('vllm:kv_cache_usage_perc', cacheUsage(running)),
  ]
  return new Map<string, unknown>([
    ['/v1/models', { object: 'list', data: [{ ...card, parent: null, max_model_len: context, permission: [] }] }],
    ['/version', { version }],
    ['/metrics', page.join('')],
    ['/load', { server_load: 0 }],
  ])
}
