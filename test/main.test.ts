import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const BUILD = resolve(import.meta.dirname, '../scripts/build.ts')
let folder = ''
const servers: { close(): void }[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pilotflame-main-'))
  await promisify(execFile)(process.execPath, [BUILD, join(folder, 'dist')])
}, 30_000)
afterAll(async () => {
  for (const server of servers) server.close()
  await rm(folder, { recursive: true })
})

interface Ran {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** Runs the program as a person would who installed it: built, in a process of its own, from a folder without a configuration. */
function pilotflame(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  return new Promise((done) => {
    const bare = { PATH: process.env['PATH'], HOME: folder, ...env }
    const main = join(folder, 'dist/main.js')
    execFile(process.execPath, [main, ...words], { cwd: folder, env: bare, timeout: 20_000 }, (error, out, err) => {
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

interface Case {
  readonly request: { readonly prompt: string; readonly max_tokens: number }
  readonly response: { readonly body: string }
}

const caseOf = async (name: string): Promise<Case> =>
  JSON.parse(await readFile(join(import.meta.dirname, `fixtures/answers/${name}.json`), 'utf8')).input

/** A server that answers with the very bytes of a case; asked to stream, with the same answer in SGLang's chunks. */
function sglang({ response: { body } }: Case): RequestListener {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    if (request.url?.endsWith('/models')) return response.end(MODELS)
    if (request.method !== 'POST') return response.writeHead(404).end('{"detail":"Not Found"}')
    let asked = ''
    for await (const part of request) asked += part
    const streams = JSON.parse(asked).stream === true
    response.setHeader('content-type', streams ? 'text/event-stream' : 'application/json')
    return response.end(streams ? chunksOf(body) : body)
  }
  return (request, response) => void answer(request, response)
}

const MODELS = JSON.stringify({ object: 'list', data: [{ id: 'demo-27b', owned_by: 'sglang' }] })

function chunksOf(body: string): string {
  const { choices, usage, ...head } = JSON.parse(body)
  const [{ message, finish_reason, matched_stop }] = choices
  const chunk = (delta: unknown, end = {}) => {
    const choice = { index: 0, delta, logprobs: null, finish_reason: null, matched_stop: null, ...end }
    return { ...head, object: 'chat.completion.chunk', choices: [choice], usage: null }
  }
  const { reasoning_content } = message
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    ...(reasoning_content === null ? [] : [chunk({ role: null, content: null, reasoning_content })]),
    chunk({ role: null, content: null, reasoning_content: null }, { finish_reason, matched_stop }),
    { ...head, object: 'chat.completion.chunk', choices: [], usage },
  ]
  return `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`
}

test.each([
  ['A-01', [], { verdict: 'broken', code: 'model.immediate-eos', content: null }],
  ['A-01', ['--no-stream'], { verdict: 'broken', code: 'model.immediate-eos', content: null }],
  ['A-15', [], { verdict: 'request-limit', code: 'budget.reasoning-exhausted', content: null }],
  ['A-15', ['--no-stream'], { verdict: 'request-limit', code: 'budget.reasoning-exhausted', content: '' }],
])('case %s gets its verdict by smoke --url %j', async (name, more, { content, ...expected }) => {
  const sent = await caseOf(name)
  const url = await serve(sglang(sent))
  const { prompt, max_tokens: budget } = sent.request
  const ran = await pilotflame(['smoke', prompt, '--url', url, '--max-tokens', `${budget}`, '--json', ...more])
  expect(ran.err).toBe('')
  const json = JSON.parse(ran.out)
  expect(json).toMatchObject({ ...expected, completion: { content, finish: 'stop', stop: 248046, budget } })
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
  [[], {}, /- command: \/smoke\n/, 0, ['manifest']],
  [[], { COMMAND_PREFIX: 'acme-' }, /- command: \/acme-smoke\n/, 0, ['manifest']],
  [[], { COMMAND_PREFIX: 'ACME' }, /environment COMMAND_PREFIX: found "ACME"/, 1, ['manifest']],
  [[], {}, /Usage: pilotflame manifest/, 2, ['manifest', 'now']],
  [[], {}, /^Usage: pilotflame manifest\n/, 0, ['manifest', '--help']],
  [[], {}, /^Usage: pilotflame access code\n/, 0, ['access', 'code', '-h']],
  [[], {}, /^Usage: pilotflame config check\n/, 0, ['config', 'check', '--help']],
  [[], {}, /pilotflame config check\n[\s\S]*pilotflame config schema\n/, 0, ['config', '--help']],
  [[], {}, /^Usage: pilotflame slack check --channel ID\n/, 0, ['slack', 'check', '--help']],
  [[], {}, /--person USER/, 0, ['audit', '--help']],
  [[], {}, /access explain[\s\S]*access list[\s\S]*access claim/, 0, ['access', '--help']],
  [[], {}, /sglang restart[\s\S]*sglang lock[\s\S]*sglang use/, 0, ['sglang']],
  [[], {}, /^(?![\s\S]*--url)[\s\S]*asked for in a chat/, 0, ['sglang', 'restart', '--help']],
  [[], {}, /^! sglang restart is asked for in a chat/, 2, ['sglang', 'restart']],
  [[], {}, /Nothing is kept here/, 1, ['sglang', 'locks']],
  [[], {}, /Nothing is kept here/, 1, ['gpu', 'locks']],
  [[], {}, /Nothing is kept here/, 1, ['pilotflame', 'audit']],
  [[], {}, /"extra" is not known. Usage: pilotflame config check/, 2, ['config', 'check', 'extra']],
  [[], {}, /takes no more words/, 2, ['--version', '--json']],
  [[], {}, /Usage: pilotflame/, 2, ['start', '--json']],
  [[], {}, /--max-tokens N/, 0, ['help', 'smoke']],
  [[], {}, /--url/, 2, ['smoke', 'Say hello']],
  [[], {}, /http/, 2, ['smoke', 'x', '--url', 'ftp://x']],
  [[], {}, /Next: write http:\/\/foo instead\.\n$/, 2, ['smoke', 'x', '--url', 'foo']],
  [[], {}, /did you mean --url\?\n$/, 2, ['smoke', 'x', '--urll', 'http://127.0.0.1:9']],
  [
    [],
    {},
    /^--url and --target both say which server is asked.* Next: leave out --url/,
    2,
    ['smoke', 'x', '--url', 'http://127.0.0.1:9', '--target', 'qwen'],
  ],
  [[], { SLACK_BOT_TOKEN: 'xoxb-1-2' }, /SLACK_APP_TOKEN/, 1, []],
])('command line %#', async (_, env, words, status, line) => {
  const ran = await pilotflame(line, env)
  expect(ran.out + ran.err).toMatch(words)
  expect(ran.status).toBe(status)
})

test('what is no answer goes to stderr, and with --json it is the one document on stdout', async () => {
  const said = await pilotflame(['nonsense'])
  expect(said).toMatchObject({ status: 2, out: '', err: expect.stringContaining('There is no command “nonsense”') })
  const json = await pilotflame(['nonsense', '--json'])
  expect(json).toMatchObject({ status: 2, err: '' })
  expect(JSON.parse(json.out)).toMatchObject({ status: 'usage' })
})
