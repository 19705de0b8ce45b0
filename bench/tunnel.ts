import type { ChildProcess } from 'node:child_process'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { createParser } from 'eventsource-parser'
import { Stream } from 'openai/streaming'
import type { Client } from 'ssh2'
import ssh2 from 'ssh2'
import { openApi } from '../src/adapters/http.ts'
import { eventReceiver } from '../src/adapters/http-events.ts'
import { sshPool } from '../src/adapters/ssh.ts'
import type { Api } from '../src/domain/ports.ts'
import { sglang } from '../src/engines/sglang.ts'
import { CHUNK } from './far/chunk.ts'
import type { FarHost } from './far/sshd.ts'
import { freePort, startSshd } from './far/sshd.ts'
import { inTurn, print, skipped } from './measure.ts'

/** Rows 7 to 10: what a request costs through the SSH tunnel, beside the same without it and beside other ways. */

const TOKENS = 100_000
const PACE = { events: 20_000, rate: 10_000 }
const SSE_EVENTS = 100_000
const SSE_CHUNK = 16 * 1024

const never = new AbortController().signal
const quiet = { debug() {}, info() {}, warn: console.warn, error: console.error }
const stops: (() => unknown)[] = []

try {
  const far = await startSshd()
  if (far === null)
    for (const row of ['7', '8', '9']) skipped(`${row} through the tunnel`, '/usr/sbin/sshd is not there')
  else await tunnels(far)
  await parsers()
} finally {
  for (const stop of stops.reverse()) await stop()
}
console.log(
  `  node ${process.version}, ${openssh()}, ${['ssh2', 'undici', 'eventsource-parser', 'openai'].map(named).join(', ')}`,
)
// the far programs end with us
process.exit()

async function tunnels(host: FarHost): Promise<void> {
  const port = await modelServer()
  const apis = { direct: direct(port), tunnel: tunnel(host, port), 'ssh -L': direct(await localForward(host, port)) }
  const exec = await loggedIn(host)
  await master(host)
  await requests(host, port, apis, exec)
  await firstTokens(apis)
  await throughput(apis)
  await paced(apis.tunnel)
}

type Ways = Readonly<Record<'direct' | 'tunnel' | 'ssh -L', Api>>

async function requests(host: FarHost, port: number, apis: Ways, exec: Client): Promise<void> {
  const url = `http://127.0.0.1:${port}/`
  const ssh = ['-F', join(host.folder, 'ssh_config'), 'bench', 'curl', '-s', url]
  const rounds = await inTurn(
    {
      direct: () => request(apis.direct),
      tunnel: () => request(apis.tunnel),
      'ssh -L': () => request(apis['ssh -L']),
      exec: () => timed(() => remote(exec, `curl -s ${url}`)),
      mux: () => timed(() => promisify(execFile)('ssh', ssh)),
    },
    60,
  )
  print('7 request, tunnel / direct', rounds.ratios('tunnel', 'direct'), ['<=', 1.3])
  print('7 request, tunnel / curl over exec', rounds.ratios('tunnel', 'exec'), ['<=', 0.1])
  print('  request, tunnel / curl over ssh ControlMaster', rounds.ratios('tunnel', 'mux'))
  print('  request, tunnel / ssh -L', rounds.ratios('tunnel', 'ssh -L'))
  for (const way of ['direct', 'tunnel', 'ssh -L', 'exec', 'mux'] as const)
    print(`  request, ${way}, ms`, rounds.of(way))
}

async function firstTokens(apis: Ways): Promise<void> {
  const rounds = await inTurn({ direct: () => firstToken(apis.direct), tunnel: () => firstToken(apis.tunnel) }, 60)
  print('8 first token, tunnel - direct, ms', rounds.differences('tunnel', 'direct'), ['<=', 1])
  for (const way of ['direct', 'tunnel'] as const) print(`  first token, ${way}, ms`, rounds.of(way))
}

async function throughput(apis: Ways): Promise<void> {
  const rounds = await inTurn({
    direct: () => tokensASecond(apis.direct),
    tunnel: () => tokensASecond(apis.tunnel),
    'ssh -L': () => tokensASecond(apis['ssh -L']),
  })
  print('9 stream, tunnel / direct', rounds.ratios('tunnel', 'direct'), ['>=', 0.8])
  print('  stream, tunnel / ssh -L', rounds.ratios('tunnel', 'ssh -L'))
  for (const way of ['direct', 'tunnel', 'ssh -L'] as const) print(`  stream, ${way}, tokens/s`, rounds.of(way))
}

async function paced(api: Api): Promise<void> {
  const rounds = await inTurn({ lost: () => lostInPercent(api) }, 7)
  print('9 stream at 10,000 tokens/s, lost, %', rounds.of('lost'), ['<=', 0.1])
}

async function lostInPercent(api: Api): Promise<number> {
  const came = await tokens(api, PACE.events, PACE.rate)
  return ((PACE.events - came) / PACE.events) * 100
}

async function tokensASecond(api: Api): Promise<number> {
  const ms = await timed(async () => {
    const came = await tokens(api, TOKENS, null)
    if (came !== TOKENS) throw new Error(`${came} of ${TOKENS} tokens came`)
  })
  return (TOKENS / ms) * 1000
}

/** Streams an answer through an engine, as a smoke does, and gives the pieces that came. */
async function tokens(api: Api, budget: number, temperature: number | null, onPiece = () => {}): Promise<number> {
  const request = { prompt: 'Say hello', budget, temperature, thinking: null, stream: true, model: null }
  const { completion, failure } = await sglang.complete(api, request, { patienceMs: 5_000, onPiece }, never)
  if (failure !== null) throw new Error(failure.observed)
  return completion?.pieces ?? 0
}

