import type { Code } from './code.ts'
import type { EngineInfo, EngineLoad } from './engine.ts'
import type { GpuEvidence, GpuProcess } from './gpu.ts'
import type { Fact } from './knowledge.ts'
import type { LogEvidence, Signature } from './signature.ts'
import type { Smoke } from './smoke.ts'
import type { UnitState } from './unit.ts'
import type { HostHealth } from './verbs/host-health.ts'
import type { ModelFiles } from './verbs/model-files.ts'
import type { PciCard } from './verbs/pci.ts'
import type { Versions } from './verbs/versions.ts'
import type { Verdict } from './verdict.ts'

/** Everything gathered about a target at one moment. What is missing is not known. */
export interface Evidence {
  readonly target: { readonly name: string; readonly url: string; readonly host: string | null }
  readonly smoke?: Smoke
  /** what the engine tells of itself */
  readonly engine?: EngineInfo
  readonly load?: EngineLoad
  /** of the run that serves now, never of an older one; or a log that somebody showed us */
  readonly log?: LogEvidence
  readonly unit?: UnitState
  readonly gpus?: GpuEvidence
  /** who holds memory of the GPUs */
  readonly gpuProcesses?: readonly GpuProcess[]
  /** the kernel's lines about GPUs and memory, oldest first */
  readonly kernel?: readonly string[]
  readonly pci?: readonly PciCard[]
  /** the machine itself: only where its health is looked at */
  readonly machine?: HostHealth
  /** what the account's login shell and the gate cost at least, of several calls, in ms: only where health is looked at */
  readonly shellMs?: number
  /** arguments of the process that serves */
  readonly argv?: readonly string[]
  /** what is installed; what runs may be older */
  readonly installed?: Versions
  readonly files?: ModelFiles
  /** what the one who asks knows besides, one `name: value` a line: `flags: --tp-size 2`, `expected_gpus: 2` */
  readonly told?: readonly string[]
  /** what a team knows of its own engines and models, from its configuration */
  readonly taught?: readonly Fact[]
}

/** One cause, with the evidence for it and the way out. */
export interface Finding {
  readonly code: Code
  readonly verdict: Verdict
  /** one sentence: what is wrong and why */
  readonly cause: string
  /** the evidence, quoted with its numbers */
  readonly because: readonly string[]
  /** what to do: the exact flag, setting or command, its direction, why */
  readonly remedy: readonly string[]
  readonly confidence: Confidence
  /** another cause that the evidence allows, with the experiment that separates the two */
  readonly unless?: string
  /** evidence that would settle it */
  readonly missing?: readonly string[]
  /** evidence that speaks against it */
  readonly against?: readonly string[]
  /** what it is not, since the evidence shows so: `a lack of memory: 19.8 GB were free` */
  readonly excludes?: readonly string[]
  /** codes that are but its consequences: findings of them are not told beside it */
  readonly explains?: readonly Code[]
  /** the line of the log that shows it, from 1: of findings that weigh alike the earlier one leads */
  readonly at?: number
}

export type Confidence = 'certain' | 'likely' | 'possible'

/** A rule looks at the evidence and speaks only where it knows. A new rule is one file and one line in judge/rules/index.ts. */
export interface Rule {
  readonly codes: readonly Code[]
  /** the lines of a log that it wants to see */
  readonly signatures?: readonly Signature[]
  check(evidence: Evidence): readonly Finding[]
}

/** The outcome of all rules: the leading finding first. Never empty. */
export interface Diagnosis {
  readonly verdict: Verdict
  readonly code: Code
  readonly findings: readonly [Finding, ...Finding[]]
}
