import type { EngineInfo } from '../../domain/engine.ts'
import type { Evidence } from '../../domain/finding.ts'
import { engineNamed, engineOfBody } from '../../judge/engine-names.ts'
import type { Flags } from '../../judge/flags.ts'
import { flagsOf, numberFlag } from '../../judge/flags.ts'
import type { Fields } from './record.ts'
import { flat, numberOf, textOf } from './record.ts'

/** What is known of the server beside its answer; the engine of unknown name is the one that writes such a body. */
export function factsOf(known: Fields, body: string): Pick<Evidence, 'told'> & { readonly engine: EngineInfo } {
  const told = flat(known)
  const facts = told.length === 0 ? {} : { told }
  const flags = flagsOf({ target: { name: '', url: '', host: null }, ...facts })
  return { ...facts, engine: engineOf(known, flags, body) }
}

function engineOf(known: Fields, flags: Flags, body: string): EngineInfo {
  const named = [known['engine'], known['server'], known['backend'], known['image']].flatMap(
    (name) => engineNamed(textOf(name) ?? '') ?? [],
  )
  const [version] = ['engine_version', 'version', 'build'].flatMap((name) => versionIn(known[name]))
  return {
    kind: named[0] ?? engineOfBody(body) ?? 'openai',
    version: version ?? versionIn(known['engine'])[0] ?? null,
    models: [],
    loaded: textOf(known['model']) ?? flags.get('model-path') ?? null,
    context: numberIn(known, CONTEXTS) ?? numberFlag(flags, ...CONTEXT_FLAGS),
    reasoningParser: textOf(known['reasoning_parser']) ?? flags.get('reasoning-parser') ?? null,
    tensorParallel:
      numberIn(known, ['tp', 'tp_size', 'tensor_parallel', 'tensor_parallel_size']) ?? numberFlag(flags, 'tp-size'),
  }
}

const CONTEXTS = ['context_length', 'max_model_len', 'n_ctx', 'num_ctx', 'context_len', 'ctx_size'] as const
const CONTEXT_FLAGS = ['context-length', 'max-model-len', 'ctx-size'] as const

/** `0.5.9`, `v0.19.0`, `b9333`, a bare build number. */
function versionIn(value: unknown): readonly string[] {
  const text = typeof value === 'number' ? String(value) : (textOf(value) ?? '')
  const [, version] = /\bv?(\d+\.\d+[\w.+-]{0,40}|b?\d{4,6})\b/.exec(text) ?? []
  return version === undefined ? [] : [version]
}

function numberIn(known: Fields, names: readonly string[]): number | null {
  return names.map((name) => numberOf(known[name])).find((one) => one !== undefined && one > 0) ?? null
}
