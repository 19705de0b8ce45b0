import type { Evidence } from '../../domain/finding.ts'
import type { Flags } from '../flags.ts'
import { tensorParallel } from '../flags.ts'
import { firstSign, quotedSign } from '../log/signs.ts'
import { quotedTold, toldLine } from '../told.ts'

/** Each of these gives the evidence for one suspect, and null where nothing speaks for it. */

const LOST =
  /not found in params_dict|\bscales?(?:_inv)?\b.{0,40}(?:not found|missing|dropped|ignored)|missing (?:keys?|weights?|tensors?|scales?)|unexpected keys?|newly initialized|not initialized from the (?:model )?checkpoint|not used when initializing|weights? (?:was|were|are|is) (?:not loaded|skipped|ignored)|_scale_inv not found|weight_scale\w*.{0,60}not found/i

/** Weights or scales that the loader did not find, by the log of the start or as somebody told. */
export function lostWeights(evidence: Evidence): string | null {
  const sign = firstSign(evidence, ...LOST_SIGNS)
  if (sign !== null) return quotedSign(sign)
  const line = toldLine(evidence, LOST)
  return line === null ? null : quotedTold(line)
}

/** Lines that are harmless in the log of a server that answers well: only a wrong text makes them a fault. */
const LOST_SIGNS = ['parameter-not-found', 'weights-not-found', 'weights-dropped'] as const

const KV_FLAGS = ['kv-cache-dtype', 'cache-type-k', 'cache-type-v'] as const
/** Five bits and fewer. q8_0 is as good as f16 for nearly all models. */
const LOWEST = /^(?:fp4|nvfp4|mxfp4|int4|q[345]_|iq4|turbo)/i
/** Without scales that were calibrated it loses more than it seems. */
const LOW = /^(?:fp8|int8|e[45]m)/i
const LOW_TOLD =
  /\b(?:OLLAMA_KV_CACHE_TYPE|kv_cache_type|kv_cache_dtype|kv[-_ ]cache)\W{1,4}(?:fp8|q[45]_|int[48]|fp4)/i

/** A KV cache of so few bits that even small oddities are laid at its door. */
export function lowestKvCache(flags: Flags): string | null {
  return kvFlags(flags, LOWEST)
}

/** A KV cache that is quantised, by flag or as somebody told. */
export function lowKvCache(flags: Flags, evidence: Evidence): string | null {
  const found = kvFlags(flags, LOW)
  if (found !== null) return found
  const line = toldLine(evidence, LOW_TOLD)
  return line === null ? null : quotedTold(line)
}

function kvFlags(flags: Flags, types: RegExp): string | null {
  const found = KV_FLAGS.flatMap((name) => {
    const value = flags.get(name) ?? ''
    return types.test(value) ? [`--${name} ${value}`] : []
  })
  return found.length === 0 ? null : `started with ${found.join(' and ')}`
}

const REFUSED = /accept(?:ance|ed)?[ _-]?(?:len(?:gth)?|rate)\W{1,4}(?:1\.0{1,3}|0\.0\d{0,3}|0)\b/i
const DRAFTED = /"draft_n"\s*:\s*(\d+)/
const ACCEPTED = /"draft_n_accepted"\s*:\s*(\d+)/

/** The model refuses what the draft proposes: both see different states. */
export function draftsRefused(evidence: Evidence): string | null {
  const line = toldLine(evidence, REFUSED)
  if (line !== null) return quotedTold(line)
  const body = evidence.smoke?.exchange?.response.slice(-LOOKED_AT) ?? ''
  const drafted = Number(DRAFTED.exec(body)?.[1] ?? 0)
  const accepted = Number(ACCEPTED.exec(body)?.[1] ?? drafted)
  return drafted >= FEWEST_DRAFTS && accepted < drafted / 50 ? `draft_n ${drafted}, draft_n_accepted ${accepted}` : null
}

const LOOKED_AT = 16_384
const FEWEST_DRAFTS = 20

const SPECULATION = [
  'speculative-algorithm',
  'speculative-config',
  'speculative-model',
  'speculative-draft-model-path',
  'model-draft',
  'md',
  'num-speculative-tokens',
  'draft-max',
  'spec-type',
] as const

/** Speculative decoding is on. */
export function speculates(flags: Flags, evidence: Evidence): string | null {
  const name = SPECULATION.find((one) => flags.has(one))
  if (name !== undefined) return `started with --${name} ${flags.get(name) ?? ''}`.trim()
  const line = toldLine(evidence, /\b(?:speculative|mtp|eagle\d?|nextn|draft model)\b/i)
  return line === null ? null : quotedTold(line)
}

/** llama.cpp with flash attention by flag: its kernels differ from card to card. */
export function flashAttention(flags: Flags, { engine }: Evidence): string | null {
  const value = flags.get('flash-attn')
  if (engine?.kind !== 'llama-cpp' || value === undefined || /^(?:off|0|false|auto)$/i.test(value)) return null
  return 'started with flash attention on (-fa)'
}

/** Several GPUs share each layer, so each of them adds a part of each number. */
export function sharesOfModel({ engine }: Evidence, flags: Flags): string | null {
  const shares = Math.max(engine?.tensorParallel ?? 1, tensorParallel(flags))
  return shares > 1 ? `started with tensor parallel ${shares}` : null
}
