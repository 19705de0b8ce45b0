import type { Loop, Smoke } from '../domain/smoke.ts'
import { isBlank } from './answer.ts'
import { askedOf } from './asked.ts'

/** Temperature 0 and at least one finished sentence before the loop began: the model was well and got caught. */
export function isCaughtGreedily({ request }: Smoke, { from }: Loop, text: string): boolean {
  return request.temperature === 0 && from > 2 && SENTENCE.test(text.slice(0, from + 2))
}

const SENTENCE = /[。！？]|\p{L}[.!?](\s|$)/u

/** White space without end where a grammar lets it: in the middle of JSON, or before it began. */
export function isOfGrammar(smoke: Smoke, { unit }: Loop, text: string): boolean {
  return isBlank(unit) && (/^\s*[[{]/.test(text) || askedOf(smoke).grammar)
}
