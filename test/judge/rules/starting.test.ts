import { expect } from 'vitest'
import { starting } from '../../../src/judge/rules/starting.ts'
import { ruleTable } from '../rule-table.ts'
import { PLAIN, READY, shown } from '../shown-log.ts'

const BAR = 'Loading safetensors checkpoint shards:  40% Completed | 6/15 [00:10<00:15]'
const WAITS = 'INFO [shm_broadcast.py:501] No available shared memory broadcast block found in 60 seconds.'
const CAPTURE = '[t TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=9.2 GB'

ruleTable(starting, {
  speaks: {
    'a bar of weights, and nobody is let in': [
      shown(BAR, ['systemctl: active (running)', 'health: connection refused']),
      {
        code: 'state.loading',
        verdict: 'not-ready',
        confidence: 'certain',
        cause: expect.stringContaining('it reads the weights, 40 %, 6 of 15 shards'),
        because: [
          `log line 1: “${BAR.replace(/\s+/g, ' ')}”`,
          'told: health “connection refused”',
          'told: systemctl “active (running)”',
        ],
      },
    ],
    'a bar, and nothing is known of the process': [
      shown(BAR),
      { code: 'state.loading', confidence: 'likely', unless: expect.stringContaining('ended') },
    ],
    'a bar that was drawn over and over': [
      shown(
        `Loading safetensors checkpoint shards:   7% Completed | 1/15\r${BAR}\rLoading safetensors checkpoint shards:  93% Completed | 14/15`,
      ),
      { cause: expect.stringContaining('93 %, 14 of 15 shards') },
    ],
    'a restart after a run that was ready': [
      shown([READY, "[t] server_args=ServerArgs(model_path='/m')", BAR]),
      { code: 'state.loading' },
    ],
    'graphs while the port is closed': [
      shown(CAPTURE, ['port: refused']),
      { code: 'state.loading', cause: expect.stringContaining('CUDA graphs') },
    ],
    'Ollama, which waits for its runner': [
      shown('time=t level=INFO source=server.go:591 msg="waiting for llama runner to start responding"'),
      { code: 'state.loading' },
    ],
    'something slow, of which nobody complained': [
      shown(CAPTURE),
      { code: 'ok.slow-start', verdict: 'healthy', unless: expect.stringContaining('15 minutes') },
    ],
    'a rank that waits while another compiles': [
      shown(['INFO Starting to load model qwen', WAITS, WAITS]),
      { code: 'ok.slow-start', verdict: 'healthy' },
    ],
    'a wait that came to its end': [
      shown([WAITS, 'INFO:     Application startup complete.']),
      { code: 'ok.slow-start', confidence: 'certain' },
    ],
  },
  silent: {
    ...PLAIN,
    'a unit that failed': shown(BAR, ['exit_status: 9']),
    'an exit that is told': shown(BAR, ['exit_code: 1']),
    'a start that broke': shown([BAR, 'ValueError: the rope of this model is not known']),
    'a rank that waited for more than half an hour': shown([
      'INFO Starting to load model',
      ...Array.from({ length: 40 }, () => WAITS),
    ]),
    'a wait after it was ready': shown(['INFO:     Application startup complete.', WAITS]),
  },
})
