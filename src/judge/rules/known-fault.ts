import type { Code } from '../../domain/code.ts'
import { isFault } from '../../domain/code.ts'
import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Fact } from '../../domain/knowledge.ts'
import type { Verdict } from '../../domain/verdict.ts'
import { knownBad } from '../../knowledge/index.ts'
import { endedAnswer, isBlank } from '../answer.ts'
import { becauseOf, inWords, remedyOf, sourceOf } from '../known.ts'
import type { Served } from '../served.ts'
import { servedOf } from '../served.ts'
import { SPOILS_TEXT } from '../suspects.ts'
import { symptomOf } from '../symptom.ts'

/**
 * The version that serves is known to have a fault with this model. Together with an answer that shows it, that is the
 * cause; beside a sound answer it is a remark, since the setting may avoid it. What is only reported is no remark.
 */
export const knownFault: Rule = {
  codes: [
    'model.eos-in-reasoning',
    'model.kernel-bug',
    'model.tp-comm-suspect',
    'model.weights-misloaded',
    'engine.kernel-crash',
  ],
  check(evidence) {
    const served = evidence.smoke === undefined ? null : servedOf(evidence)
    if (served === null) return []
    const heard = knownBad(served, evidence.taught).flatMap((fact) => {
      const seen = symptomFor(fact.code, evidence)
      return seen === null && fact.standing === 'reported' ? [] : [{ fact, seen }]
    })
    // one cause is enough: what else is known of this version stands behind as a remark
    const cause = heard.find(({ fact, seen }) => seen !== null && fact.standing !== 'reported')
    return heard.map(({ fact, seen }) =>
      findingOf(fact, served, evidence, fact === cause?.fact && seen !== null ? seen : null),
    )
  },
}

/** How what was seen is the fault of that code: null where nothing like it was. */
interface Seen {
  readonly words: string
  readonly isSure: boolean
}

function symptomFor(code: Code, evidence: Evidence): Seen | null {
  const [family] = code.split('.')
  if (code === 'model.eos-in-reasoning' || family === 'parser') return emptyAnswer(evidence)
  if (SPOILS_TEXT.has(code) || family === 'sampling' || family === 'output') {
    const symptom = symptomOf(evidence)
    return symptom === null ? null : { words: symptom.seen, isSure: symptom.weight !== 'weak' }
  }
  const failure = evidence.smoke?.failure ?? null
  return failure === null || failure.kind === 'stopped' ? null : { words: failure.observed, isSure: false }
}

function emptyAnswer(evidence: Evidence): Seen | null {
  const answer = endedAnswer(evidence)
  if (answer === null || !isBlank(answer.completion.content) || isBlank(answer.completion.reasoning)) return null
  if (answer.completion.toolCalls.length > 0 || answer.completion.finish === 'length') return null
  return { words: 'reasoning came, and no answer', isSure: true }
}

function findingOf(fact: Fact, served: Served, evidence: Evidence, seen: Seen | null): Finding {
  const remark = `${inWords(served)} is known for this: ${fact.cause}.`
  const finding: Finding = {
    code: fact.code,
    verdict: verdictOf(fact.code),
    cause: seen === null ? remark : `What is known of ${inWords(served)} shows in the answer: ${fact.cause}.`,
    because: [...(seen === null ? [] : [seen.words]), becauseOf(fact, served), sourceOf(fact)],
    remedy: remedyOf(fact, served, evidence.installed?.driver ?? null),
    confidence: seen === null ? 'possible' : seen.isSure ? 'certain' : 'likely',
  }
  return seen === null
    ? { ...finding, unless: 'the answers are sound all the same: then it does not reach this setting.' }
    : finding
}

/** What a fault of a family makes of the server, for facts of any code. */
function verdictOf(code: Code): Verdict {
  const [family = ''] = code.split('.')
  return (isFault(code) ? VERDICTS[family] : undefined) ?? 'misconfigured'
}

const VERDICTS: Readonly<Record<string, Verdict>> = {
  model: 'broken',
  engine: 'broken',
  stream: 'broken',
  transport: 'broken',
  sampling: 'degraded',
  grammar: 'degraded',
  output: 'degraded',
  budget: 'degraded',
  load: 'overloaded',
  state: 'not-ready',
  gpu: 'hardware-fault',
  driver: 'hardware-fault',
}
