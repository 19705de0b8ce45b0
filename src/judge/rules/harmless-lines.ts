import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { HARMLESS, harmlessLines, isQuiet } from '../log/quiet.ts'
import { countOf, firstSign, quotedSign } from '../log/signs.ts'
import { blamedTemplate } from './missing-template.ts'

/**
 * A log of which the odd lines are harmless. Only said where nothing else in it speaks of an error: a warning that is
 * known does not make a log sound that holds more.
 */
export const harmlessInLog: Rule = {
  codes: ['ok.warning', 'ok.info'],
  signatures: HARMLESS,
  check(evidence) {
    if (evidence.smoke !== undefined || !isQuiet(evidence)) return []
    const [first] = harmlessLines(evidence)
    const known = HARMLESS.find(({ name }) => name === first?.name)
    if (first === undefined || known === undefined) return []
    // where every chat is refused, a template that was not found is no remark
    if (blamedTemplate(evidence) !== null) return []
    const { code, means, may } = known
    return [{ ...harmless(evidence, first, may), code, cause: means }]
  },
}

function harmless(evidence: Evidence, sign: Sign, may: string | undefined): Omit<Finding, 'code' | 'cause'> {
  const ready = firstSign(evidence, 'stage-ready')
  const count = countOf(evidence, sign.name)
  return {
    verdict: 'healthy',
    because: [
      quotedSign(sign),
      ...(count > 1 ? [`${count} lines of this kind`] : []),
      ...(ready === null ? [] : [quotedSign(ready)]),
    ],
    remedy: [may === undefined ? 'Nothing is to be done.' : `Nothing has to be done. ${may}`],
    confidence: ready === null ? 'likely' : 'certain',
    at: sign.at,
  }
}
