import { randomUUID } from 'node:crypto'
import type { About, Dialect, Head } from './dialect.ts'
import { calledTool, counts } from './dialect.ts'

/** Ollama by its /v1 routes: a role and a content in every chunk, no stop, three counts, its facts below /api (sglang.md 2.4). */
export function ollama(version: string): Dialect {
  const chunk = (head: Head, delta: object, finish: string | null = null) => ({
    ...headed(head, 'chat.completion.chunk'),
    choices: [{ index: 0, delta: { role: 'assistant', content: '', ...delta }, finish_reason: finish }],
  })
  return {
    server: null,
    health: [],
    facts: (about) => facts(about, version),
    noRoute: '404 page not found',
    refusal: (status, _type, message) => error(status, message),
    newId: () => `chatcmpl-${randomUUID().slice(0, 3)}`,
    whole(head, { reasoning, content, calls }, ended) {
      const message = {
        role: 'assistant',
        content,
        ...(reasoning === '' ? {} : { reasoning }),
        ...(calls.length === 0 ? {} : { tool_calls: calls.map(calledTool) }),
      }
      return {
        ...headed(head, 'chat.completion'),
        choices: [{ index: 0, message, finish_reason: ended.finish }],
        usage: counts(ended),
      }
    },
    opening: () => [],
    piece: (head, { channel, text }) => chunk(head, { [channel]: text }),
    calls: (head, calls) => (calls.length === 0 ? [] : [chunk(head, { tool_calls: calls.map(calledTool) })]),
    ending: (head, ended) => chunk(head, {}, ended.finish),
    usage: (head, ended) => ({ ...headed(head, 'chat.completion.chunk'), choices: [], usage: counts(ended) }),
    errorEvent: (message) => error(500, message),
    abortsAsError: true,
  }
}

function headed({ id, created, model }: Head, object: string): object {
  return { id, object, created, model, system_fingerprint: 'fp_ollama' }
}

function error(status: number, message: string): object {
  return { error: { message, type: TYPES.get(status) ?? 'api_error', param: null, code: null } }
}

const TYPES: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [404, 'not_found_error'],
])

const GIB = 1024 ** 3

function facts({ model, context }: About, version: string): ReadonlyMap<string, unknown> {
  const resident = { name: model, model, size: 19 * GIB, size_vram: 19 * GIB, context_length: context }
  return new Map<string, unknown>([
    ['/', 'Ollama is running'],
    [
      '/v1/models',
      { object: 'list', data: [{ id: model, object: 'model', created: 1_780_000_000, owned_by: 'library' }] },
    ],
    ['/api/version', { version }],
    ['/api/tags', { models: [{ name: model, model }] }],
    ['/api/ps', { models: [resident] }],
  ])
}
