import { expect } from 'vitest'
import { gpuTool } from '../../../src/judge/rules/gpu-tool.ts'
import { APPS, NO_DRIVER, QUERY, ran, rows, WELL } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const fails = (command: string, stderr: string, rc = 2) => ran(command, '', { stderr, rc })
const says = (words: string) => expect.stringContaining(words)

ruleTable(gpuTool, {
  speaks: {
    'not there': [
      fails('nvidia-smi', 'bash: nvidia-smi: command not found', 127),
      { code: 'tool.missing', verdict: 'misconfigured' },
    ],
    'not there, and no word': [
      ran('nvidia-smi', '', { rc: 127 }),
      { code: 'tool.missing', because: ['exit status 127'] },
    ],
    'not there, by a helpful shell': [
      fails('rocm-smi', "Command 'rocm-smi' not found, but can be installed with:", 127),
      { code: 'tool.missing' },
    ],
    'a field': [
      ran(QUERY, 'Field "clocks_event_reasons.active" is not a valid field to query.\n', { rc: 2 }),
      { code: 'tool.version', verdict: 'client-error', remedy: [says('--help-query-gpu')] },
    ],
    'the only field': [
      ran('nvidia-smi --query-gpu=compute_cap --format=csv', 'Field "compute_cap" is not a valid field to query.\n\n', {
        rc: 2,
      }),
      { code: 'tool.version', verdict: 'client-error' },
    ],
    'a range': [
      fails('rocm-smi --showmeminfo vram -d 0-7', "rocm-smi: error: argument -d/--device: invalid int value: '0-7'"),
      { code: 'tool.version', verdict: 'client-error', remedy: [says('amd-smi')] },
    ],
    'a word': [
      fails('amd-smi metrics', "amd-smi: error: argument COMMAND: invalid choice: 'metrics'"),
      { code: 'tool.version' },
    ],
    'a mix of options': [
      ran('nvidia-smi -L -q', "Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.\n", {
        rc: 255,
      }),
      { code: 'tool.version' },
    ],
    'its library': [
      fails('rocm-smi', 'AttributeError: librocm_smi64.so.6: undefined symbol: rsmi_dev_guid_get', 1),
      { code: 'tool.version', verdict: 'misconfigured' },
    ],
    'a right': [
      fails('rocminfo', 'Unable to open /dev/kfd read-write: Permission denied', 255),
      { code: 'host.permission', verdict: 'misconfigured', remedy: [says('render,video')] },
    ],
    'a right to change': [
      ran('nvidia-smi -pl 200', 'Unable to set power limit: Insufficient Permissions\n', { rc: 4 }),
      { code: 'host.permission', remedy: [says('sudo')] },
    ],
    Docker: [
      fails(
        'docker exec llm nvidia-smi',
        'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock',
        1,
      ),
      { code: 'host.permission', remedy: [says('group docker')] },
    ],
  },
  silent: {
    readings: ran(QUERY, rows(WELL)),
    'no driver': ran('nvidia-smi', NO_DRIVER, { rc: 9 }),
    'not in a container': ran('docker exec llm nvidia-smi', '', {
      place: 'container',
      stderr: 'exec: "nvidia-smi": executable file not found in $PATH',
      rc: 127,
    }),
    'not there in a container': ran('nvidia-smi', '', { place: 'container', rc: 127 }),
    'hidden names': ran(APPS, '9912, [Insufficient Permissions], [N/A]\n'),
    'no processes': ran(APPS, ''),
    'no devices': ran('nvidia-smi', 'No devices were found\n', { rc: 6 }),
    lost: ran('nvidia-smi', 'Unable to determine the device handle for GPU0000:81:00.0: Unknown Error\n', { rc: 255 }),
    'a warning': ran(
      'rocm-smi',
      'WARNING: AMD GPU device(s) is/are in a low-power state. Check power control/runtime_status\n',
    ),
    'lines of the kernel': ran('dmesg', 'usb 1-1: device descriptor read/64, error -71\n'),
    'no tool asked': { target: { name: 'host', url: '', host: null } },
    'timed out': ran('nvidia-smi', '', { rc: null, timedOut: true }),
  },
})
