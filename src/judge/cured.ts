import type { Evidence } from '../domain/finding.ts'

/** What was changed in an experiment that somebody told of, after which all was well. */
export type Cured = 'tensor-parallel' | 'kernel' | 'kv-cache' | 'speculation' | 'weights'

/** `same model with tensor parallel 1 is fine`: one change, and the result is well. Null where nobody told of one. */
export function curedBy({ told = [] }: Pick<Evidence, 'told'>): { readonly by: Cured; readonly line: string } | null {
  for (const line of told) {
    const good = line
      .split(/[;,.]\s|\s(?:but|and|while)\s/)
      .filter((clause) => FINE.test(clause) && !UNTRUE.test(clause))
    const by = CURES.find(({ change }) => good.some((clause) => change.test(clause)))?.by
    if (by !== undefined) return { by, line }
  }
  return null
}

const FINE =
  /\b(?:fine|clean|ok|okay|coherent|good|correct|works?|sound|normal|healthy|disappears?|gone|cured?|fixe[sd]|helps)\b/i
const UNTRUE = /\b(?:not|never|no longer|isn't|neither|nor|doesn't|only after)\b/i

const CURES: readonly { readonly change: RegExp; readonly by: Cured }[] = [
  {
    change:
      /\b(?:tp|tensor[- _]parallel(?:ism)?(?:[- _]size)?)[ =:]{0,3}(?:of )?1\b|\b(?:one|single|1) (?:gpu|card)\b|pipeline[- _]parallel|\bpp[ =]?\d|nccl_p2p_disable|custom[- _]all[- _]?reduce|without (?:tp|tensor)/i,
    by: 'tensor-parallel',
  },
  {
    change:
      /(?:without|no|off|disabled?|removed?|dropp\w+)\b.{0,20}\b(?:spec\w*|mtp|draft\w*|eagle\w*|nextn)\b|\b(?:spec\w*|mtp|draft\w*|eagle\w*|nextn)\b.{0,20}\b(?:off|disabled|removed)/i,
    by: 'speculation',
  },
  {
    change:
      /\bkv\b.{0,20}\b(?:auto|f16|fp16|bf16|q8_0|default|unquanti[sz]ed)\b|\b(?:f16|fp16|bf16|q8_0|unquanti[sz]ed)\b.{0,12}\bkv\b|without\b.{0,20}\bkv\b/i,
    by: 'kv-cache',
  },
  {
    change:
      /flash[- _]?att\w*\W{0,3}(?:off|disabled|0\b)|-fa (?:off|0)|without (?:-fa|flash)|attention[- _]backend|\b(?:triton|eager|sdpa|torch_native|flashinfer|vulkan)\b|enforce[- _]eager|cuda[- _]?graphs? (?:off|disabled)|disable[- _]cuda[- _]graph|\b(?:on|with) (?:the )?cpu\b|-ngl 0/i,
    by: 'kernel',
  },
  {
    change: /\b(?:bf16|fp16|unquanti[sz]ed|other (?:quant\w*|checkpoint)|re-?download\w*|fresh download)\b/i,
    by: 'weights',
  },
]
