import type { Signature } from '../../domain/signature.ts'

type Signatures = readonly [Signature, ...Signature[]]

export const oldDriverSignatures: Signatures = [
  {
    name: 'driver-old',
    anchors: [
      'driver on your system is too old',
      'driver version is insufficient',
      'compiled with an unsupported toolchain',
      'forward compatibility was attempted',
    ],
    pattern:
      /driver on your system is too old(?: \(found (?<found>version \d{4,6})\))?|CUDA driver version is insufficient for CUDA runtime version|provided PTX was compiled with an unsupported toolchain|forward compatibility was attempted on non supported HW/,
    example:
      'RuntimeError: The NVIDIA driver on your system is too old (found version 12040). Please update your GPU driver',
    nearMiss: 'the NVIDIA driver on your system is new enough',
  },
]

export const mismatchSignatures: Signatures = [
  {
    name: 'driver-combination',
    anchors: ['unsupported display driver / cuda driver combination'],
    pattern: /system has unsupported display driver \/ cuda driver combination/,
    example:
      'RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 803: system has unsupported display driver / cuda driver combination',
    nearMiss: 'the display driver and the cuda driver fit',
  },
  {
    name: 'driver-version-mismatch',
    anchors: ['river/library version mismatch', 'NVMLError_LibRmVersionMismatch'],
    pattern: /[Dd]river\/library version mismatch|NVMLError_LibRmVersionMismatch/,
    example: 'pynvml.NVMLError_LibRmVersionMismatch: RM has detected an NVML/RM version mismatch.',
    nearMiss: 'driver and library are of the same version',
  },
]

export const fabricSignatures: Signatures = [
  {
    name: 'fabric-manager',
    anchors: ['system not yet initialized', 'CUDA_ERROR_SYSTEM_NOT_READY', 'cudaErrorSystemNotReady'],
    pattern: /system not yet initialized|(?:CUDA_ERROR_|cudaError)(?:SYSTEM_NOT_READY|SystemNotReady)/,
    example: 'RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized',
    nearMiss: 'the system was not yet initialised',
  },
]

export const noDriverSignatures: Signatures = [
  {
    name: 'driver-none',
    anchors: [
      'Found no NVIDIA driver on your system',
      'No CUDA GPUs are available',
      'No HIP GPUs are available',
      'no CUDA-capable device is detected',
      'no ROCm-capable device is detected',
      'Failed to infer device type',
      'Cannot access accelerator device when none is available',
      'No accelerator (CUDA',
      'NVMLError_DriverNotLoaded',
      'Driver Not Loaded',
      "couldn't communicate with the NVIDIA driver",
    ],
    pattern:
      /Found no NVIDIA driver on your system|No (?:CUDA|HIP) GPUs are available|no (?:CUDA|ROCm)-capable device is detected|Error: Failed to infer device type|Cannot access accelerator device when none is available|No accelerator \(CUDA.{0,60} is available|NVMLError_DriverNotLoaded|Driver Not Loaded|couldn't communicate with the NVIDIA driver/,
    example: 'RuntimeError: No CUDA GPUs are available',
    nearMiss: 'INFO 2 CUDA GPUs are available',
  },
  {
    name: 'driver-library-absent',
    anchors: ['libcuda.so', 'libnvidia-ml.so', 'NVML Shared Library Not Found', 'NVMLError_LibraryNotFound'],
    pattern:
      /lib(?:cuda|nvidia-ml)\.so[\d.]{0,12}: cannot open shared object file|NVML Shared Library Not Found|NVMLError_LibraryNotFound/,
    example: 'ImportError: libcuda.so.1: cannot open shared object file: No such file or directory',
    nearMiss: 'loaded libcuda.so.1',
  },
]

export const initSignatures: Signatures = [
  {
    name: 'driver-init',
    anchors: [
      'CUDA unknown error - this may be due to',
      'driver library init failure: 999',
      'CUDA initialization: CUDA unknown error',
      'CUDA error: initialization error',
      'cuInit failed',
    ],
    pattern:
      /CUDA unknown error - this may be due to|CUDA driver library init failure: 999|cuda driver library init failure: 999|CUDA error: initialization error|cuInit failed/,
    example:
      'RuntimeError: CUDA unknown error - this may be due to an incorrectly set up environment, e.g. changing env variable CUDA_VISIBLE_DEVICES after program start.',
    nearMiss: 'CUDA initialization took 2 s',
  },
]

export const noRuntimeSignatures: Signatures = [
  {
    name: 'container-runtime',
    anchors: [
      'could not select device driver',
      'unknown or invalid runtime name: nvidia',
      'nvidia-container-cli: ',
      'unresolvable CDI devices',
      'failed to discover GPU vendor from CDI',
    ],
    pattern:
      /could not select device driver "\w{0,20}" with capabilities|unknown or invalid runtime name: nvidia|nvidia-container-cli: (?:initialization|device|mount|requirement|ldcache|container|detection) error|unresolvable CDI devices|failed to discover GPU vendor from CDI/,
    example: 'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].',
    nearMiss: 'nvidia-container-cli: version 1.17.4',
  },
]

export const cgroupSignatures: Signatures = [
  {
    name: 'nvml-refused',
    anchors: ['Failed to initialize NVML: Unknown Error', 'NVMLError_Unknown'],
    pattern: /Failed to initialize NVML: Unknown Error|NVMLError_Unknown\b/,
    example: 'Failed to initialize NVML: Unknown Error',
    nearMiss: 'NVMLError_NotSupported: Not Supported',
  },
]
