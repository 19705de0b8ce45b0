import { expect } from 'vitest'
import { mambaSlots } from '../../../src/judge/rules/mamba-slots.ts'
import { logOf, READY } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

ruleTable(mambaSlots, {
  speaks: {
    'with its size': [
      logOf('sglang', [
        READY,
        'AssertionError: Not enough space for mamba cache, try to increase --mamba-full-memory-ratio or --max-mamba-cache-size. mid=None, self.mamba_pool.size=48, self.mamba_pool.available_size()=0',
      ]),
      {
        verdict: 'overloaded',
        cause: says('48 slots'),
        remedy: [says('--max-running-requests 9'), says('--max-mamba-cache-size 96'), says('Start the server again')],
      },
    ],
    'without a size': [
      logOf('sglang', ['AssertionError: Can not alloc mamba cache'], { told: ['flags: --max-running-requests 8'] }),
      { remedy: first('--max-running-requests 4 instead of 8') },
    ],
  },
  silent: {
    'a cap': logOf('sglang', [
      'max_running_requests is capped to 8 by the mamba state cache (max_mamba_cache_size=40, 5 per request).',
    ]),
    'a full pool that makes callers wait': logOf('sglang', [
      READY,
      '[t] Decode batch, #running-req: 8, mamba num: 39, mamba usage: 0.98, #queue-req: 12',
    ]),
    'a trial that gave up': logOf('sglang', [
      '[PP Dynamic Chunk] Failed to profile prefill latency: Not enough space for mamba cache',
    ]),
  },
})
