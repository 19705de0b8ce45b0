import type { Evidence, Rule } from '../../domain/finding.ts'
import type { Signature } from '../../domain/signature.ts'
import type { LineFault } from '../log/line-faults.ts'
import { lineRule } from '../log/line-faults.ts'
import { signsOf } from '../log/signs.ts'
import { stageAt } from '../log/stages.ts'

type Signatures = readonly [Signature, ...Signature[]]

const watchdogs: Signatures = [
  {
    name: 'scheduler-watchdog',
    anchors: ['atchdog timeout (self.'],
    pattern: /[Ww]atchdog timeout \(self\.(?:watchdog_timeout|soft_watchdog_timeout)=(?<seconds>[\d.]{1,8})/,
    example: '[t TP0] Scheduler watchdog timeout (self.watchdog_timeout=300, self.soft=False)',
    nearMiss: 'the watchdog timeout is 300 s',
  },
  {
    name: 'collective-timeout',
    anchors: ['caught collective operation timeout', 'Some NCCL operations have failed or timed out'],
    pattern:
      /caught collective operation timeout(?:: WorkNCCL\(.{0,120}?OpType=(?<what>\w{1,40}))?|Some NCCL operations have failed or timed out/,
    example:
      '[rank1]:[E ProcessGroupNCCL.cpp:632] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=81, OpType=ALLGATHER, Timeout(ms)=600000)',
    nearMiss: 'collective operation ended in time',
  },
  {
    name: 'worker-silent',
    anchors: ['RPC call to ', 'waiting for clients. ', 'Timed out waiting '],
    pattern:
      /RPC call to (?<what>\w{1,60}) timed out|Timed out after \d{1,6} seconds waiting for clients|Timed out waiting \d{1,9}ms for (?:recv|send) operation to complete/,
    example: 'TimeoutError: RPC call to execute_model timed out.',
    nearMiss: 'RPC call to execute_model returned',
  },
]

const silences: Signatures = [
  {
    name: 'health-silent',
    anchors: ["Server couldn't get a response from detokenizer"],
    pattern: /Server couldn't get a response from detokenizer for last (?<seconds>\d{1,5}) seconds/,
    example:
      "Health check failed. Server couldn't get a response from detokenizer for last 20 seconds. tic start time: 10:00:00.",
    nearMiss: 'Server got a response from detokenizer',
  },
]

const RANKS =
  'Read the log of every rank: one that names an error, or fell silent first, is the cause. Then dmesg -T | grep -i xid, and nvidia-smi topo -m for the links.'
const ALL = 'Restart all ranks together; a single one does not find the others again.'
const PEER =
  'If it comes back: NCCL_P2P_DISABLE=1 (guests, IOMMU, cards without a way to each other), --disable-custom-all-reduce, and NCCL_DEBUG=INFO for what it waits for.'
const STACK =
  'py-spy dump --pid PID of the silent rank shows where it stands: in a build of kernels the first start takes minutes, and only then a longer --watchdog-timeout is the answer.'

const stuck: LineFault = {
  signatures: watchdogs,
  holds: 'work',
  codes: ['engine.hang'],
  say: ({ name, fields, line }) => {
    if (/soft_watchdog|self\.soft=True/.test(line)) return null
    return {
      code: 'engine.hang',
      verdict: 'broken',
      cause: `${SAYS[name] ?? 'The engine hangs'}${fields['what'] === undefined ? '' : ` (${fields['what']})`}: a rank is dead or stuck, or the way between the cards is broken.`,
      remedy: [RANKS, ALL, PEER, STACK],
      confidence: 'likely',
      unless: 'a rank was still building kernels, or read a very long prompt: then its stack says so.',
      missing: ['the logs of the other ranks and the kernel log of that minute'],
      explains: ['log.need-more', 'engine.invariant', 'engine.aborted'],
    }
  },
}

const SAYS: Readonly<Record<string, string>> = {
  'scheduler-watchdog': 'A forward pass of the engine did not end within its watchdog',
  'collective-timeout': 'The GPUs waited for each other in vain',
  'worker-silent': 'A worker of the engine did not answer in time',
}

/** A health check without an answer; a busy engine gives one as well (sglang#22511). */
const silent: LineFault = {
  signatures: silences,
  holds: 'start',
  codes: ['engine.hang'],
  say: ({ fields }, evidence) =>
    isTold(evidence)
      ? null
      : {
          code: 'engine.hang',
          verdict: 'inconclusive',
          cause: `The engine gave its health check no answer for ${fields['seconds'] ?? '20'} seconds: it hangs, or it reads a very long prompt.`,
          remedy: [
            'Ask /v1/loads (or /get_load) and look for new lines “Prefill batch” and “Decode batch”: while they come, it works; do not restart.',
            STACK,
          ],
          confidence: 'possible',
          missing: ['what the engine logged after it'],
        },
}

/** At work vLLM's workers say so once a minute while one of them waits for another; a start that compiles says it too. */
const waiting: LineFault = {
  signatures: [
    {
      name: 'broadcast-waits',
      anchors: ['No available shared memory broadcast block found'],
      pattern: /No available shared memory broadcast block found in (?<seconds>\d{1,5}) ?s/,
      example: 'INFO [shm_broadcast.py:501] No available shared memory broadcast block found in 60 seconds.',
      nearMiss: 'A shared memory broadcast block is free',
    },
  ],
  holds: 'start',
  codes: ['engine.hang'],
  say({ at, fields, line }, evidence) {
    // at this level older versions say it whenever nobody asks anything
    if (/\bDEBUG\b/.test(line)) return null
    const { log } = evidence
    const stage = log === undefined ? null : stageAt(log, at)
    const since = signsOf(evidence, 'stage-ready', 'stage-serving').at(-1)
    if (since !== undefined && IDLE.test(since.line)) return null
    const waits = signsOf(evidence, 'broadcast-waits').filter((sign) => sign.at > (since?.at ?? 0))
    if ((stage !== 'ready' && stage !== 'serving') || waits.length < SEVERAL || isTold(evidence)) return null
    // without the line of throughput only the end of a request tells that nothing was left to do
    const isAnswered = signsOf(evidence, 'completion-answered').some((sign) => sign.at > (since?.at ?? 0))
    return {
      code: 'engine.hang',
      verdict: 'inconclusive',
      cause: `The engine may hang: a worker waited for another one ${waits.length} times for ${fields['seconds'] ?? '60'} s each after the server was at work, and nothing of its work stands below.`,
      remedy: [
        'Send one short request. If no answer comes within a minute while nothing computes (nvidia-smi: use of 0 % or of 100 % on one card alone), a worker is stuck.',
        STACK,
        RANKS,
        'Then restart the whole server; a single worker does not find the others again.',
      ],
      confidence: isAnswered ? 'possible' : 'likely',
      unless:
        'it was one long step (kernels that were compiled for a new shape, a very long prompt), or nobody asked it anything: some versions print the line while they idle.',
      missing: ['an answer to a short request, and py-spy dump --pid PID of the workers'],
      explains: ['log.need-more', 'state.up-unverified'],
    }
  },
}

/** What vLLM says last when its last request has ended. */
const IDLE = /Running: 0 reqs, Waiting: 0 reqs/

/** One such wait may be a long step. */
const SEVERAL = 2

function isTold(evidence: Evidence): boolean {
  return signsOf(evidence, ...watchdogs.map(({ name }) => name)).length > 0
}

/** An engine that waits for something that never comes. */
export const engineHangInLog: Rule = lineRule([stuck, silent, waiting])
