import type { Code } from '../../domain/code.ts'
import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Ended } from '../answer.ts'
import { endedAnswer, endOf, isBlank, quoted, saidOf } from '../answer.ts'
import { oddityOf } from './healthy-oddities.ts'

/** What is fine, and why what looks odd is so. Heard only where no rule finds a fault. */
export const healthy: Rule = {
  codes: [
    'ok.answered',
    'ok.keepalive',
    'ok.language-match',
    'ok.leading-whitespace',
    'ok.literal-data',
    'ok.no-reasoning',
    'ok.quoted-tokens',
    'ok.reasoning-renamed',
    'ok.reasoning-tokens-unsupported',
    'ok.refrain',
    'ok.short',
    'ok.stopped',
    'ok.structured-repeat',
    'ok.tool-call',
    'ok.usage-not-requested',
  ],
  check(evidence) {
    const { smoke } = evidence
    if (smoke !== undefined && smoke.stoppedBy !== null) return [stopped(smoke.stoppedBy)]
    const answer = endedAnswer(evidence)
    if (answer === null) return []
    if (answer.completion.toolCalls.length > 0) return [toolCall(answer)]
    return isBlank(answer.completion.content) ? [] : [answered(evidence, answer)]
  },
}

function fine(code: Code, cause: string, because: readonly string[]): Finding {
  return { code, verdict: 'healthy', cause, because, remedy: [], confidence: 'certain' }
}

function stopped(person: string): Finding {
  const said = fine('ok.stopped', `${person} stopped it; what had arrived by then shows no fault.`, [])
  return { ...said, verdict: 'inconclusive' }
}

function toolCall(answer: Ended): Finding {
  const names = answer.completion.toolCalls.map(({ name }) => name).join(', ')
  return fine('ok.tool-call', `The model called ${quoted(names)}; a tool call needs no content.`, [endOf(answer)])
}

function answered(evidence: Evidence, answer: Ended): Finding {
  const { content, reasoning, finish } = answer.completion
  const because = [endOf(answer), saidOf('content', content), saidOf('reasoning', reasoning)]
  // what a budget ended is told by another rule
  const oddity = finish === 'length' ? null : oddityOf(evidence, answer)
  const { code, cause } = oddity ?? ANSWERED
  return fine(code, cause, because)
}

const ANSWERED = { code: 'ok.answered', cause: 'The model answered and ended by itself.' } as const
