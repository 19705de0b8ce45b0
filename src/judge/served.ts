import type { Evidence } from '../domain/finding.ts'
import type { Serving } from '../domain/knowledge.ts'
import { familyOf } from '../knowledge/index.ts'
import { distributionOf } from './engine-names.ts'
import type { Flags } from './flags.ts'
import { flagsOf, numberFlag } from './flags.ts'
import { readVersion } from './version.ts'

/** What serves a model, for a look into the knowledge. */
export interface Served extends Serving {
  /** `architectures[0]` in config.json */
  readonly architecture: string | null
  /** whether the version is that of what runs, or only of what is installed; what runs may be older */
  readonly versionFrom: 'engine' | 'installed' | null
  readonly parsers: { readonly reasoning: string | null; readonly tool: string | null }
}

/** Null where not even the engine is known. */
export function servedOf(evidence: Evidence): Served | null {
  const { engine, installed, files } = evidence
  if (engine === undefined) return null
  const flags = flagsOf(evidence)
  const model = engine.loaded ?? flags.get('model-path') ?? files?.path ?? null
  const config = files?.config.state === 'read' ? files.config.value : null
  const architecture = architectureIn(config)
  const told = usable(engine.version)
  const there = usable(installed?.packages.find(({ name }) => name === distributionOf(engine.kind))?.version ?? null)
  return {
    engine: engine.kind,
    version: told ?? there,
    versionFrom: told !== null ? 'engine' : there !== null ? 'installed' : null,
    family: familyOf(model, architecture),
    model,
    architecture,
    tensorParallel: engine.tensorParallel ?? sharersIn(flags, evidence),
    quantisation: quantisationOf(flags, config, model),
    flags: [...flags.keys()],
    parsers: {
      reasoning: engine.reasoningParser ?? flags.get('reasoning-parser') ?? null,
      tool: flags.get('tool-call-parser') ?? null,
    },
  }
}

/** A build from sources that found no tag calls itself 0.0.0.dev1+g…: that says nothing. */
function usable(version: string | null): string | null {
  const read = version === null ? null : readVersion(version)
  return read === null || read.release.every((number) => number === 0) ? null : version
}

/** One where the whole command line is known and names no number. */
function sharersIn(flags: Flags, { argv }: Evidence): number | null {
  return numberFlag(flags, 'tp-size') ?? (argv === undefined || argv.length < 2 ? null : 1)
}

function architectureIn(config: unknown): string | null {
  const list = fieldOf(config, 'architectures')
  const first: unknown = Array.isArray(list) ? list[0] : null
  return typeof first === 'string' ? first : null
}

/** `fp8`, `awq`, `gptq`: by the flag, else by config.json, else by the name; null where nothing says so. */
function quantisationOf(flags: Flags, config: unknown, model: string | null): string | null {
  const method = fieldOf(fieldOf(config, 'quantization_config'), 'quant_method')
  const named = model === null ? null : quantisationIn(model)
  const found = flags.get('quantization') ?? (typeof method === 'string' ? method : named)
  return found?.toLowerCase() ?? null
}

/** `fp8` in `Qwen3.6-27B-FP8`; null where the name says nothing of it. */
export function quantisationIn(model: string): string | null {
  return QUANTISED.exec(model.replaceAll('_', '-'))?.[1]?.toLowerCase() ?? null
}

const QUANTISED = /(?<![a-z0-9])(nvfp4|mxfp4|fp8|awq|gptq)(?![a-z0-9])/i

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}
