import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { flagsOf } from '../flags.ts'
import { quotedSign, signsOf } from '../log/signs.ts'

/** How many drafted tokens the model accepts: its own, or none any more, so that both see different states (sglang#36537). */
export const draftAcceptance: Rule = {
  codes: ['model.spec-desync', 'ok.spec'],
  signatures: [
    {
      name: 'draft-acceptance',
      anchors: ['accept len: ', 'Mean acceptance length: ', 'draft acceptance rate = '],
      pattern:
        /accept len: (?<length>\d{1,3}(?:\.\d{1,4})?)(?:, accept rate: (?<rate>\d(?:\.\d{1,4})?))?|Mean acceptance length: (?<length>\d{1,3}(?:\.\d{1,4})?)(?:.{0,160}?Drafted: (?<drafted>\d{1,12}) tokens)?|draft acceptance rate = (?<rate>\d\.\d{1,8})(?: \( {0,8}\d{1,9} accepted \/ {0,8}(?<drafted>\d{1,9}) generated)?/,
      example:
        '[t TP0] Decode batch, #running-req: 3, #token: 900, accept len: 2.41, accept rate: 0.47, cuda graph: True',
      nearMiss: 'the accept length is set to 3',
    },
  ],
  check(evidence) {
    const lines = signsOf(evidence, 'draft-acceptance').filter(
      ({ fields }) => Number(fields['drafted'] ?? FEWEST_DRAFTS) >= FEWEST_DRAFTS,
    )
    const last = lines.slice(-RUN)
    if (last.length === RUN && last.every(isRefused)) return [refused(evidence, lines)]
    return lines.length > 0 && !lines.some(isRefused) ? [works(lines)] : []
  },
}

/** So many lines in a row, the last ones, show that nothing is accepted; one alone may be a hard text. */
const RUN = 3
const FEWEST_DRAFTS = 20
const NOTHING = { length: 1.02, rate: 0.02 } as const

function isRefused({ fields }: Sign): boolean {
  const { length, rate } = fields
  return length === undefined
    ? Number(rate) < NOTHING.rate
    : Number(length) <= NOTHING.length && Number(rate ?? 0) < NOTHING.rate
}

function refused(evidence: Evidence, lines: readonly Sign[]): Finding {
  const good = lines.findLast((line) => !isRefused(line))
  const first = lines.find(isRefused)
  const isLookup = /ngram|lookup/i.test(flagsOf(evidence).get('speculative-algorithm') ?? '')
  return {
    code: 'model.spec-desync',
    verdict: isLookup ? 'degraded' : 'broken',
    cause: isLookup
      ? 'Speculative decoding guesses nothing right: every drafted token is refused, so it only costs time.'
      : 'Speculative decoding is out of step: every drafted token is refused, line after line, so draft and model see different states; the answers are suspect as well.',
    because: [
      ...(good === undefined ? [] : [quotedSign(good)]),
      ...lines.slice(-RUN).filter(isRefused).map(quotedSign),
    ],
    remedy: [
      'Restart the engine without speculative decoding (leave out the --speculative-… flags; vLLM --speculative-config; llama.cpp -md) and repeat the smoke.',
      'If it is wanted: upgrade the engine, lower --speculative-num-steps and the number of draft tokens, and keep the memory of the state pools below what fills them.',
    ],
    confidence: 'likely',
    unless:
      'the draft model does not belong to this model: then the rate is nothing from the first line on, and the answers are sound.',
    missing: ['a smoke: is the text itself sound?'],
    explains: ['log.need-more', 'state.up-unverified'],
    ...(first === undefined ? {} : { at: first.at }),
  }
}

function works(lines: readonly Sign[]): Finding {
  const last = lines.slice(-1)
  return {
    code: 'ok.spec',
    verdict: 'healthy',
    cause: 'Speculative decoding works: the model accepts what the draft proposes.',
    because: last.map(quotedSign),
    remedy: [],
    confidence: 'certain',
  }
}
