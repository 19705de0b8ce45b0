import { stopNoise } from '../../../src/judge/rules/stop-noise.ts'
import { ruleTable } from '../rule-table.ts'
import { PLAIN, shown } from '../shown-log.ts'

const LEAKED = 'UserWarning: resource_tracker: There appear to be 1 leaked semaphore objects to clean up at shutdown'
const DESTROY =
  '[rank0]:[W ProcessGroupNCCL.cpp:1497] Warning: WARNING: destroy_process_group() was not called before program exit'

ruleTable(stopNoise, {
  speaks: {
    'what torch and Python say at the end': [
      shown(['INFO:     Shutting down', DESTROY, LEAKED]),
      {
        code: 'ok.shutdown-noise',
        verdict: 'healthy',
        because: ['log line 1: “INFO: Shutting down”', `log line 2: “${DESTROY}”`, `log line 3: “${LEAKED}”`],
      },
    ],
    'the kill that SGLang ends a clean stop with': [
      shown([
        'Jan 02 10:00:00 gpu1 systemd[1]: Stopping demo.service - LLM server...',
        'Jan 02 10:00:05 gpu1 systemd[1]: demo.service: Main process exited, code=killed, status=9/KILL',
        "Jan 02 10:00:05 gpu1 systemd[1]: demo.service: Failed with result 'signal'.",
      ]),
      { code: 'ok.shutdown-noise' },
    ],
    'a stop that is told': [
      shown(LEAKED, ['stopped_by: systemctl stop']),
      { because: ['told: stopped_by “systemctl stop”', `log line 1: “${LEAKED}”`] },
    ],
    'a person’s Ctrl-C with its traceback': [
      shown(
        ['Traceback (most recent call last):', '  File "x.py", line 1', 'KeyboardInterrupt'],
        ['stopped_by: ctrl-c'],
      ),
      { code: 'ok.shutdown-noise' },
    ],
    'a stop without noise': [
      shown('Jan 02 10:00:05 gpu1 systemd[1]: demo.service: Deactivated successfully.'),
      { cause: 'Somebody stopped the server, and it ended as it should.' },
    ],
  },
  silent: {
    ...PLAIN,
    'the same without a stop': shown([DESTROY, LEAKED]),
    'a stop that follows a death': shown([
      "demo.service: Failed with result 'signal'.",
      'Jan 02 10:00:00 gpu1 systemd[1]: Stopping demo.service - LLM server...',
    ]),
    'a stop that broke': shown(['INFO:     Shutting down', 'RuntimeError: the queue is gone', LEAKED]),
    'a shutdown since the engine died': shown([
      '(APIServer pid=1) EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause.',
      'INFO:     Shutting down',
      LEAKED,
    ]),
    'a stop that is told not to be': shown(LEAKED, ['stopped_by: null']),
  },
})
