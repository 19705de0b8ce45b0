import type { Evidence } from '../../domain/finding.ts'
import type { Heard } from './heard.ts'
import { heardFromTool } from './heard.ts'

/**
 * Why a GPU tool listed nothing, by its own words. no-driver: nobody answers it · no-library: it lacks libnvidia-ml ·
 * mismatch: driver and library are of different versions · refused: the driver said "unknown error" · no-devices: the
 * driver has no card · blocked: the operating system forbids it.
 */
export type NoAnswer = 'no-driver' | 'no-library' | 'mismatch' | 'refused' | 'no-devices' | 'blocked'

/** Null where it answered, or failed otherwise. */
export function noAnswer(evidence: Evidence): (Heard & { readonly why: NoAnswer }) | null {
  for (const [why, pattern] of WORDS) {
    const said = heardFromTool(evidence, pattern)
    if (said !== null) return { ...said, why }
  }
  const { gpus } = evidence
  if (gpus?.tool !== 'nvidia-smi' || gpus.notes.length > 0 || gpus.cards.length > 0) return null
  const why = STATUSES[gpus.rc ?? 0]
  return why === undefined ? null : { why, line: '', quote: `exit status ${gpus.rc}`, at: 1 }
}

const WORDS: readonly (readonly [NoAnswer, RegExp])[] = [
  ['blocked', /GPU access blocked by the operating system/i],
  ['mismatch', /driver\/library version mismatch|Mismatch in versions between|API mismatch|LibRmVersionMismatch/i],
  [
    'no-driver',
    /couldn.t communicate with the NVIDIA driver|\bDriver Not Loaded\b|DRIVER_NOT_LOADED|NVMLError_DriverNotLoaded|driver not initialized \(amdgpu|amdgpu not found in modules|ROCk module is NOT (?:loaded|live)|Unable to detect any GPU devices, check amdgpu|could not insert '?(?:nvidia|amdgpu)|Module (?:nvidia|amdgpu)\S* not found|\/proc\/driver\/nvidia\/version: No such file|No NVIDIA driver|^No GPU to monitor/i,
  ],
  [
    'no-library',
    /couldn.t find libnvidia-ml|NVML Shared Library Not Found|libnvidia-ml\.so\S*: cannot open shared object|could not load NVML library|ERROR_LIBRARY_NOT_FOUND|NVMLError_LibraryNotFound/i,
  ],
  [
    'refused',
    /Failed to initialize NVML: (?:Unknown Error|N\/A|Not Found|Uninitialized|Not Supported)|nvml error: unknown error/i,
  ],
  [
    'no-devices',
    /No devices were found|No (?:AMD |NVIDIA )?GPUs? (?:were )?(?:specified|found|detected)|no CUDA-capable device/i,
  ],
]

/** nvidia-smi ends with what NVML returned (nvml.h). */
const STATUSES: Readonly<Record<number, NoAnswer>> = {
  6: 'no-devices',
  9: 'no-driver',
  12: 'no-library',
  18: 'mismatch',
}

/** Whether the system is a guest of Windows (WSL). */
export function isWsl({ told = [], gpus, kernel = [], machine }: Evidence): boolean {
  return [machine?.kernel ?? '', ...told, ...(gpus?.notes ?? []), ...kernel].some((line) => WSL.test(line))
}

const WSL = /\bWSL\d?\b|microsoft-standard|\/usr\/lib\/wsl|\bdxgkrnl\b/i
