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

/** From so many copies on a text of nothing else can be a flood: "!!!" may be an answer, and a small budget leaves few. */
const FEWEST = 8
/** From so many on it is one of any sign, however it ended. */
const MANY = 60
/** Fewer copies of the others are a mask for a password, a grade, a reply to nonsense. */
const EVEN_FEW: ReadonlySet<string> = new Set(['!', '<unk>', '<pad>'])

/** Null where the text ends otherwise, or the prompt asked for it. */
function floodSeen({ completion, request }: Smoke): string | null {
  const { content = null, reasoning = null } = completion ?? {}
  const text = isBlank(content) ? (reasoning ?? '') : (content ?? '')
  const flood = floodIn(text) ?? wholeFlood(text)
  if (flood === null || flood.copies < FEWEST || isAskedFor(request.prompt, flood)) return null
  if (flood.copies < MANY && !(EVEN_FEW.has(flood.unit) && isByToken(flood, completion))) return null
  return `the text consists of ${quoted(flood.unit)}`
}

/** Token 0 is one sign, so it does not end, or costs about a token a copy; a model that means "!!!!!!!!" writes few tokens. */
function isByToken({ copies }: Flood, completion: Smoke['completion']): boolean {
  if (completion?.finish === 'length') return true
  const isAlone = isBlank(completion?.content ?? null) || isBlank(completion?.reasoning ?? null)
  return isAlone && (completion?.tokens.completion ?? 0) >= copies / 2
}

/** By its name or sign, or it stands in the prompt as a flood; three of them are only a loud prompt. */
function isAskedFor(prompt: string, { unit }: Flood): boolean {
  return requested(prompt, unit) || prompt.includes(unit.repeat(FEWEST)) || (NAMED.get(unit)?.test(prompt) ?? false)
}

/** How a prompt names the sign itself. As the end of a sentence it names nothing, so "!" and "?" count in quotes. */
const NAMED: ReadonlyMap<string, RegExp> = new Map([
  ['!', /\bexclama[ct]i|ausrufezeichen|["'`“„«‘]!+["'`“”»’]/i],
  ['?', /\bquestion[- ]marks?\b|fragezeichen|\binterroga[ct]i|["'`“„«‘]\?+["'`“”»’]/i],
  ['@', /(?<![\p{L}\p{N}])@(?![\p{L}\p{N}])|\bat[- ]signs?\b|klammeraffe/iu],
  ['G', /(?<![\p{L}\p{N}])G(?![\p{L}\p{N}])/u],
  ['<unk>', /<unk>/],
  ['<pad>', /<pad>/],
])