/** ms until the first of two tokens is there. */
async function firstToken(api: Api): Promise<number> {
  const began = performance.now()
  let first = 0
  await tokens(api, 2, null, () => {
    first ||= performance.now() - began
  })
  return first
}

/** One at a time among the other ways, as a bot asks: in a tight loop both halves would be faster than they ever are. */
function request(api: Api): Promise<number> {
  return timed(async () => {
    const outcome = await api.json({ method: 'GET', path: '/', patienceMs: 5_000 }, never)
    if (!outcome.ok) throw new Error(outcome.failure.observed)
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function direct(port: number): Api {
  return opened(openApi({ name: 'bench', url: `http://127.0.0.1:${port}`, apiKey: null, dial: null, log: quiet }))
}

function tunnel({ host }: FarHost, port: number): Api {
  const clock = { now: () => Date.now(), monotonic: () => performance.now() }
  const ssh = sshPool([host], { clock, log: quiet })
  stops.push(() => ssh.close())
  const dial = (address: string, to: number, signal: AbortSignal) => ssh.dial(host.name, address, to, signal)
  return opened(openApi({ name: 'bench', url: `http://127.0.0.1:${port}`, apiKey: null, dial, log: quiet }))
}

function opened(api: ReturnType<typeof openApi>): Api {
  if (!api.ok) throw new Error(api.failure.observed)
  stops.push(() => api.value.close())
  return api.value
}

/** Also where we end by an error. */
function endWithUs(child: ChildProcess): void {
  process.once('exit', () => child.kill())
}

async function modelServer(): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'far/model-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithUs(child)
  const [line] = await once(createInterface(child.stdout), 'line')
  return Number(line)
}

async function localForward({ folder }: FarHost, port: number): Promise<number> {
  const local = await freePort()
  const forward = `127.0.0.1:${local}:127.0.0.1:${port}`
  const child = spawn(
    'ssh',
    ['-F', join(folder, 'ssh_config'), '-o', 'ControlPath=none', '-N', '-L', forward, 'bench'],
    { stdio: 'ignore' },
  )
  endWithUs(child)
  await sleep(1_000)
  return local
}

async function master({ folder }: FarHost): Promise<void> {
  const child = spawn('ssh', ['-F', join(folder, 'ssh_config'), '-M', '-N', 'bench'], { stdio: 'ignore' })
  endWithUs(child)
  await sleep(1_000)
}

async function loggedIn({ host, folder }: FarHost): Promise<Client> {
  const client = new ssh2.Client()
  const privateKey = readFileSync(join(folder, 'key'))
  client.connect({ host: host.address, port: host.port, username: host.user, privateKey })
  client.setNoDelay(true)
  await once(client, 'ready')
  stops.push(() => client.end())
  return client
}

function remote(client: Client, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error !== undefined) return reject(error)
      channel.on('close', resolve)
      channel.resume()
    })
  })
}

async function parsers(): Promise<void> {
  const text = `data: ${JSON.stringify(CHUNK)}\n\n`.repeat(SSE_EVENTS)
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / SSE_CHUNK) }, (_, at) =>
    bytes.subarray(at * SSE_CHUNK, (at + 1) * SSE_CHUNK),
  )
  const tight = await inTurn({ ours: () => rate(() => ours(chunks)), parser: () => rate(() => parserAlone(chunks)) })
  // apart, since the garbage of the one would be collected on the time of the other
  const loose = await inTurn({ ours: () => rate(() => ours(chunks)), openai: () => rate(() => openai(chunks)) })
  print('10 SSE, ours / eventsource-parser alone', tight.ratios('ours', 'parser'), ['>=', 0.9])
  print('10 SSE, ours / openai SDK', loose.ratios('ours', 'openai'), ['>=', 4])
  print('  SSE, ours, events/s', tight.of('ours'))
  print('  SSE, openai SDK, events/s', loose.of('openai'))
}

async function rate(parse: () => number | Promise<number>): Promise<number> {
  let seen = 0
  const ms = await timed(async () => {
    seen = await parse()
  })
  if (seen !== SSE_EVENTS) throw new Error(`${seen} of ${SSE_EVENTS} events were seen`)
  return (seen / ms) * 1000
}

function ours(chunks: readonly Buffer[]): number {
  const decoder = new TextDecoder()
  const receiver = eventReceiver('bench', () => true)
  for (const chunk of chunks) receiver.take(decoder.decode(chunk, { stream: true }), chunk.length)
  return receiver.count()
}

function parserAlone(chunks: readonly Buffer[]): number {
  const decoder = new TextDecoder()
  let seen = 0
  const parser = createParser({
    onEvent() {
      seen += 1
    },
  })
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }))
  return seen
}

/** It parses the JSON of each event as well; there is no way to have it without. */
async function openai(chunks: readonly Buffer[]): Promise<number> {
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  let seen = 0
  for await (const _ of Stream.fromSSEResponse(new Response(body), new AbortController())) seen += 1
  return seen
}

function named(name: string): string {
  const { version } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../node_modules', name, 'package.json'), 'utf8'),
  )
  return `${name} ${version}`
}

function openssh(): string {
  return execFileSync('sh', ['-c', 'ssh -V 2>&1 || echo no OpenSSH'], { encoding: 'utf8' }).trim()
}
