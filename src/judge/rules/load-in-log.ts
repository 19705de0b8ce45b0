import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { endedAnswer } from '../answer.ts'
import { flagsOf, numberFlag } from '../flags.ts'
import { isQuiet } from '../log/quiet.ts'
import { countOf, quotedSign, signsOf } from '../log/signs.ts'
import { lastStage } from '../log/stages.ts'
import { insteadOf } from '../remedies.ts'

/** More requests wait than the server can take, in one line of its statistics after the other. A queue that shows once is none. */
export const loadInLog: Rule = {
  codes: ['load.queue-full', 'load.mamba-slots'],
  signatures: [
    {
      name: 'load-line',
      anchors: ['#queue-req: ', 'GPU KV cache usage: '],
      pattern: /#running-req: \d.{0,400}#queue-req: \d|Running: \d{1,6} reqs.{0,200}GPU KV cache usage: \d/,
      example: '[t TP0] Decode batch, #running-req: 48, #token: 900, token usage: 0.98, #queue-req: 311,',
      nearMiss: 'the log has a column #queue-req: per batch',
    },
  ],
  check(evidence) {
    const { log } = evidence
    if (log === undefined || lastStage(log) === 'stopping' || endedAnswer(evidence) !== null) return []
    if (!isQuiet(evidence, { but: ['retracted'] })) return []
    const run = waitingAtTheEnd(signsOf(evidence, 'load-line'))
    const [last, before] = [run.at(-1), run.at(-2)]
    if (last === undefined || before === undefined || isDraining(run)) return []
    if (run.slice(-2).every(lacksSlots)) return [slots(evidence, run, last)]
    const putBack = countOf(evidence, 'retracted')
    const putsBack = putBack >= MANY_PUT_BACK && last.waiting >= Math.max(8, before.waiting)
    return putsBack || run.slice(-2).every(isFull) || isCapped(before, last) ? [full(evidence, run, last, putBack)] : []
  },
}

/** What one line of statistics tells. */
interface Load {
  readonly sign: Sign
  readonly running: number
  readonly waiting: number
  /** shares from 0 to 1; null where the line does not tell */
  readonly cache: number | null
  readonly states: number | null
}

const MANY_PUT_BACK = 5

