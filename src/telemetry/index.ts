import type { Telemetry } from '../domain/telemetry.ts'
import { amdSmi } from './amd-smi.ts'
import { nvidiaSmi } from './nvidia-smi.ts'
import { rocmSmi } from './rocm-smi.ts'

/** Every GPU tool that can be read. The gate looks for them in this order. */
export const telemetry: readonly Telemetry[] = [nvidiaSmi, amdSmi, rocmSmi]
