import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startSlack } from '../src/lab/slack/index.ts'
import { inTurn, print, skipped } from './measure.ts'

/** Rows 20 and 21: start until connected to Slack, and resident memory when idle, with 100 targets configured. */

const ROUNDS = 15
const IDLE_MS = 10_000
const IDLE_ROUNDS = 7
const TARGETS = 100

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'pilotflame-start-'))
const slack = await startSlack({ port: 0 })
execFileSync(process.execPath, [join(root, 'scripts/build.ts'), join(folder, 'dist')])

type Party = 'bare' | 'sources' | 'bundle'
const HUM = 'console.log("ready"); setInterval(() => {}, 1e6)'
const REDIRECT = `data:text/javascript,${encodeURIComponent(`
  const { fetch } = globalThis
  globalThis.fetch = (url, init) => fetch(String(url).replace('https://slack.com/api/', '${slack.apiUrl}'), init)`)}`
const ARGUMENTS: Readonly<Record<Party, readonly string[]>> = {
  bare: ['-e', HUM],
  sources: ['--import', REDIRECT, join(root, 'src/main.ts')],
  bundle: ['--import', REDIRECT, join(folder, 'dist/main.js')],
}

const starts = await inTurn(
  { bare: () => startMs('bare'), sources: () => startMs('sources'), bundle: () => startMs('bundle') },
  ROUNDS,
)
print('20 start to ready / sources', starts.ratios('bundle', 'sources'), ['<=', 0.45])
print('20 start to ready / bare node', starts.ratios('bundle', 'bare'), ['<=', 6])
print('   start to ready, ms', starts.of('bundle'), ['<=', 1500])

const idle = await idleMib()
print(
  '21 idle memory / bare node',
  idle.map(({ bundle, bare }) => bundle / bare),
  ['<=', 2],
)
print(
  '   idle memory with 100 targets, MiB',
  idle.map(({ bundle }) => bundle),
  ['<=', 110],
)
skipped('21 idle memory / Hubot', 'hubot is not installed here')
console.log(`   node ${process.version}, ${process.platform} ${process.arch}`)

await slack.close()
rmSync(folder, { recursive: true, force: true })

interface Running {
  readonly pid: number
  readonly ms: number
  stop(): Promise<void>
}

/** Starts one in a folder of its own and waits for its line "ready". The stand-in answers for slack.com. */
async function start(party: Party): Promise<Running> {
  const own = mkdtempSync(join(folder, 'run-'))
  const targets = Array.from({ length: TARGETS }, (_, n) => `  t${n}: { url: http://127.0.0.1:${40_000 + n} }\n`)
  writeFileSync(join(own, 'pilotflame.yml'), `targets:\n${targets.join('')}`)
  const tokens = { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken }
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_CACHE_HOME: join(folder, 'cache'), ...tokens }
  const began = performance.now()
  const child = spawn(process.execPath, ARGUMENTS[party], { cwd: own, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  await new Promise<void>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr]) {
      createInterface(output).on('line', (line) => {
        said.push(line)
        if (/^ready$|"msg":"ready"/.test(line)) resolve()
      })
    }
    child.once('exit', () => reject(new Error(`${party} ended before it was ready:\n${said.join('\n')}`)))
  })
  const ms = performance.now() - began
  const ended = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    ms,
    async stop() {
      // an orderly end writes the code cache for the next start
      child.kill()
      await ended
    },
  }
}

async function startMs(party: Party): Promise<number> {
  const running = await start(party)
  await running.stop()
  return running.ms
}

/** Resident memory after ten idle seconds. All wait at the same time: waiting disturbs nobody. */
async function idleMib(): Promise<readonly { readonly bare: number; readonly bundle: number }[]> {
  const pairs: { readonly bare: Running; readonly bundle: Running }[] = []
  while (pairs.length < IDLE_ROUNDS) pairs.push({ bare: await start('bare'), bundle: await start('bundle') })
  await sleep(IDLE_MS)
  const rss = pairs.map(({ bare, bundle }) => ({ bare: mib(bare.pid), bundle: mib(bundle.pid) }))
  await Promise.all(pairs.flatMap(({ bare, bundle }) => [bare.stop(), bundle.stop()]))
  return rss
}

function mib(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1024
}
