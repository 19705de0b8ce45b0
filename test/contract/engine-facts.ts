import type { IncomingMessage, ServerResponse } from 'node:http'

import { expect, test } from 'vitest'

import { detectEngine } from '../../src/engines/index.ts'
import { reply, replyJson, serve } from '../adapters/http-server.ts'
import { keep, never, open } from '../adapters/tidy.ts'
import { askServer } from './engine-ask.ts'
import type { Dialect, Refusal } from './engine-dialect.ts'

/** A server that answers as the dialect says, and what it was asked. */
async function factual({ facts, noRoute }: Pick<Dialect, 'facts' | 'noRoute'>) {
  const asked: string[] = []
  const server = await keep(
    serve(({ method, url = '' }, response) => {
      asked.push(`${method} ${url}`)
      const fact = facts[url]
      if (fact === undefined) return reply(response, 404, 'application/json', noRoute)
      if (typeof fact === 'string') return reply(response, 200, 'text/plain; version=0.0.4; charset=utf-8', fact)
      return replyJson(response, fact)
    }),
  )
  return { api: open(server.url), asked }
}

/** What a question about a server may never ask: these make tokens, or change something. */
const COSTLY = /^POST|health|generate|completions|chat|embed|flush|abort|profile|tags/

export function factsAreRead(dialect: Dialect): void {
  const { engine, facts, info, name } = dialect
  test('is detected, and tells what it is', async () => {
    const { api, asked } = await factual(dialect)
    const detected = await detectEngine(api, never)
    expect(detected).toMatchObject({ ok: true, value: { engine: { kind: engine.kind }, info: { kind: engine.kind } } })
    const told = await engine.info(api, never)
    expect(told).toMatchObject({ ok: true, value: info })
    expect(JSON.stringify(told), name).not.toContain('sk-planted')
    expect(asked.filter((line) => COSTLY.test(line))).toEqual([])
  })

  test('without its own facts still tells the models', async () => {
    const models = facts['/v1/models']
    const server = await keep(
      serve(({ url }, response) => {
        if (url === '/v1/models') replyJson(response, models)
        else replyJson(response, { error: 'boom' }, 500)
      }),
    )
    expect(await engine.info(open(server.url), never)).toMatchObject({ ok: true, value: { models: info.models } })
  })
}

const NOTHING_TOLD = {
  running: null,
  waiting: null,
  cacheUsage: null,
  tokensPerSecond: null,
  resident: null,
  asked: null,
}

export function loadIsTold(dialect: Dialect): void {
  const { engine, load, noRoute } = dialect
  test('tells its load, and writes no token for it', async () => {
    const { api, asked } = await factual(dialect)
    expect(await engine.load(api, never)).toEqual({ ok: true, value: load })
    expect(asked.filter((line) => COSTLY.test(line))).toEqual([])
    expect(asked.at(-1) ?? null).toBe(load.asked === null ? null : `GET ${load.asked}`)
  })

  test('without a route for its load it is not told, and nothing is wrong', async () => {
    const { api } = await factual({ facts: {}, noRoute })
    expect(await engine.load(api, never)).toEqual({ ok: true, value: NOTHING_TOLD })
  })

  test.for(['<html>Log in</html>', '', '{}', '{"loads":[]}', 'null', '7', '# HELP x\nx 1\n', '['.repeat(200)])(
    'a load of %j says nothing',
    async (body) => {
      const server = await keep(serve((_, response) => reply(response, 200, 'text/plain', body)))
      expect(await engine.load(open(server.url), never)).toEqual({ ok: true, value: NOTHING_TOLD })
    },
  )

  if (load.asked === null) return
  test('a load that is refused is a failure with the engine’s reading', async () => {
    const server = await keep(serve((_, response) => replyJson(response, { error: 'Unauthorized' }, 401)))
    const told = await engine.load(open(server.url), never)
    expect(told).toMatchObject({ ok: false, failure: { kind: 'http-status', http: { complaint: { kind: 'auth' } } } })
  })
}

export function refusalsAreUnderstood({ engine, refusals, noRoute }: Dialect): void {
  const all = [...refusals, { status: 404, body: noRoute, kind: 'route', says: '' }, ...PROXIES]
  test.for(all)('$status $kind', async ({ status, body, kind, says }) => {
    for (const streamed of [true, false]) {
      const answer = await askServer(
        engine,
        (_: IncomingMessage, response: ServerResponse) => reply(response, status, 'application/json', body),
        { stream: streamed },
      )
      expect(answer.completion).toBeNull()
      expect(answer.failure).toMatchObject({ kind: 'http-status', http: { status, complaint: { kind } } })
      expect(answer.failure?.http?.complaint?.message).toContain(says)
      expect(answer.exchange).toMatchObject({ status, response: body, end: 'http-status' })
    }
  })
}

/** What stands before an engine says no in its own words (sglang.md 1.5). */
const PROXIES: readonly Refusal[] = [
  {
    status: 502,
    body: '<html>\r\n<head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>',
    kind: 'proxy',
    says: '502 Bad Gateway',
  },
  {
    status: 503,
    body: '{"error":{"type":"Service Unavailable","code":"server_selection_failed","message":"No available workers (all circuits open or unhealthy)"}}',
    kind: 'proxy',
    says: 'workers',
  },
  {
    status: 503,
    body: 'upstream connect error or disconnect/reset before headers',
    kind: 'proxy',
    says: 'upstream',
  },
]
