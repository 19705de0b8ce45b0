import type { Finding, Rule } from '../../domain/finding.ts'
import type { Smoke } from '../../domain/smoke.ts'
import { endOf, isBlank, quoted, saysNan } from '../answer.ts'
import { requested } from '../requested.ts'

/** The text is nothing but one token without end: what NaN looks like where the engine does not say it. */
export const tokenFlood: Rule = {
  codes: ['model.nan-logits'],
  check({ smoke }) {
    const completion = smoke?.completion
    if (smoke === undefined || completion == null || saysNan(completion)) return []
    const flood = floodIn(smoke)
    if (flood === null) return []
    return [{ ...FINDING, because: [flood, endOf({ completion, request: smoke.request })] }]
  },
}

const FINDING: Omit<Finding, 'because'> = {
  code: 'model.nan-logits',
  verdict: 'broken',
  cause:
    'The text is nothing but the token with number 0: where all numbers of a step are NaN, engines pick that one. Weights, quantisation or a kernel are wrong.',
  remedy: [
    'Read the log of the start for weights or scales that were not found.',
    'Start with --dtype bfloat16 instead of float16 and with --kv-cache-dtype auto; then repeat.',
    'If it stays: another checkpoint (unquantised), another --attention-backend, a newer engine, one at a time.',
    'Look for Xid lines in dmesg: a faulty card computes NaN too.',
  ],
  confidence: 'likely',
  unless: 'the prompt asks for it in words that are not known here.',
  explains: ['model.degenerate-loop', 'sampling.greedy-loop'],
}

/** What token 0 is in the vocabularies of Qwen, GPT and DeepSeek (!), Llama and Mistral, Gemma; G and @ are llama.cpp's. */
const FLOOD = /(?:^|\s)((!)\2{59,}|(?:<unk>\s?){20,}|(?:<pad>\s?){20,}|(?:! ){40,}|G{60,}|@{60,}|\?{60,})\s*$/

/** Null where the text ends otherwise, or the prompt asked for it. */
function floodIn({ completion, request }: Smoke): string | null {
  const { content = null, reasoning = null } = completion ?? {}
  const text = isBlank(content) ? (reasoning ?? '') : (content ?? '')
  const end = text.slice(-LOOKED_AT)
  const flood = FLOOD.exec(end)?.[1]
  if (flood === undefined || flood.length < end.trim().length * MOST) return null
  const unit = flood.startsWith('<') ? flood.slice(0, flood.indexOf('>') + 1) : flood.charAt(0)
  return requested(request.prompt, unit) ? null : `the text consists of ${quoted(unit)}`
}

const LOOKED_AT = 2000
const MOST = 0.9
