import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { z } from 'zod'
import { collect } from '../scripts/stock/collect.ts'
import { ANSWERS } from '../scripts/stock/kinds.ts'
import { judgeAnswers, stockOf } from '../scripts/stock/run.ts'
import { line, tallies } from '../scripts/stock/tally.ts'
import { readDocument } from '../src/app/diagnose/document.ts'
import { loopWatch } from '../src/judge/loop-watch.ts'
import { findLoop } from '../src/judge/loops.ts'
import { completionOf, requestOf, smokeOf } from '../test/judge/samples.ts'
import type { LoopKind, Made } from './loops/made.ts'
import { LOOP_KINDS, made } from './loops/made.ts'
import { tailScan } from './loops/peers.ts'
import { inTurn, print } from './measure.ts'

/** Rows 13 to 15, the loop detector: its speed, what it finds and how soon, what it accuses; and what a diagnosis costs. */

const KB = 1_000
const MB = 1_000_000
const PIECE = 4
const LOOPS = 200
const PROMPT = 'Say hello in one sentence.'
const ROUNDS = 20
const Case = z.object({ kind: z.string(), input: z.unknown() })
/** Texts that may be marked, of each nature; of the others none. */
const MOST_MARKED: Readonly<Record<string, number>> = { code: 0.003, data: 0.003, markdown: 0.004 }
const TELL = 'data:text/javascript,process.on("exit",()=>process.stderr.write("PEAK "+process.resourceUsage().maxRSS))'
const text = ordinary(10 * MB)

await speed()
found()
falseAlarms()
latency()
memory()
console.log(
  `  node ${process.version}, zlib ${process.versions.zlib}; the scan is ours, after vLLM's repetition_detection`,
)

/** Text of packages, so long that nothing of it comes again within reach of the detector. */
function ordinary(length: number): string {
  const texts = collect(
    ANSWERS.filter(({ nature }) => nature === 'prose' || nature === 'code'),
    1_000,
  )
  const all = texts.map((one) => one.text).join('\n')
  return all.repeat(Math.ceil(length / all.length)).slice(0, length)
}

async function speed(): Promise<void> {
  for (const [name, size, times, least] of [
    ['1 KB', KB, 2_000, 0.7],
    ['100 KB', 100 * KB, 20, 1.5],
    ['10 MB', 10 * MB, 1, 1.5],
  ] as const) {
    const pieces = Array.from({ length: times }, (_, at) =>
      text.slice((at * size) % (9 * MB), ((at * size) % (9 * MB)) + size),
    )
    const whole = size * times > 9 * MB ? [text] : pieces
    const few = Math.min(whole.length, 20)
    const short = whole.slice(0, few).map((one) => one.slice(0, 20 * KB))
    const rounds = await inTurn(
      {
        ours: async () => rate(whole, watched),
        'by 4 characters': async () => rate(whole, streamed),
        zlib: async () => rate(whole, (one) => void deflateSync(one, { level: 6 })),
        scan: async () => rate(short, (one) => void tailScan(one)),
      },
      7,
    )
    print(`13 loops, ${name} / zlib level 6`, rounds.ratios('ours', 'zlib'), ['>=', least])
    print(`13 loops, ${name} / scan of all periods`, rounds.ratios('ours', 'scan'), ['>=', 10])
    for (const way of ['ours', 'by 4 characters', 'zlib', 'scan'] as const)
      print(`   ${name}, ${way}, MB/s`, rounds.of(way))
  }
}

function rate(texts: readonly string[], work: (text: string) => void): number {
  const began = performance.now()
  for (const one of texts) work(one)
  return texts.reduce((sum, one) => sum + one.length, 0) / KB / (performance.now() - began)
}

function watched(one: string): void {
  loopWatch('').feed({ channel: 'content', text: one })
}

function streamed(one: string): void {
  const watch = loopWatch('')
  for (let at = 0; at < one.length; at += PIECE) watch.feed({ channel: 'content', text: one.slice(at, at + PIECE) })
}

function found(): void {
  for (const kind of LOOP_KINDS) {
    const loops = made(kind, LOOPS)
    const delays = loops.map((loop) => (kind.exact ? cutAfter(loop) : judgedAfter(loop)))
    const seen = delays.filter((delay) => delay !== null)
    print(`14 ${kind.name}, found of ${LOOPS}`, [seen.length], kind.exact ? ['>=', LOOPS, 'count'] : null)
    print(`   ${kind.name}, characters until then`, seen, limitOf(kind))
  }
}

