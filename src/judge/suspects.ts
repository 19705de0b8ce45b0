import type { EngineInfo } from '../domain/engine.ts'
import { compareVersions } from './version.ts'

/** A known fault of an engine's version that makes a model compute wrongly. */
export interface Suspect {
  /** what of the evidence fits */
  readonly because: string
  readonly remedy: string
}

/**
 * SGLang before 0.5.10rc0 skips an all-reduce in the dense Qwen3.5/3.6 layers under tensor parallel: garbage, loops,
 * instant ends (sglang PRs 19070 and 19411; 0.5.10 has another fault of the same model, fixed in 0.5.11 by 22312).
 * What is not known accuses nobody.
 */
export function suspectOf(engine: EngineInfo | undefined): Suspect | null {
  if (engine?.kind !== 'sglang' || engine.version === null || engine.loaded === null) return null
  const { version, loaded, tensorParallel } = engine
  if (!DENSE_QWEN.test(loaded) || MIXTURE.test(loaded) || (tensorParallel ?? 1) < 2) return null
  if ((compareVersions(version, '0.5.10rc0') ?? 0) >= 0) return null
  return {
    because: `SGLang ${version} with --tp-size ${tensorParallel} and ${loaded}: this version skips an all-reduce in the dense Qwen3.5/3.6 layers (sglang PRs 19070, 19411)`,
    remedy: `Upgrade SGLang ${version} to 0.5.11 or newer, then repeat this prompt; to prove the cause first, start once with --tp-size 1.`,
  }
}

const DENSE_QWEN = /qwen[-_]?3[._][56]/i
const MIXTURE = /\ba\d+(\.\d+)?b\b|moe/i
