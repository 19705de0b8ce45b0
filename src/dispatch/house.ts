import type { Policy } from '../authorise.ts'
import type { Check } from '../domain/check.ts'
import type { Command } from '../domain/command.ts'
import type { Reach } from '../domain/engine.ts'
import type { Rule } from '../domain/finding.ts'
import type { Host } from '../domain/host.ts'
import type { Fact } from '../domain/knowledge.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Clock, Log } from '../domain/ports.ts'
import type { Report } from '../domain/report.ts'
import type { Who } from '../domain/role.ts'
import type { Explained } from '../domain/shown.ts'
import type { Slash } from '../domain/slash.ts'
import type { Store } from '../domain/store.ts'
import type { Target } from '../domain/target.ts'
import type { Telemetry } from '../domain/telemetry.ts'

/** All that the house needs to answer. */
export interface House {
  readonly targets: readonly Target[]
  /** by name; without those that are but a way to others */
  readonly hosts: readonly string[]
  readonly policy: Policy
  readonly who: Who
  readonly commands: readonly Command[]
  readonly slash: Slash
  readonly rules: readonly Rule[]
  readonly telemetry: readonly Telemetry[]
  /** what the team itself knows of engines and models; the rules have it already */
  readonly taught: readonly Fact[]
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** how long prompts and answers may be stored, in ms; 0: never */
  readonly keepPromptsMs: number
  /** what `doctor` runs; asked for when needed, since surfaces add theirs once they are connected */
  checks(): readonly Check[]
  /** takes secrets out of a text */
  redact(text: string): string
  /** a new unguessable id */
  newId(): string
  reach(target: Target, signal: AbortSignal): Promise<Outcome<Reach>>
  /** null: the configuration has none of this name */
  host(name: string): Host | null
  every(ms: number, run: () => void): () => void
  /** Judges a text that somebody shows, by what it holds. */
  explain(text: string): Promise<Outcome<readonly Explained[]>>
  /** Says something in a channel where nobody asked, as soon as the chat takes it. */
  announce(channel: string, report: Report): void
}
