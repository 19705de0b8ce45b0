import { expect } from 'vitest'
import { driverInContainer } from '../../../src/judge/rules/driver-in-container.ts'
import { NO_DRIVER, QUERY, ran, rows, WELL } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

type More = Parameters<typeof ran>[2]
const inside = (stdout: string, rc: number, more: More = {}) =>
  ran('docker exec llm nvidia-smi', stdout, { rc, place: 'container', ...more })
const start = (stderr: string) =>
  ran('docker run --gpus all img nvidia-smi', '', { rc: 125, stderr, place: 'container' })
const UNKNOWN = 'Failed to initialize NVML: Unknown Error\n'
const HOST = { told: ['host: nvidia-smi on host works'] }
const says = (words: string) => expect.stringContaining(words)
const TOOLKIT = { code: 'container.toolkit', verdict: 'misconfigured', confidence: 'certain' } as const
const LOST = { code: 'container.cgroup-lost', verdict: 'misconfigured' } as const
const NEVER = { code: 'driver.not-in-container', verdict: 'misconfigured' } as const

ruleTable(driverInContainer, {
  speaks: {
    'no toolkit': [
      start('docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].'),
      { ...TOOLKIT, cause: says('not installed') },
    ],
    'no runtime': [start('docker: Error response from daemon: unknown or invalid runtime name: nvidia.'), TOOLKIT],
    'no library on the host': [
      start(
        'nvidia-container-cli: initialization error: load library failed: libnvidia-ml.so.1: cannot open shared object file',
      ),
      { ...TOOLKIT, cause: says('library of the driver') },
    ],
    'no list of devices': [
      start('failed to inject CDI devices: unresolvable CDI devices nvidia.com/gpu=all'),
      { ...TOOLKIT, cause: says('CDI') },
    ],
    'an image with a library of its own': [
      start('nvidia-container-cli: mount error: file creation failed: /usr/lib/libnvidia-ml.so.1: file exists'),
      { ...TOOLKIT, cause: says('the image') },
    ],
    'the driver of the host': [
      start('nvidia-container-cli: initialization error: nvml error: driver not loaded: unknown.'),
      { code: 'driver.not-loaded' },
    ],
    'the versions of the host': [
      start('nvidia-container-cli: initialization error: nvml error: driver/library version mismatch: unknown'),
      { code: 'driver.lib-mismatch' },
    ],
    refused: [
      inside(UNKNOWN, 255),
      { ...LOST, confidence: 'likely', remedy: expect.arrayContaining([says('docker restart')]) },
    ],
    'refused, after an event': [
      inside(UNKNOWN, 255, {
        told: ['host: nvidia-smi on host works', 'event: systemctl daemon-reload 2 min earlier'],
      }),
      { ...LOST, confidence: 'certain' },
    ],
    'refused, nobody says where': [
      ran('nvidia-smi', UNKNOWN, { rc: 255, told: ['event: systemctl daemon-reload'] }),
      LOST,
    ],
    'no devices any more': [inside('No devices were found\n', 6, { told: ['event: systemctl daemon-reload'] }), LOST],
    'no driver': [inside(NO_DRIVER, 9), { ...NEVER, confidence: 'likely' }],
    'no driver, and the host has one': [inside(NO_DRIVER, 9, HOST), { ...NEVER, confidence: 'certain' }],
    'no tool': [
      inside('', 127, {
        stderr: 'OCI runtime exec failed: exec: "nvidia-smi": executable file not found in $PATH: unknown',
      }),
      NEVER,
    ],
    'no devices': [inside('No devices were found\n', 6, HOST), NEVER],
    'an LXC guest without its devices': [
      ran('pct exec 129 -- nvidia-smi', UNKNOWN, { rc: 255, place: 'container', ...HOST }),
      { ...NEVER, remedy: expect.arrayContaining([says('LXC')]) },
    ],
    'no tool in an LXC guest': [
      ran('pct exec 129 -- nvidia-smi', '', {
        rc: 255,
        place: 'container',
        stderr: 'lxc-attach: 129: attach.c: No such file or directory - Failed to exec "nvidia-smi"',
      }),
      NEVER,
    ],
  },
  silent: {
    cards: ran(`docker exec llm ${QUERY}`, rows(WELL), { place: 'container' }),
    'on a host': ran('nvidia-smi', NO_DRIVER, { rc: 9 }),
    'refused on a host': ran('nvidia-smi', UNKNOWN, {
      rc: 255,
      place: 'host',
      told: ['event: systemctl daemon-reload'],
    }),
    'refused, nobody says anything': ran('nvidia-smi', UNKNOWN, { rc: 255 }),
    'an upgrade of a host': ran('nvidia-smi', NO_DRIVER, {
      rc: 9,
      told: ['event: apt upgrade installed a new kernel'],
    }),
    'other versions': inside('Failed to initialize NVML: Driver/library version mismatch\n', 18),
    'a driver that is too old': start('nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.8'),
    'the card does not start': inside('No devices were found\n', 6, {
      kernel: ['NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x26:0x56:1474)'],
    }),
    'under Windows': inside('Failed to initialize NVML: N/A\n', 1, { told: ['kernel: microsoft-standard-WSL2'] }),
    'a version': ran('nvidia-container-cli --version', 'cli-version: 1.17.8\n'),
    lost: inside('Unable to determine the device handle for GPU0000:81:00.0: Unknown Error\n', 255),
    'timed out': inside('', 0, { rc: null, timedOut: true }),
    'no tool on a host': ran('nvidia-smi', '', { rc: 127 }),
    'a right': inside('', 1, { stderr: 'permission denied while trying to connect to the Docker daemon socket' }),
    'no processes': ran('docker exec llm nvidia-smi --query-compute-apps=pid --format=csv,noheader', '', {
      place: 'container',
    }),
    'another complaint': inside('', 1, { stderr: 'Error response from daemon: container abc is not running' }),
    'an image that is not there': start('Unable to find image img:latest locally'),
    'no such container': inside('', 1, { stderr: 'Error: No such container: llm' }),
  },
})
