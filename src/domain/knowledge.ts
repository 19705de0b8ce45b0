import type { Code } from './code.ts'
import type { EngineKind } from './target.ts'

/** Where a fact comes from. */
export interface Origin {
  /** a URL, or a file of a release: `sglang tag v0.5.11, python/pyproject.toml` */
  readonly source: string
  /** the ISO day on which it was looked at: `2026-08-20` */
  readonly date: string
  /** read: in the code, or seen by running it · stated: by who makes the model or the engine · reported: by others */
  readonly standing: 'read' | 'stated' | 'reported'
}

/** Models that one engine treats alike: what is true of one of them is true of all. */
export interface Family {
  /** kebab-case, unique: `qwen3.5-dense` */
  readonly name: string
  /** for people: `Qwen3.5/3.6 (dense)` */
  readonly title: string
  /** `architectures[0]` in config.json */
  readonly architectures: readonly string[]
  /** what the last part of a path or repository name looks like */
  readonly pattern: RegExp
  /** names that look so and are of another family */
  readonly except?: RegExp
}

/** One statement about the oldest version of an engine that serves a family. Several may stand side by side. */
export interface Minimum extends Origin {
  readonly family: string
  readonly engine: EngineKind
  readonly version: string
  /** loads: it knows the architecture, no more · serves: said, or seen, to answer well · tested: older ones may do as well */
  readonly means: 'loads' | 'serves' | 'tested'
}

/** Versions in which something is known to be wrong. What is left open (null, empty) does not matter. */
export interface Fact extends Origin {
  readonly family: string | null
  /** a part of the model's name, in any case of letters */
  readonly model: string | null
  readonly engine: EngineKind
  /** PEP 440: `>=0.5.9,<0.5.10rc0` */
  readonly versions: string
  /** of the number of GPUs that share the model, written the same way: `>=2` */
  readonly tensorParallel: string | null
  /** names of quantisations as `quantisationOf` gives them */
  readonly quantisation: readonly string[]
  /** flags that must be set for it, without dashes: `speculative-algorithm` */
  readonly flags: readonly string[]
  /** what it does: the fault that it leads to */
  readonly code: Code
  /** a clause: `this version skips an all-reduce in the dense layers` */
  readonly cause: string
  /** the release that does not have it any more; null where none is known */
  readonly fixed: string | null
  /** an order, besides the upgrade: `start once with --tp-size 1`; null: the upgrade is all */
  readonly fix: string | null
}

/** Parsers of an engine that fit a family; the first one is the one to take. */
export interface Parsers extends Origin {
  readonly family: string
  readonly engine: EngineKind
  readonly of: ParserKind
  readonly names: readonly [string, ...string[]]
  /** the release that brought the first one; null where that is not known */
  readonly since: string | null
}

export type ParserKind = 'reasoning' | 'tool'

/** How the maker of a model wants it asked. Null: not said. */
export interface Sampling extends Origin {
  readonly family: string
  readonly mode: 'thinking' | 'coding' | 'non-thinking'
  readonly temperature: number
  readonly topP: number
  readonly topK: number
  readonly minP: number
  readonly presencePenalty: number | null
  /** max_tokens that leave room for the whole answer */
  readonly budget: number | null
}

/** The tokens that end an answer; the first one ends every healthy one. */
export interface EndTokens extends Origin {
  readonly family: string
  readonly ids: readonly number[]
}

/** What a GPU must be able to do for a quantisation. */
export interface Capability extends Origin {
  readonly engine: EngineKind
  readonly quantisation: string
  /** compute capability × 10: 89 is Ada, 90 Hopper, 100 Blackwell */
  readonly least: number
}

/** What the default build of a range of versions runs on. */
export interface Platform extends Origin {
  readonly engine: EngineKind
  readonly versions: string
  readonly cuda: string
  /** the oldest NVIDIA driver for it */
  readonly driver: string
}

/** The packages that a release was tested with, by name with underscores. */
export interface Pins extends Origin {
  readonly engine: EngineKind
  readonly version: string
  readonly packages: Readonly<Record<string, string>>
}

/** A setting that a range of versions wants. */
export interface NeededFlag extends Origin {
  readonly family: string
  readonly engine: EngineKind
  readonly versions: string
  /** a clause: `with speculative decoding` */
  readonly when: string
  /** as written on the command line */
  readonly flag: string
}

/** What serves a model, as far as it is known. */
export interface Serving {
  readonly engine: EngineKind
  readonly version: string | null
  readonly family: Family | null
  /** name or path of the model */
  readonly model: string | null
  readonly tensorParallel: number | null
  readonly quantisation: string | null
  /** names of flags that are set */
  readonly flags: readonly string[]
}
