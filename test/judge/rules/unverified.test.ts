import { expect } from 'vitest'
import { unverified } from '../../../src/judge/rules/unverified.ts'
import { ruleTable } from '../rule-table.ts'
import { READY, shown } from '../shown-log.ts'

ruleTable(unverified, {
  speaks: {
    'the ready line': [
      shown(READY),
      {
        code: 'state.up-unverified',
        verdict: 'inconclusive',
        because: [`log line 1: “${READY}”`],
        remedy: [expect.stringContaining('smoke')],
        missing: ['an answer of the model'],
      },
    ],
    'a server at work': [
      shown('INFO Engine 000: Avg prompt throughput: 11.2 tokens/s'),
      { code: 'state.up-unverified' },
    ],
    'a warning that the start got over': [
      shown(['ERROR 10-02 18:25:04 [x.py:1] one way failed', READY]),
      { code: 'state.up-unverified' },
    ],
  },
  silent: {
    'a start that goes on': shown('Loading safetensors checkpoint shards:  40% Completed | 6/15'),
    'an error after the ready line': shown([READY, 'ValueError: something new']),
    'a stop': shown([READY, 'INFO:     Shutting down']),
    'a log of something else': shown('systemd[1]: Started Daily apt download activities.'),
    'no log': { target: { name: 'log', url: '', host: null } },
  },
})
