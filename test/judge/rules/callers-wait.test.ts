import { expect } from 'vitest'
import { callersWait } from '../../../src/judge/rules/callers-wait.ts'
import { ruleTable } from '../rule-table.ts'
import { PLAIN, shown } from '../shown-log.ts'

const RETRACT = '[t TP0] KV cache pool is full. Retract requests. #retracted_reqs: 1, #new_token_ratio: 0.75 -> 0.83'

const RETRY =
  'srv  update_slots: failed to find free space in the KV cache, retrying with smaller batch size, i = 0, n_batch = 512, ret = 1'

ruleTable(callersWait, {
  speaks: {
    'one request that was put back': [
      shown(RETRACT),
      {
        code: 'ok.backpressure',
        verdict: 'healthy',
        cause: expect.stringContaining('was full once'),
        remedy: [expect.stringContaining('--schedule-conservativeness')],
      },
    ],
    'many of them: the first and the last': [
      shown(Array.from({ length: 30 }, () => RETRACT)),
      {
        cause: expect.stringContaining('was full 30 times'),
        because: [expect.stringContaining('line 1:'), expect.stringContaining('line 30:')],
      },
    ],
    'llama.cpp, which takes smaller batches and answers': [
      shown([RETRY, RETRY, 'srv  log_server_r: request: POST /v1/chat/completions 127.0.0.1 200']),
      {
        code: 'ok.backpressure',
        verdict: 'healthy',
        cause: expect.stringContaining('2 times'),
        because: [
          expect.stringContaining('line 1:'),
          expect.stringContaining('line 2:'),
          expect.stringContaining('200'),
        ],
      },
    ],
    'vLLM, which calls it preemption': [
      shown(
        'WARNING [scheduler.py:1057] Sequence group 0 is preempted by PreemptionMode.RECOMPUTE mode because there is not enough KV cache space.',
      ),
      { code: 'ok.backpressure' },
    ],
  },
  silent: {
    ...PLAIN,
    'llama.cpp, of which nobody knows how it went on': shown(RETRY),
    'llama.cpp, which answered only before': shown([
      'srv  log_server_r: request: POST /v1/chat/completions 127.0.0.1 200',
      RETRY,
    ]),
    'llama.cpp, which gave the request up': shown([
      RETRY,
      'srv  log_server_r: request: POST /v1/chat/completions 127.0.0.1 500',
    ]),
    'before a crash': shown([
      RETRACT,
      'AssertionError: the pool is empty',
      '[t] Received sigquit from a child process.',
    ]),
  },
})
