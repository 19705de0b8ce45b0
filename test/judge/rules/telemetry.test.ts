import { expect } from 'vitest'
import { telemetry } from '../../../src/judge/rules/telemetry.ts'
import { QUERY, ran, rows, WELL } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const failing = '12, 49140, 0, 35, [Unknown Error], 30'
const says = (words: string) => expect.stringContaining(words)
const hung = ran('nvidia-smi', '', { rc: null, timedOut: true })

ruleTable(telemetry, {
  speaks: {
    'one reading': [
      ran(QUERY, rows(WELL, failing)),
      {
        code: 'telemetry.field-error',
        verdict: 'degraded',
        cause: says('GPU 1 (NVIDIA RTX A6000): the reading of the power draw failed'),
      },
    ],
    'a reading beside the usual ones': [
      ran('nvidia-smi --query-gpu=index,power.default_limit --format=csv,noheader', '0, [Unknown Error]\n'),
      { code: 'telemetry.field-error', cause: says('power.default_limit') },
    ],
    'a second look that is no better': [
      ran(QUERY, rows(failing), { told: ['recheck: still [Unknown Error] after 10 s'] }),
      { code: 'telemetry.field-error' },
    ],
    'no answer': [
      hung,
      { code: 'telemetry.timeout', verdict: 'degraded', remedy: expect.arrayContaining([says('dmesg')]) },
    ],
    'it was not started, since an earlier call does not end': [
      {
        ...hung,
        gpus: { tool: 'nvidia-smi', cards: [], notes: [], rc: null, timedOut: true, place: null, unasked: 'held' },
      },
      {
        code: 'telemetry.timeout',
        cause: says('An earlier call of nvidia-smi does not end: it waits for the driver'),
        because: ['it was not started this time: an earlier call of it still runs there, longer than any may'],
      },
    ],
    'no answer, and the kernel knows': [
      { ...hung, kernel: ['INFO: task nvidia-smi:4242 blocked for more than 120 seconds.'] },
      { code: 'telemetry.timeout', because: expect.arrayContaining([says('blocked for more than')]) },
    ],
    'no JSON': [
      ran('rocm-smi --json --showrasinfo', 'WARNING: No JSON data to report\n'),
      { code: 'telemetry.unsupported', remedy: expect.arrayContaining([says('amd-smi')]) },
    ],
    'not for this device': [
      ran('nvidia-smi dmon', 'Not supported on the device(s)\n', { rc: 3 }),
      { code: 'telemetry.unsupported' },
    ],
    DCGM: [
      ran('dcgmi discovery -l', '', {
        rc: 255,
        stderr: 'Error: Unable to connect to host engine. Host engine connection invalid/disconnected.',
      }),
      { code: 'telemetry.unsupported', remedy: expect.arrayContaining([says('nvidia-dcgm')]) },
    ],
  },
  silent: {
    'all readings': ran(QUERY, rows(WELL)),
    'what a card does not have': ran(QUERY, rows('12, 49140, 0, 35, [N/A], [Not Supported]')),
    'what it no longer tells': ran(
      'nvidia-smi --query-gpu=index,clocks.applications.graphics --format=csv,noheader',
      '0, [Requested functionality has been deprecated]\n',
    ),
    'a second look that is well': ran(QUERY, rows(failing), { told: ['recheck: 5 s later 18.10 W'] }),
    'slow, and then well': { ...hung, told: ['retry: answered in 0.4 s'] },
    'one remark beside the readings': ran(
      'rocm-smi',
      'GPU  Temp (DieEdge)  AvgPwr  SCLK  MCLK   Fan  Perf  PwrCap  VRAM%  GPU%\n0    51.0c           4.0W    0Mhz  96Mhz  12%   auto  100.0W   11%   7%\nERROR: GPU[0]: get_fan_rpms, Not supported on the given system\n',
    ),
    'no driver': ran('nvidia-smi', "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n", {
      rc: 9,
    }),
    'a card that is lost': ran(
      QUERY,
      rows('[GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost]'),
    ),
    'hidden names': ran(
      'nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv,noheader',
      '9911, [Not Found], [N/A]\n',
    ),
    'nothing asked': ran('', ''),
  },
})