function loadOf(sign: Sign): Load | null {
  const { line } = sign
  const running = countIn(line, /(?:#running-req|Running): (\d{1,6})/)
  const waiting = countIn(line, /(?:#queue-req|Waiting|Pending): (\d{1,7})/)
  // nothing is made: that is a server that hangs
  if (running === null || waiting === null || running === 0 || STANDS.test(line)) return null
  const percent = /GPU KV cache usage: (\d{1,3}(?:\.\d{1,4})?)%/.exec(line)?.[1]
  const shares = Array.from(line.matchAll(/(?<!mamba )\busage: ([01]\.\d{1,4})/g), ([, share]) => Number(share))
  const cache = percent === undefined ? shares.toSorted((one, other) => other - one)[0] : Number(percent) / 100
  const states = /mamba usage: ([01]\.\d{1,4})/.exec(line)?.[1]
  return { sign, running, waiting, cache: cache ?? null, states: states === undefined ? null : Number(states) }
}

const STANDS =
  /gen throughput \(token\/s\): 0\.0{1,4}\b|Avg prompt throughput: 0\.0 .{0,40}Avg generation throughput: 0\.0 /

function countIn(line: string, pattern: RegExp): number | null {
  const found = pattern.exec(line)?.[1]
  return found === undefined ? null : Number(found)
}

/** The last lines in which requests wait without a break, one of each moment: several ranks and engines print it, each for itself. */
function waitingAtTheEnd(signs: readonly Sign[]): readonly Load[] {
  const loads = signs.slice(-LOOKED_AT).flatMap((sign) => loadOf(sign) ?? [])
  const moments = loads.filter(({ sign }, at) => {
    const next = loads[at + 1]
    return next === undefined || !isSameMoment(sign.line, next.sign.line)
  })
  return moments.slice(moments.findLastIndex(({ waiting }) => waiting === 0) + 1)
}

/** The last lines of a kind that are kept. */
const LOOKED_AT = 8

function isSameMoment(one: string, other: string): boolean {
  const [time, rank] = [TIME.exec(one)?.[0], RANK.exec(one)?.[0]]
  return time !== undefined && time === TIME.exec(other)?.[0] && rank !== RANK.exec(other)?.[0]
}

const TIME = /\b\d\d:\d\d:\d\d\b/
const RANK = /\bEngine \d{1,4}|(?: (?:DP|TP|PP|EP)\d{1,4}){1,4}(?=\])/

/** A burst that the server works off by itself. */
function isDraining(run: readonly Load[]): boolean {
  const most = Math.max(...run.map(({ waiting }) => waiting))
  return (run.at(-1)?.waiting ?? 0) < 0.75 * most
}

/** No recurrent state is left, while the cache of tokens has room. */
function lacksSlots({ waiting, cache, states }: Load): boolean {
  return waiting >= 4 && states !== null && states >= 0.97 && (cache ?? 0) < 0.9
}

/** Many wait before a full cache. */
function isFull({ running, waiting, cache }: Load): boolean {
  return cache !== null && cache >= 0.9 && waiting >= Math.max(16, running / 2)
}

/** Far more wait than run, and no more are let in; while a burst begins, more and more run. */
function isCapped(before: Load, last: Load): boolean {
  const isMuch = [before, last].every(({ running, waiting }) => waiting >= Math.max(32, 2 * running))
  return isMuch && last.running <= before.running && last.waiting >= before.waiting
}

function quotesOf(run: readonly Load[]): readonly string[] {
  const [first, last] = [run[0], run.at(-1)]
  return [first, last].flatMap((one) => (one === undefined ? [] : [quotedSign(one.sign)]))
}

function grown(run: readonly Load[], last: Load): string {
  const first = run[0]?.waiting ?? last.waiting
  return first === last.waiting ? `${last.waiting} requests wait` : `${first}, then ${last.waiting} requests wait`
}

const LEAVE = 'Do not restart: it works at full speed, and a restart throws all running requests away.'

function full(evidence: Evidence, run: readonly Load[], last: Load, putBack: number): Finding {
  const noRoom = last.cache !== null && last.cache >= 0.9
  const why = noRoom
    ? `its KV cache is ${Math.round(100 * (last.cache ?? 0))} % full`
    : `only ${last.running} run at once`
  const back = putBack === 0 ? '' : `, and it put requests back ${putBack} times`
  return {
    code: 'load.queue-full',
    verdict: 'overloaded',
    cause: `The server is healthy and full: ${grown(run, last)} while ${why}${back}.`,
    because: quotesOf(run),
    remedy: [
      `${LEAVE} Send fewer requests at once, or add another replica.`,
      noRoom ? moreCache(evidence) : moreAtOnce(evidence, last),
    ],
    confidence: 'likely',
    unless: 'it is a burst that ends by itself: then the number of waiting requests falls in the next minutes.',
    at: last.sign.at,
  }
}

function moreCache({ log }: Evidence): string {
  return log?.writer === 'vllm'
    ? 'More room for requests: --kv-cache-dtype fp8, a smaller --max-model-len, more GPUs (--tensor-parallel-size).'
    : 'More room for requests: --kv-cache-dtype fp8_e4m3, a smaller --context-length, more GPUs (--tp-size or --dp-size).'
}

function moreAtOnce(evidence: Evidence, { running }: Load): string {
  const flag = evidence.log?.writer === 'vllm' ? 'max-num-seqs' : 'max-running-requests'
  const now = numberFlag(flagsOf(evidence), flag) ?? running
  return `Let more run at once: ${insteadOf(`--${flag} ${2 * now}`, now)}; the cache has room for them.`
}

function slots(evidence: Evidence, run: readonly Load[], last: Load): Finding {
  const size = numberFlag(flagsOf(evidence), 'max-mamba-cache-size')
  const kept = last.cache === null ? '' : `, while ${Math.round(100 * last.cache)} % of the KV cache is in use`
  return {
    code: 'load.mamba-slots',
    verdict: 'overloaded',
    cause: `The server is healthy and full: all recurrent states of the hybrid model are taken by ${last.running} requests${kept}; ${grown(run, last)}.`,
    because: quotesOf(run),
    remedy: [
      `Give the states more of the memory at the cost of the KV cache: ${size === null ? '--mamba-full-memory-ratio 1.5' : `--max-mamba-cache-size ${2 * size}`}; with speculative decoding, fewer --speculative-num-draft-tokens.`,
      `${LEAVE} Until then send fewer requests at once.`,
    ],
    confidence: 'likely',
    at: last.sign.at,
  }
}