function limitOf({ name }: LoopKind): readonly ['<=', number, 'count'] | null {
  return name === 'exact, 9 to 40' || name === 'the field story' ? ['<=', 300, 'count'] : null
}

/** Characters of the loop that came before the stream was cut. */
function cutAfter({ text: whole, from }: Made): number | null {
  const watch = loopWatch(PROMPT)
  for (let at = 0; at < whole.length; at += PIECE)
    if (watch.feed({ channel: 'content', text: whole.slice(at, at + PIECE) }) !== null) return at + PIECE - from
  return null
}

/** The shortest answer, ended by its budget, in which the loop is named; found by halving. */
function judgedAfter({ text: whole, from }: Made): number | null {
  if (!isNamed(whole)) return null
  let [none, some] = [from, whole.length]
  while (some - none > 10) {
    const middle = Math.floor((none + some) / 2)
    if (isNamed(whole.slice(0, middle))) some = middle
    else none = middle
  }
  return some - from
}

function isNamed(content: string): boolean {
  const request = requestOf({ prompt: PROMPT })
  return findLoop(smokeOf({ request, completion: completionOf({ content, finish: 'length', stop: null }) })) !== null
}

function falseAlarms(): void {
  const judged = judgeAnswers(stockOf(3_000, 0).answers, 'in turn')
  for (const one of tallies(judged, ({ text: from }) => from.kind.nature)) {
    const [sound, unmarked] = [one.texts - one.cuts - one.accused, one.texts - one.marked]
    const least = (1 - (MOST_MARKED[one.name] ?? 0)) * one.texts
    print(`15 ${one.name}, neither cut nor broken, of ${one.texts}`, [sound], ['>=', one.texts, 'count'])
    print(`15 ${one.name}, not marked either`, [unmarked], ['>=', Math.floor(least), 'count'])
    console.log(`   ${line(one)}`)
  }
}

/** Every labelled case of the fixtures, judged as `diagnose` does. */
function latency(): void {
  const folder = join(import.meta.dirname, '../test/fixtures')
  const cases = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(?:answers|cases|logs|tools)\/.*\.json$/.test(file))
    .flatMap((file) => Case.safeParse(JSON.parse(readFileSync(join(folder, file), 'utf8'))).data ?? [])
    .map((one) => JSON.stringify(one))
  const times = Array.from({ length: ROUNDS + 1 }, () => cases.map(timed))
    .slice(1)
    .flat()
    .toSorted((a, b) => a - b)
  print(
    `diagnosis, p99 of ${cases.length} cases x ${ROUNDS}, ms`,
    [times[Math.floor(0.99 * times.length)] ?? Number.NaN],
    ['<=', 50],
  )
  print('   diagnosis, ms', times)
}

function timed(document: string): number {
  const began = performance.now()
  if (!readDocument(document).ok) throw new Error(`not read: ${document.slice(0, 100)}`)
  return performance.now() - began
}

/** What `diagnose` needs more for a large input than for a small one, in a process of its own; MiB. */
function memory(): void {
  const small = peakOf(answer(KB))
  print('diagnosis, a response of 10 MB, MiB more', [peakOf(answer(10 * MB)) - small], ['<=', 500])
  const [one, twice] = [log(20 * MB), log(40 * MB)].map((input) => peakOf(input) - small)
  print('diagnosis, a log of 20 MB, MiB more', [one ?? Number.NaN], ['<=', 80])
  print('   diagnosis, a log of 40 MB, MiB more', [twice ?? Number.NaN])
}

function answer(length: number): string {
  const message = { role: 'assistant', content: text.slice(0, length) }
  return JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
}

function log(length: number): string {
  const row = '[2026-05-01 10:00:00 TP0] Decode batch. #running-req: 1, #token: 300, gen throughput (token/s): 40.1\n'
  return row.repeat(Math.ceil(length / row.length))
}

function peakOf(input: string): number {
  const main = join(import.meta.dirname, '../src/main.ts')
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', TELL, main, 'diagnose', '--json'], {
    input,
    encoding: 'utf8',
    maxBuffer: 100 * MB,
  })
  const peak = /PEAK (\d+)/.exec(stderr)?.[1]
  if (peak === undefined || !stdout.startsWith('{'))
    throw new Error(`diagnose said ${stdout.slice(0, 200)} ${stderr.slice(0, 400)}`)
  return Number(peak) / 1024
}
