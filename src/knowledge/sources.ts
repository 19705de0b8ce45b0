import type { Origin } from '../domain/knowledge.ts'

/** Sources that many facts share. */

/** The release tags of SGLang, read up to v0.5.18. */
export function sglangTag(tag: string, file: string): Origin {
  return { source: `sglang tag v${tag}, ${file}`, date: '2026-08-20', standing: 'read' }
}

/** A change that was merged; `read` where its code was followed as well. */
export function sglangPull(number: number, standing: 'read' | 'stated'): Origin {
  return { source: `https://github.com/sgl-project/sglang/pull/${number}`, date: '2026-08-20', standing }
}

/** What users tell of; nobody else has confirmed it. */
export function sglangIssue(number: number): Origin {
  return { source: `https://github.com/sgl-project/sglang/issues/${number}`, date: '2026-08-20', standing: 'reported' }
}

/** https://docs.sglang.io/cookbook, as it stands in the repository at v0.5.18. */
export const cookbook: Origin = {
  source: 'sglang tag v0.5.18, docs cookbook (https://docs.sglang.io/cookbook)',
  date: '2026-08-20',
  standing: 'stated',
}

export const vllmRecipes: Origin = {
  source: 'https://github.com/vllm-project/recipes',
  date: '2026-08-21',
  standing: 'stated',
}

/** The card of a model, and the files beside it. */
export function cardOf(model: string): Origin {
  return { source: `https://huggingface.co/${model}`, date: '2026-08-21', standing: 'stated' }
}
