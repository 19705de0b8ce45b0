import type { ProcessFacts } from './process.ts'

/**
 * Why a GPU tool was not started: another call of it on that host has not ended. `held`: it runs for longer than any may, so
 * that it hangs · `in-use`: nobody knows that yet
 */
export type Unasked = 'held' | 'in-use'

/** What a GPU tool said, read. */
export interface GpuEvidence {
  /** the program by its name: `nvidia-smi`, `rocm-smi`, `amd-smi`, `dmesg` */
  readonly tool: string
  /** empty where it named none */
  readonly cards: readonly Gpu[]
  /** its lines that are no readings: complaints, warnings; at most 50 */
  readonly notes: readonly string[]
  /** what login scripts, the shell and ssh chattered beside it, none of it about the tool; at most 50 lines */
  readonly chatter?: readonly string[]
  /** exit status; null where it did not end by itself */
  readonly rc: number | null
  /** it did not answer within its limit; or an earlier call of it did not, so that it was not started: see `unasked` */
  readonly timedOut: boolean
  /** absent where it was started */
  readonly unasked?: Unasked
  /** where it ran, as far as known: in a container the driver belongs to the host */
  readonly place: 'host' | 'container' | null
}

/** One GPU as its tool reports it. null: not known; `gaps` says why. */
export interface Gpu {
  readonly index: number | null
  readonly uuid: string | null
  /** PCI address: `00000000:01:00.0` */
  readonly slot: string | null
  readonly name: string | null
  readonly driver: string | null
  readonly memoryTotalMiB: number | null
  readonly memoryUsedMiB: number | null
  /** percent of the time in which a kernel ran */
  readonly utilization: number | null
  /** °C */
  readonly temperature: number | null
  readonly powerW: number | null
  readonly powerLimitW: number | null
  /** percent of full speed */
  readonly fan: number | null
  /** performance state, `P0` is the fastest */
  readonly pstate: string | null
  /** fell off the bus: only a reboot brings it back */
  readonly lost: boolean
  readonly needsReset: boolean
  readonly gaps: readonly GpuGap[]
  /** what else was asked of it, by the tool's own names, sections before them: `remapped_rows.pending`, `Remapped Rows > Pending` to `Yes`; at most 500 */
  readonly others?: Readonly<Record<string, string>>
}

export type GpuField = Exclude<keyof Gpu, 'lost' | 'needsReset' | 'gaps' | 'others'>

/** A field for which the tool printed a placeholder. */
export interface GpuGap {
  readonly field: GpuField
  /** `unsupported` is normal: passive cards have no fan, unified memory no size */
  readonly why: GapReason
  /** the placeholder itself: `[Unknown Error]` */
  readonly said: string
}

export type GapReason = 'unsupported' | 'hidden' | 'failed' | 'needs-reset' | 'lost'

/** A process that holds memory of a GPU. */
export interface GpuProcess {
  readonly gpuUuid: string | null
  readonly pid: number
  /** null where another namespace or a missing right hides it */
  readonly name: string | null
  readonly memoryMiB: number | null
  /** null where the pid means nothing on the host: it ended, or belongs to another pid namespace */
  readonly facts: ProcessFacts | null
}
