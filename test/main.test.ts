import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const MAIN = resolve(import.meta.dirname, '../src/main.ts')
let folder = ''
const servers: { close(): void }[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pilotflame-main-'))
})
afterAll(async () => {
  for (const server of servers) server.close()
  await rm(folder, { recursive: true })
})

interface Ran {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** Runs the program as a person would: a process of its own, in an empty folder. */
function pilotflame(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  return new Promise((done) => {
    const bare = { PATH: process.env['PATH'], HOME: folder, ...env }
    execFile(process.execPath, [MAIN, ...words], { cwd: folder, env: bare, timeout: 20_000 }, (error, out, err) => {
      done({ status: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err })
    })
  })
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

const usage = (completion: number, reasoning: number) => ({
  prompt_tokens: 16,
  total_tokens: 16 + completion,
  completion_tokens: completion,
  prompt_tokens_details: null,
  reasoning_tokens: reasoning,
})

/** The field story's two answers, as SGLang 0.5.9 and 0.5.11 sent them. */
const A01 = { content: null, reasoning: null, usage: usage(2, 0) }
const A15 = {
  content: '',
  reasoning: 'Understand User Request: one Python function. Define Prime Number',
  usage: usage(1996, 1996),
}

function sglang(said: typeof A01 | typeof A15): RequestListener {
  const head = { id: '0f3c9a1b2d4e4f6a8b7c6d5e4f3a2b1c', created: 1780000000, model: 'demo-27b' }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    if (request.url?.endsWith('/models')) {
      return response.end(JSON.stringify({ object: 'list', data: [{ id: 'demo-27b', owned_by: 'sglang' }] }))
    }
    if (request.method !== 'POST') {
      response.statusCode = 404
      return response.end('{"detail":"Not Found"}')
    }
    let body = ''
    for await (const part of request) body += part
    const last = { finish_reason: 'stop', matched_stop: 248046 }
    if (!JSON.parse(body).stream) {
      const message = { role: 'assistant', content: said.content, reasoning_content: said.reasoning, tool_calls: null }
      response.setHeader('content-type', 'application/json')
      return response.end(
        JSON.stringify({
          ...head,
          object: 'chat.completion',
          choices: [{ index: 0, message, logprobs: null, ...last }],
          usage: said.usage,
        }),
      )
    }
    response.setHeader('content-type', 'text/event-stream')
    const chunk = (delta: unknown, rest: unknown = { finish_reason: null, matched_stop: null }) =>
      response.write(
        `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, logprobs: null, ...Object(rest) }], usage: null })}\n\n`,
      )
    chunk({ role: 'assistant', content: '' })
    if (said.reasoning !== null) chunk({ role: null, content: null, reasoning_content: said.reasoning })
    chunk({ role: null, content: null, reasoning_content: null }, last)
    response.write(
      `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [], usage: said.usage })}\n\n`,
    )
    return response.end('data: [DONE]\n\n')
  }
  return (request, response) => void answer(request, response)
}

test.each([
  ['A-01', A01, '200', [], { verdict: 'broken', code: 'model.immediate-eos' }],
  ['A-01', A01, '200', ['--no-stream'], { verdict: 'broken', code: 'model.immediate-eos' }],
  ['A-15', A15, '2000', [], { verdict: 'request-limit', code: 'budget.reasoning-exhausted' }],
  ['A-15', A15, '2000', ['--no-stream'], { verdict: 'request-limit', code: 'budget.reasoning-exhausted' }],
])('case %s gets its verdict by smoke --url %#', async (_name, said, budget, more, expected) => {
  const url = await serve(sglang(said))
  const ran = await pilotflame([
    'smoke',
    'Say hello in one sentence.',
    '--url',
    url,
    '--max-tokens',
    budget,
    '--json',
    ...more,
  ])
  expect(ran.err).toBe('')
  const json = JSON.parse(ran.out)
  expect(json).toMatchObject({ ...expected, completion: { finish: 'stop', stop: 248046, budget: Number(budget) } })
  expect(json.completion.content).toBe(more.length === 0 ? null : said.content)
  expect(json.findings[0]).toMatchObject({ code: expected.code, confidence: expect.any(String) })
  expect(ran.status).toBe(1)
})

test('a closed port is unreachable, with the next step', async () => {
  const ran = await pilotflame(['smoke', 'Say hello', '--url', 'http://127.0.0.1:9'])
  expect(ran.status).toBe(1)
  expect(ran.out).toContain('refused')
})

test.each([
  [[], {}, /pilotflame smoke/, 0, ['--help']],
  [[], {}, /^\d+\.\d+\.\d+/, 0, ['--version']],
  [[], {}, /No configuration/, 0, ['config', 'check']],
  [[], {}, /"\$schema"/, 0, ['config', 'schema']],
  [[], {}, /--max-tokens N/, 0, ['help', 'smoke']],
  [[], {}, /--url/, 2, ['smoke', 'Say hello']],
  [[], {}, /http/, 2, ['smoke', 'x', '--url', 'ftp://x']],
  [[], { SLACK_BOT_TOKEN: 'xoxb-1-2' }, /SLACK_APP_TOKEN/, 1, []],
])('command line %#', async (_, env, words, status, line) => {
  const ran = await pilotflame(line, env)
  expect(ran.out + ran.err).toMatch(words)
  expect(ran.status).toBe(status)
})
