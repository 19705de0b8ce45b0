import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import { counted } from '../../domain/report.ts'
import { budgetSpent, endedAnswer, endOf, isSilent, saidOf } from '../answer.ts'
import { UNPARSED } from '../remedies.ts'
import { suspectOf } from '../suspects.ts'

/** Up to so many tokens the model itself ended; beyond, it wrote something that did not reach us (README of the cases). */
const AT_ONCE = 3
const FEW = 20

/** The model ends at once, or it wrote tokens that the server's parser lost. */
export const immediateEnd: Rule = {
  codes: ['model.immediate-eos', 'parser.harmony-lost'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    if (answer === null || !isSilent(answer.completion) || budgetSpent(answer.completion, answer.request)) return []
    const { content, reasoning, finish, stop, tokens } = answer.completion
    if ((finish !== 'stop' && finish !== 'tool_calls') || typeof stop === 'string') return []
    const used = tokens.completion
    const because = [endOf(answer), saidOf('content', content), saidOf('reasoning', reasoning), 'no tool call']
    return [used !== null && used > FEW ? lostText(used, because) : endedAtOnce(evidence, used, because)]
  },
}

function endedAtOnce(evidence: Evidence, used: number | null, because: readonly string[]): Finding {
  const suspect = suspectOf(evidence)
  const tokens = used === null ? 'without any text' : `after ${counted(used, 'token')}`
  return {
    code: 'model.immediate-eos',
    verdict: 'broken',
    cause: `The model chose its end token ${tokens}: the request went through, the computation or the chat template is wrong.`,
    because: suspect === null ? because : [...because, suspect.because],
    remedy: suspect === null ? REMEDY : suspect.remedy,
    confidence: used !== null && used <= AT_ONCE ? 'certain' : 'likely',
    ...(used === null ? { missing: ['usage.completion_tokens'] } : {}),
  }
}

const REMEDY = [
  "Compare the engine's version with the minimum on the model card and upgrade the engine; then repeat the same prompt.",
  'Serving on several GPUs: start once with --tp-size 1. Text then means that tensor parallel computes wrongly.',
  'Else compare the checkpoint (quantisation, complete download) and the chat template with the model card.',
]

function lostText(used: number, because: readonly string[]): Finding {
  return {
    code: 'parser.harmony-lost',
    verdict: 'broken',
    cause: `The model wrote ${counted(used, 'token')}, the server delivered none of them: its response parser threw the text away.`,
    because,
    remedy: [
      'Retry once: some parsers lose only some answers.',
      `${UNPARSED}; if the text is there, upgrade the engine or start it without --reasoning-parser.`,
    ],
    confidence: 'certain',
  }
}
