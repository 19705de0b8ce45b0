import { expect } from 'vitest'
import { driverInLog } from '../../../src/judge/rules/driver-in-log.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const wrong = { verdict: 'misconfigured' } as const
const COUNT = 'RuntimeError: Unexpected error from cudaGetDeviceCount(). Error'
const NONE = 'RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU'

ruleTable(driverInLog, {
  speaks: {
    'an old driver, by torch': [
      logged(
        'RuntimeError: The NVIDIA driver on your system is too old (found version 12020). Please update your GPU driver',
      ),
      {
        ...wrong,
        code: 'driver.too-old',
        confidence: 'certain',
        cause: expect.stringContaining('found version 12020'),
      },
    ],
    'an old driver under a newer image': [
      logged(`${COUNT} 804: forward compatibility was attempted on non supported HW`, ['driver: 535.171']),
      { ...wrong, code: 'driver.too-old', because: [expect.any(String), expect.stringContaining('535.171')] },
    ],
    'an old driver, by the runtime': [
      logged('RuntimeError: CUDA driver version is insufficient for CUDA runtime version'),
      { ...wrong, code: 'driver.too-old' },
    ],
    'an old driver, by its compiler': [
      logged('RuntimeError: CUDA error: the provided PTX was compiled with an unsupported toolchain.'),
      { ...wrong, code: 'driver.too-old' },
    ],
    'an old driver, by the container runtime': [
      logged(
        'nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.9, please update your driver to a newer version, or use an earlier cuda container: unknown',
      ),
      { ...wrong, code: 'driver.too-old' },
    ],
    "an image with its own copy of the driver's library": [
      logged(`${COUNT} 803: system has unsupported display driver / cuda driver combination`, ['driver: 580']),
      {
        ...wrong,
        code: 'driver.lib-mismatch',
        confidence: 'likely',
        remedy: [expect.stringContaining('LD_LIBRARY_PATH'), expect.any(String), expect.any(String)],
      },
    ],
    'a driver that was updated under way': [
      logged('pynvml.NVMLError_LibRmVersionMismatch: RM has detected an NVML/RM version mismatch.'),
      { ...wrong, code: 'driver.lib-mismatch', remedy: [expect.stringContaining('reboot'), expect.any(String)] },
    ],
    'the fabric manager': [
      logged(`${COUNT} 802: system not yet initialized`, ['gpus: 8x SXM']),
      {
        ...wrong,
        code: 'driver.fabricmanager',
        remedy: [expect.stringContaining('nvidia-fabricmanager'), expect.any(String)],
      },
    ],
    'no driver on a host': [logged(NONE), { ...wrong, code: 'driver.not-loaded', confidence: 'likely' }],
    'no driver in a container': [
      logged(NONE, ['image: lmsysorg/sglang:v0.5.11']),
      {
        ...wrong,
        code: 'driver.not-in-container',
        remedy: [expect.stringContaining('--gpus all'), expect.any(String), expect.any(String)],
      },
    ],
    'no library of the driver': [
      logged('ImportError: libcuda.so.1: cannot open shared object file: No such file or directory'),
      { ...wrong, code: 'driver.not-in-container' },
    ],
    'vLLM that knows no device': [
      logged('RuntimeError: Failed to infer device type, please set the environment variable'),
      { ...wrong, code: 'driver.not-loaded', unless: expect.stringContaining('CUDA_VISIBLE_DEVICES') },
    ],
    'no card of AMD': [logged('RuntimeError: No HIP GPUs are available'), { ...wrong, code: 'driver.not-loaded' }],
    'a driver that does not start': [
      logged('RuntimeError: CUDA unknown error - this may be due to an incorrectly set up environment'),
      {
        ...wrong,
        code: 'driver.init-failed',
        remedy: [expect.stringContaining('nvidia_uvm'), expect.any(String), expect.any(String)],
      },
    ],
    'Docker without the toolkit': [
      logged('docker: Error response from daemon: could not select device driver "nvidia" with capabilities: [[gpu]].'),
      { ...wrong, code: 'container.toolkit', cause: expect.stringContaining('not installed') },
    ],
    'Docker that does not know the runtime': [
      logged('docker: Error response from daemon: unknown or invalid runtime name: nvidia.'),
      { ...wrong, code: 'container.toolkit' },
    ],
    'the toolkit in an unprivileged guest': [
      logged(
        'nvidia-container-cli: mount error: failed to add device rules: unable to find any existing device filters attached to the cgroup: operation not permitted: unknown',
      ),
      { ...wrong, code: 'container.toolkit', cause: expect.stringContaining('control group') },
    ],
    'the toolkit without a driver': [
      logged('nvidia-container-cli: initialization error: nvml error: driver not loaded: unknown'),
      { ...wrong, code: 'driver.not-loaded', confidence: 'certain' },
    ],
    'the toolkit between two versions': [
      logged('nvidia-container-cli: initialization error: nvml error: driver/library version mismatch: unknown'),
      { ...wrong, code: 'driver.lib-mismatch' },
    ],
    'a container that lost its cards': [
      logged([READY, 'pynvml.NVMLError_Unknown: Unknown Error'], ['event: systemctl daemon-reload 2 min earlier']),
      {
        ...wrong,
        code: 'container.cgroup-lost',
        because: [expect.any(String), expect.stringContaining('daemon-reload')],
      },
    ],
  },
  silent: {
    ...ORDINARY,
    'a start that got over it': logged([NONE, READY]),
    'libraries that Ollama looked for': logged(
      'time=t level=INFO source=gpu.go msg="no nvidia: libcuda.so.1: cannot open shared object file"',
    ),
    'a field that a card does not have': logged('pynvml.NVMLError_NotSupported: Not Supported'),
    'a version of the toolkit': logged('nvidia-container-cli: version 1.17.4'),
    'cards that are there': logged('INFO 2 CUDA GPUs are available'),
  },
})
