import type { GpuEvidence, GpuProcess, Unasked } from './gpu.ts'
import type { ProcessFacts } from './process.ts'

/** One GPU tool: how to read what it prints. A new one is one file in telemetry/ and one line in its index. */
export interface Telemetry {
  readonly kind: TelemetryKind
  /** Reads what the tool printed about its cards and who uses them; whatever it does not tell is null. */
  read(told: CardsTold): HostCards
}

/** The GPU tools that the gate knows, in the order in which it looks for them. */
export const TELEMETRY_KINDS = ['nvidia-smi', 'amd-smi', 'rocm-smi'] as const

export type TelemetryKind = (typeof TELEMETRY_KINDS)[number]

/** What the verb `cards` brings in one round trip, as the host printed it. */
export interface CardsTold {
  readonly tool: TelemetryKind
  /** what it printed about its cards; null where another call of it still runs there, so that none was started */
  readonly cards: ToolSaid | null
  /** why none was started; absent where one was */
  readonly unasked?: Unasked
  /** what it printed about the processes on them; null where it was not asked, as it had failed already */
  readonly apps: ToolSaid | null
  /** what /proc shows of those processes */
  readonly processes: readonly ProcessFacts[]
  /** of the units that the gate knows, by alias: `qwen` to `sglang.service` */
  readonly units: Readonly<Record<string, string>>
  /** ms since 1970, the host's clock */
  readonly at: number | null
  /** whether the gate itself runs in a container */
  readonly place: GpuEvidence['place']
}

export interface ToolSaid {
  /** its whole lines; the gate sends at most 256 KiB of them */
  readonly text: string
  /** exit status; 124 where the host's own limit ended it, 141 where its output was cut */
  readonly rc: number
}

/** One host at one moment, read. */
export interface HostCards {
  readonly gpus: GpuEvidence
  /** null: the tool does not tell */
  readonly processes: readonly GpuProcess[] | null
  readonly units: Readonly<Record<string, string>>
  readonly at: number | null
}
