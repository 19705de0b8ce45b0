import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Cured } from '../cured.ts'
import { curedBy } from '../cured.ts'
import { flagsOf } from '../flags.ts'
import { suspectOf } from '../suspects.ts'
import type { Symptom } from '../symptom.ts'
import { symptomOf } from '../symptom.ts'
import { quotedTold } from '../told.ts'
import {
  draftsRefused,
  flashAttention,
  lostWeights,
  lowestKvCache,
  lowKvCache,
  sharesOfModel,
  speculates,
} from './wrong-computation-suspects.ts'
import { WORDS } from './wrong-computation-words.ts'

/**
 * The text shows that something computes wrongly, and the rest of the evidence names what: an experiment that somebody
 * told of, weights that were not found, or the one setting that is known to do this. Where nothing is named, the rules
 * about the text itself speak.
 */
export const wrongComputation: Rule = {
  codes: [
    'model.kv-quant',
    'model.kernel-bug',
    'model.spec-desync',
    'model.tp-comm-suspect',
    'model.weights-misloaded',
  ],
  check(evidence) {
    const culprits = culpritsOf(evidence)
    // the text is looked at last: that takes the longest
    const symptom = culprits.length === 0 ? null : symptomOf(evidence)
    const culprit = symptom === null ? undefined : culprits.find(({ fits }) => fits(symptom))
    return symptom === null || culprit === undefined ? [] : [findingOf(evidence, symptom, culprit)]
  },
}

type Code = keyof typeof WORDS

interface Culprit {
  readonly code: Code
  /** what of the evidence names it */
  readonly because: string
  /** whether an experiment showed it */
  readonly isShown?: boolean
  /** whether it explains such a text */
  fits(symptom: Symptom): boolean
}

const CODE_OF: Readonly<Record<Cured, Code>> = {
  'tensor-parallel': 'model.tp-comm-suspect',
  kernel: 'model.kernel-bug',
  'kv-cache': 'model.kv-quant',
  speculation: 'model.spec-desync',
  weights: 'model.weights-misloaded',
}

/** It explains whatever the text shows. */
const whatever = (): boolean => true
const clear = ({ weight }: Symptom): boolean => weight !== 'weak'
const subtle = ({ weight }: Symptom): boolean => weight === 'subtle'
const doubled = ({ isDoubled }: Symptom): boolean => isDoubled

/** What may be it, the most telling first. A version that is known to compute wrongly explains more than any setting. */
function culpritsOf(evidence: Evidence): readonly Culprit[] {
  const cured = curedBy(evidence)
  if (cured !== null)
    return [{ code: CODE_OF[cured.by], because: quotedTold(cured.line), isShown: true, fits: whatever }]
  const lost = named('model.weights-misloaded', lostWeights(evidence), whatever)
  return suspectOf(evidence) === null ? [...lost, ...settings(evidence)] : lost
}

function settings(evidence: Evidence): readonly Culprit[] {
  const flags = flagsOf(evidence)
  return [
    ...named('model.kv-quant', lowestKvCache(flags), whatever),
    ...named('model.kv-quant', lowKvCache(flags, evidence), clear),
    ...named('model.spec-desync', draftsRefused(evidence), clear),
    ...named('model.spec-desync', speculates(flags, evidence), doubled),
    ...named('model.kernel-bug', flashAttention(flags, evidence), clear),
    ...named('model.tp-comm-suspect', sharesOfModel(evidence, flags), subtle),
  ]
}

function named(code: Code, because: string | null, fits: Culprit['fits']): readonly Culprit[] {
  return because === null ? [] : [{ code, because, fits }]
}

function findingOf({ engine }: Evidence, { seen }: Symptom, culprit: Culprit): Finding {
  const { cause, remedy, unless } = WORDS[culprit.code]
  return {
    code: culprit.code,
    verdict: 'broken',
    cause,
    because: [seen, culprit.because],
    remedy: remedy(engine?.kind ?? null),
    confidence: 'likely',
    ...(culprit.isShown === true ? {} : { unless }),
    explains: TEXTS,
  }
}

/** What the text alone shows. */
const TEXTS = [
  'model.degenerate-loop',
  'model.gibberish',
  'model.immediate-eos',
  'model.nan-logits',
  'engine.detokenizer',
] as const
