import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { isQuiet } from '../log/quiet.ts'
import { countOf, lastSign, quotedSign } from '../log/signs.ts'
import type { Stage } from '../log/stages.ts'
import { lastStage } from '../log/stages.ts'
import { quotedTold, toldLine } from '../told.ts'

/** A start that goes on: weights are read, graphs are captured, kernels are compiled. The port opens at the end of it. */
export const starting: Rule = {
  codes: ['state.loading', 'ok.slow-start'],
  signatures: [
    {
      name: 'start-slow',
      anchors: [
        ...(['DeepGEMM JIT Pre-Compile session', 'This can take up to several minutes'] as const),
        ...(['Compiling a graph for', 'torch.compile takes', 'It may take a long time'] as const),
        ...(['This may take a while', 'may take several minutes', 'Start compile'] as const),
      ],
      pattern:
        /DeepGEMM JIT Pre-Compile session|(?:can|may) takes? (?:up to several minutes|a (?:long time|while)|several minutes)|Compiling a graph for|torch\.compile takes|Start compile/,
      example: '[t TP0] Entering DeepGEMM JIT Pre-Compile session. It may takes a long time (typically 10-20 mins)',
      nearMiss: 'Compiling a list of models',
    },
    {
      name: 'start-rank-waits',
      anchors: ['No available shared memory broadcast block found'],
      pattern: /No available shared memory broadcast block found/,
      example:
        'INFO [shm_broadcast.py:501] No available shared memory broadcast block found in 60 seconds. This typically happens when some processes are hanging or doing some time-consuming work',
      nearMiss: 'A shared memory broadcast block is free',
    },
    {
      name: 'start-waits',
      anchors: [
        'waiting for llama runner',
        'waiting for server to become available',
        'llm server loading model',
        'loading model',
        'Loading model',
      ],
      pattern:
        /waiting for llama runner|waiting for server to become available|llm server loading model|(?<!error )\b[Ll]oading model\b(?! (?:failed|error))/,
      example: 'time=t level=INFO source=server.go:591 msg="waiting for llama runner to start responding"',
      nearMiss: 'error loading model: out of memory',
    },
  ],
  check(evidence) {
    const { log, smoke } = evidence
    if (log === undefined || smoke?.completion != null || !isQuiet(evidence)) return []
    const slow = lastSign(evidence, 'start-slow', 'start-rank-waits')
    const stage = lastStage(log) ?? ((slow ?? lastSign(evidence, 'start-waits')) === null ? null : 'start')
    if (stage === 'ready') return waited(evidence)
    if (stage === null || !UNREADY.includes(stage) || hasEnded(evidence)) return []
    if (slow === null || isShut(evidence) !== null) return [loading(evidence, stage)]
    return countOf(evidence, 'start-rank-waits') > MOST_WAITS ? [] : [slowStart(evidence, slow, stage)]
  },
}

const UNREADY: readonly Stage[] = ['start', 'distributed', 'weights', 'loaded', 'pools', 'graphs']
/** One a minute: after half an hour it no longer looks like work. */
const MOST_WAITS = 30

/** A process that is gone does not start any more. */
function hasEnded({ unit, told = [] }: Evidence): boolean {
  if (unit?.activeState === 'failed' || unit?.activeState === 'inactive') return true
  return told.some((line) =>
    /^\w*exit(?:_?(?:code|status))?: (?!null|none)|\b(?:killed|crashed|exited|is dead)\b/i.test(line),
  )
}

/** What shows that nobody is let in yet. */
function isShut(evidence: Evidence): string | null {
  return toldLine(
    evidence,
    /refused|\b503\b|not listening|no listener|\bclosed\b|unreachable|starting|activating|not ready|failed to connect|curl: \(7\)|: 0\/1\b/i,
  )
}

function loading(evidence: Evidence, stage: Stage): Finding {
  const milestone = lastSign(evidence, ...SHOWN)
  const facts = [isShut(evidence), toldLine(evidence, /\bactive\b|uptime|running/i)].flatMap((line) => line ?? [])
  return {
    code: 'state.loading',
    verdict: 'not-ready',
    cause: `The server is still starting: ${WORDS[stage]}${progressOf(milestone)}. It takes no request before the end of its start.`,
    because: [...(milestone === null ? [] : [quotedSign(milestone)]), ...new Set(facts.map(quotedTold))],
    remedy: [
      'Wait, and ask again in a minute: a start takes minutes with large weights and CUDA graphs. The port opens only at its end.',
      'If the log does not go on for 10 minutes, look whether the process lives and reads (top, iostat), and into the kernel log.',
    ],
    confidence: facts.length > 0 ? 'certain' : 'likely',
    ...(facts.length > 0 ? {} : { unless: 'the process has ended since: the unit or the container tells.' }),
    explains: ['server.unreachable'],
    ...(milestone === null ? {} : { at: milestone.at }),
  }
}

function slowStart(evidence: Evidence, slow: Sign, stage: Stage): Finding {
  const milestone = lastSign(evidence, ...SHOWN)
  return {
    code: 'ok.slow-start',
    verdict: 'healthy',
    cause: `The start is slow and goes on: ${WORDS[stage]}${progressOf(milestone)}. Compiling and capturing take minutes the first time.`,
    because: [quotedSign(slow), ...(milestone === null || milestone.at === slow.at ? [] : [quotedSign(milestone)])],
    remedy: [
      'Wait for the ready line; keep the compile caches on a disk that stays, so that the next start is faster.',
    ],
    confidence: 'likely',
    unless: 'nothing follows for 15 minutes: then a rank hangs, and its stack (py-spy dump --pid PID) shows where.',
    at: slow.at,
  }
}

/** A rank that waited for another one, in a start that came to its end. */
function waited(evidence: Evidence): readonly Finding[] {
  const wait = lastSign(evidence, 'start-rank-waits')
  const ready = lastSign(evidence, 'stage-ready')
  if (wait === null || ready === null || wait.at > ready.at || evidence.smoke !== undefined) return []
  return [
    {
      code: 'ok.slow-start',
      verdict: 'healthy',
      cause: 'One rank waited while another compiled or read its weights; the start came to its end.',
      because: [quotedSign(wait), quotedSign(ready)],
      remedy: ['Nothing has to be done. Compile caches on a disk that stays make the next start faster.'],
      confidence: 'certain',
      at: wait.at,
    },
  ]
}

const SHOWN = [
  ...['stage-server-args', 'stage-distributed', 'stage-weights', 'stage-loading', 'stage-loaded', 'stage-pools'],
  ...['stage-graphs', 'start-waits'],
]

const WORDS: Readonly<Record<Stage, string>> = {
  start: 'it was started and has not begun to read weights',
  distributed: 'its GPUs are being connected',
  weights: 'it reads the weights',
  loaded: 'the weights are read, its memory is being divided',
  pools: 'its caches are set up',
  graphs: 'CUDA graphs are captured',
  ready: 'it is ready',
  serving: 'it serves',
  stopping: 'it stops',
}

/** `, 40 %`, `, 6 of 15 shards` */
function progressOf(sign: Sign | null): string {
  const { percent, done, of } = sign?.fields ?? {}
  const shards = done === undefined || of === undefined ? '' : `, ${done} of ${of} shards`
  return percent === undefined ? shards : `, ${percent} %${shards}`
}
