import type { Finding, Rule } from '../../domain/finding.ts'
import type { Ended } from '../answer.ts'
import { endedAnswer, endOf, isBlank, quoted, saidOf } from '../answer.ts'
import { endsOf } from '../ends.ts'
import { periodDetector } from '../repetition.ts'
import { requested } from '../requested.ts'

/** What is fine, and why what looks odd is so. Heard only where no rule finds a fault. */
export const healthy: Rule = {
  codes: ['ok.answered', 'ok.short', 'ok.tool-call', 'ok.structured-repeat', 'ok.stopped'],
  check(evidence) {
    const { smoke } = evidence
    if (smoke !== undefined && smoke.stoppedBy !== null) return [stopped(smoke.stoppedBy)]
    const answer = endedAnswer(evidence)
    if (answer === null) return []
    if (answer.completion.toolCalls.length > 0) return [toolCall(answer)]
    return isBlank(answer.completion.content) ? [] : [answered(answer)]
  },
}

function fine(code: Finding['code'], cause: string, because: readonly string[]): Finding {
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

function answered(answer: Ended): Finding {
  const { content, reasoning, tokens } = answer.completion
  const because = [endOf(answer), saidOf('content', content), saidOf('reasoning', reasoning)]
  if (isRequestedRepeat(answer)) {
    return fine('ok.structured-repeat', 'The text repeats itself because the prompt asks for it.', because)
  }
  if ((tokens.completion ?? Number.POSITIVE_INFINITY) <= SHORT) {
    return fine('ok.short', `A short answer: ${quoted(content ?? '')}.`, because)
  }
  return fine('ok.answered', 'The model answered and ended by itself.', because)
}

const SHORT = 3
const FEWEST_COPIES = 4

function isRequestedRepeat({ request, completion }: Ended): boolean {
  const detector = periodDetector()
  const end = endsOf(completion.content ?? '').at(-1)?.text ?? ''
  detector.feed(end.trim().replace(/[\])}]+$/, ''))
  const run = detector.current()
  if (run === null || run.length < FEWEST_COPIES * run.period) return false
  return requested(request.prompt, detector.unit())
}
