import { excerpt } from '../../domain/excerpt.ts'
import type { Evidence, Rule } from '../../domain/finding.ts'
import type { LogEvidence, Sign } from '../../domain/signature.ts'
import { quotedSign, signsOf } from '../log/signs.ts'
import { stageAt } from '../log/stages.ts'
import { troubleIn } from '../log/trouble.ts'
import { WRAPPERS } from '../log/wrapper-signs.ts'
import { ENGINE_LOG } from '../remedies.ts'

/**
 * An engine at work died of an exception that no other rule knows: a bug of its own, since requests must not be able to
 * end it. At a start an unknown exception may as well be a setting, so nothing is said of it here.
 */
export const unknownCrash: Rule = {
  codes: ['engine.invariant'],
  check(evidence) {
    const { log } = evidence
    const dead = signsOf(evidence, 'wrapper-sigquit', 'wrapper-worker', 'wrapper-kill-tree')
    const first = exceptionsIn(evidence)[0]
    if (log === undefined || first === undefined || !isAtWork(log, first, dead)) return []
    const name = first.fields['name'] ?? 'an exception'
    return [
      {
        code: 'engine.invariant',
        verdict: 'broken',
        cause: `The engine died at work of an exception of its own (${name}: ${excerpt(first.fields['said'] ?? '', LONGEST)}).`,
        because: [quotedSign(first), ...dead.slice(0, 1).map(quotedSign)],
        remedy: [
          'Restart the engine.',
          `${ENGINE_LOG} Search the issues of the engine for its words; the lines above it name the feature.`,
          'If it comes back: upgrade; without speculative decoding, with another --attention-backend, one at a time.',
        ],
        confidence: 'likely',
        unless: 'a line above it names another error first.',
        explains: ['log.need-more'],
        at: first.at,
      },
    ]
  },
}

const LONGEST = 120

/** Those that are no wrapper of another one. */
function exceptionsIn(evidence: Evidence): readonly Sign[] {
  const wrapped = new Set(signsOf(evidence, ...WRAPPERS.map(({ name }) => name)).map(({ at }) => at))
  return troubleIn(evidence, wrapped).filter(
    ({ name, fields }) => name === 'trouble-exception' && !OF_PEOPLE.test(fields['name'] ?? ''),
  )
}

/** Told by its own words what a person has to change, or ended by one. */
const OF_PEOPLE = /ValidationError|HTTPException|HTTPError|BadRequest|ClientDisconnect|ConnectionError|EngineDeadError/

function isAtWork(log: LogEvidence, { at }: Sign, dead: readonly Sign[]): boolean {
  if (!dead.some((sign) => sign.at > at)) return false
  const stage = stageAt(log, at)
  return (
    stage === 'ready' || stage === 'serving' || dead.some(({ line }) => /SIGQUIT received|EngineDeadError/.test(line))
  )
}
