import { spawnSync } from 'node:child_process'
import {
  closeSync,
  createReadStream,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { logScanner } from '../src/judge/log/scan.ts'
import { signatures } from '../src/judge/rules/index.ts'
import { random } from '../test/random.ts'
import { inTurn, print, skipped } from './measure.ts'

/**
 * Row 16: the signatures of all rules in a log as SGLang writes it, from a file, against programs that look for the same
 * literals. All figures are MB/s of the same file; the loop of patterns gets its first megabytes. PILOTFLAME_BENCH_MB
 * makes it smaller.
 */

const MB = 1_000_000
const SIZE = Number(process.env['PILOTFLAME_BENCH_MB'] ?? 100) * MB
const FOR_THE_LOOP = 4 * MB
/** one line in so many says something */
const RARE = 1000

const folder = mkdtempSync(join(tmpdir(), 'pilotflame-logs-'))
const [log, work, anchors] = [join(folder, 'start.log'), join(folder, 'work.log'), join(folder, 'anchors')]
writeFileSync(anchors, `${[...new Set(signatures.flatMap((one) => one.anchors))].join('\n')}\n`)
const planted = writeLog(log, ordinaryLine)
writeLog(work, workLine)

const found = await scanned(log)
if (found.lines < planted || total(found.counts) < planted)
  throw new Error(`${total(found.counts)} of ${planted} lines were found`)

const parties = {
  ours: () => rate(log, async () => void (await scanned(log))),
  ripgrep: () => rate(log, async () => counted('rg', log, '-j1')),
  grep: () => rate(log, async () => counted('grep', log)),
  loop: async () => loopRate(),
}
type Party = keyof typeof parties
const missing = (['rg', 'grep'] as const).filter((name) => spawnSync(name, ['--version']).error !== undefined)
const has = (name: 'rg' | 'grep'): boolean => !missing.includes(name)

const rounds = await inTurn<Party>({
  ...parties,
  ripgrep: has('rg') ? parties.ripgrep : async () => Number.NaN,
  grep: has('grep') ? parties.grep : async () => Number.NaN,
})
if (has('rg')) print('16 logs, from file / rg -j1 -F -f', rounds.ratios('ours', 'ripgrep'), ['>=', 0.6])
else skipped('16 logs, from file / rg -j1 -F -f', 'rg is not installed here')
if (has('grep')) print('16 logs, from file / grep -F -f', rounds.ratios('ours', 'grep'), ['>=', 1.2])
else skipped('16 logs, from file / grep -F -f', 'grep is not installed here')
print('16 logs, from file / loop of all patterns', rounds.ratios('ours', 'loop'), ['>=', 10])
print('   ours, MB/s', rounds.of('ours'))
if (has('rg')) print('   rg -j1 -F -f, MB/s', rounds.of('ripgrep'))
if (has('grep')) print('   grep -F -f, MB/s', rounds.of('grep'))
print('   loop of all patterns, MB/s', rounds.of('loop'))
const busy = await inTurn(
  {
    ours: () => rate(work, async () => void (await scanned(work))),
    grep: has('grep') ? () => rate(work, async () => counted('grep', work)) : async () => Number.NaN,
  },
  7,
)
print('   ours where every line is a milestone, MB/s', busy.of('ours'))
if (has('grep')) print('   grep -F -f there, MB/s', busy.of('grep'))
console.log(`   ${signatures.length} signatures, ${planted} lines of ${found.lines} say something, ${SIZE / MB} MB`)
rmSync(folder, { recursive: true, force: true })

async function scanned(path: string) {
  const scanner = logScanner(signatures)
  for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) scanner.feed(piece)
  return scanner.end()
}

async function rate(path: string, search: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await search()
  return statSync(path).size / 1000 / (performance.now() - began)
}

function counted(program: string, path: string, ...words: readonly string[]): void {
  const all = [...words, '-c', '-F', '-f', anchors, path]
  const { status, stdout } = spawnSync(program, all, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } })
  if (status !== 0 || Number(stdout) < planted) throw new Error(`${program} found ${stdout}`)
}

/** What the plainest program does: each line, each pattern. */
function loopRate(): number {
  const text = readFileSync(log).toString('utf8', 0, FOR_THE_LOOP)
  const began = performance.now()
  let hits = 0
  for (const line of text.split('\n')) for (const { pattern } of signatures) if (pattern.test(line)) hits += 1
  if (hits === 0) throw new Error('the loop found nothing')
  return text.length / 1000 / (performance.now() - began)
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** Writes a log of SIZE bytes; gives how many of its lines are examples of signatures. */
function writeLog(path: string, ordinary: (number: number, below: (limit: number) => number) => string): number {
  const { below } = random(16)
  const file = openSync(path, 'w')
  let [bytes, number, examples] = [0, 0, 0]
  while (bytes < SIZE) {
    const lines: string[] = []
    for (let at = 0; at < 2000; at += 1, number += 1) {
      const example = number % RARE === RARE - 1 ? signatures[below(signatures.length)]?.example : undefined
      if (example !== undefined) examples += 1
      lines.push(example ?? ordinary(number, below))
    }
    bytes += writeSync(file, `${lines.join('\n')}\n`)
  }
  closeSync(file)
  return examples
}

function stamp(number: number): string {
  return new Date(Date.UTC(2026, 0, 1) + number * 250).toISOString().slice(0, 19).replace('T', ' ')
}

/** Lines that no signature wants: requests, and counters as the scheduler prints them. */
function ordinaryLine(number: number, below: (limit: number) => number): string {
  if (number % 3 === 0)
    return `[${stamp(number)}] INFO:     10.0.${below(250)}.${below(250)}:${30_000 + below(20_000)} - "POST /v1/chat/completions HTTP/1.1" 200 OK`
  return `[${stamp(number)} TP${below(2)}] Step ${number}, #running-req: ${below(64)}, #token: ${below(200_000)}, token usage: 0.${below(90) + 10}, cuda graph: True, gen throughput (token/s): ${below(3000)}.${below(100)}`
}

/** As a server at work writes them: each is a milestone of its own, and tells its load. */
function workLine(number: number, below: (limit: number) => number): string {
  return `${ordinaryLine(3 * number + 1, below).replace(/Step \d+/, 'Decode batch')}, #queue-req: ${below(9)}`
}
