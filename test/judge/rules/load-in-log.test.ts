import { expect } from 'vitest'
import { loadInLog } from '../../../src/judge/rules/load-in-log.ts'
import { logOf, READY } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'
import { smokeOf } from '../samples.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

const decode = (minute: number, running: number, usage: string, waiting: number, speed = '1402.11') =>
  `[2026-05-02 12:0${minute}:00 TP0] Decode batch, #running-req: ${running}, #token: 1, token usage: ${usage}, gen throughput (token/s): ${speed}, #queue-req: ${waiting},`
const stats = (second: number, waiting: number, speed = '2211.4') =>
  `INFO 05-02 12:00:${second} [loggers.py:259] Engine 000: Avg prompt throughput: ${speed === '0.0' ? '0.0' : '902.1'} tokens/s, Avg generation throughput: ${speed} tokens/s, Running: 64 reqs, Waiting: ${waiting} reqs, GPU KV cache usage: 99.2%`
const states = (second: number, waiting: number, usage = '1.00') =>
  `[2026-05-02 12:00:${second}] Decode batch, #running-req: 16, full token usage: 0.09, mamba num: 80, mamba usage: ${usage}, gen throughput (token/s): 800.2, #queue-req: ${waiting},`
const RETRACT = '[t TP0] KV cache pool is full. Retract requests. #retracted_reqs: 2'
const FULL = { code: 'load.queue-full', verdict: 'overloaded', confidence: 'likely' } as const
const log = (...lines: readonly string[]) => logOf('sglang', [READY, ...lines])

ruleTable(loadInLog, {
  speaks: {
    'a queue that grows before a full cache': [
      log(decode(0, 48, '0.98', 311), decode(1, 48, '0.98', 368), decode(2, 48, '0.98', 427)),
      {
        ...FULL,
        cause: says('311, then 427 requests wait while its KV cache is 98 % full'),
        because: [says('#queue-req: 311'), says('#queue-req: 427')],
        remedy: first('Do not restart'),
      },
    ],
    'few run at once, and the cache has room': [
      log(decode(0, 16, '0.31', 90), decode(1, 16, '0.31', 110)),
      { ...FULL, remedy: first('--max-running-requests 32 instead of 16') },
    ],
    'one rank, in one second': [log(decode(0, 48, '0.98', 311), decode(0, 48, '0.98', 330)), FULL],
    vLLM: [logOf('vllm', [stats(10, 412), stats(20, 455)]), { ...FULL, remedy: first('--max-model-len') }],
    'an older vLLM': [
      logOf(
        'vllm',
        [stats(10, 412), stats(20, 400)].map((line) => line.replace('Waiting', 'Swapped: 0 reqs, Pending')),
      ),
      FULL,
    ],
    'requests that are put back again and again, and a queue that grows': [
      log(...[0, 1, 2, 3, 4].flatMap((minute) => [RETRACT, decode(minute, 30, '0.97', 5 + minute)])),
      { ...FULL, cause: says('put requests back 5 times') },
    ],
    'no state is left': [
      log(states(10, 6), states(12, 9)),
      {
        code: 'load.mamba-slots',
        verdict: 'overloaded',
        remedy: first('--mamba-full-memory-ratio'),
        cause: says('9 %'),
      },
    ],
    'no state is left, and the flag is known': [
      logOf('sglang', [states(10, 6), states(12, 9)], { argv: ['--max-mamba-cache-size', '80'] }),
      { remedy: first('--max-mamba-cache-size 160') },
    ],
  },
  silent: {
    once: log(decode(0, 48, '0.98', 311)),
    short: log(decode(0, 40, '0.95', 3), decode(1, 40, '0.95', 2)),
    'a burst that is worked off': log(decode(0, 40, '0.95', 120), decode(1, 40, '0.93', 60)),
    'it was so, and is over': log(decode(0, 40, '0.99', 200), decode(1, 40, '0.99', 210), decode(2, 4, '0.10', 0)),
    'full, and nobody waits': log(decode(0, 40, '0.99', 0), decode(1, 40, '0.99', 0)),
    'one moment of several engines': logOf('vllm', [
      stats(10, 412),
      stats(10, 400).replace('Engine 000', 'Engine 001'),
    ]),
    'one moment of several ranks': log(
      decode(0, 48, '0.98', 311).replace('TP0', 'DP0 TP0'),
      decode(0, 48, '0.98', 311).replace('TP0', 'DP1 TP0'),
    ),
    'it stands still': log(decode(0, 16, '0.31', 90, '0.00'), decode(1, 16, '0.31', 110, '0.00')),
    'vLLM stands still': logOf('vllm', [stats(10, 412, '0.0'), stats(20, 455, '0.0')]),
    'a burst that begins': log(decode(0, 4, '0.05', 48), decode(1, 6, '0.07', 46)),
    'it stops': log(decode(0, 48, '0.98', 311), decode(1, 48, '0.98', 368), 'INFO:     Shutting down'),
    'states are left': log(states(10, 6, '0.41'), states(12, 9, '0.41')),
    'put back once': log(RETRACT, decode(0, 30, '0.97', 5), decode(1, 30, '0.97', 6)),
    'before a crash': log(
      decode(0, 48, '0.98', 311),
      decode(1, 48, '0.98', 368),
      'RuntimeError: CUDA error: an illegal memory access was encountered',
    ),
    'beside an answer': logOf('vllm', [stats(10, 412), stats(20, 455)], { smoke: smokeOf() }),
  },
})
