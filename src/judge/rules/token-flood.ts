import type { Finding, Rule } from '../../domain/finding.ts'
import type { Smoke } from '../../domain/smoke.ts'
import { endOf, isBlank, quoted, saysNan } from '../answer.ts'
import type { Flood } from '../flood.ts'
import { floodIn, wholeFlood } from '../flood.ts'
import { requested } from '../requested.ts'

/** The text is nothing but one token without end: what NaN looks like where the engine does not say it. */
export const tokenFlood: Rule = {
  codes: ['model.nan-logits'],
  check({ smoke }) {
    const completion = smoke?.completion
    if (smoke === undefined || completion == null || saysNan(completion)) return []
    const flood = floodSeen(smoke)
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

/** From so many copies on a text of nothing else is a flood: "!!!" may be an answer, and a small budget leaves few. */
const FEWEST = 8

/** Null where the text ends otherwise, or the prompt asked for it. */
function floodSeen({ completion, request }: Smoke): string | null {
  const { content = null, reasoning = null } = completion ?? {}
  const text = isBlank(content) ? (reasoning ?? '') : (content ?? '')
  const flood = floodIn(text) ?? wholeFlood(text)
  if (flood === null || flood.copies < FEWEST || isAskedFor(request.prompt, flood)) return null
  return `the text consists of ${quoted(flood.unit)}`
}

/** By its name, or it stands in the prompt as a flood; three of them are only a loud prompt. */
function isAskedFor(prompt: string, { unit }: Flood): boolean {
  return requested(prompt, unit) || prompt.includes(unit.repeat(FEWEST))
}
