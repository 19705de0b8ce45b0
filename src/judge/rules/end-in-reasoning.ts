import type { Completion } from '../../domain/completion.ts'
import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Ended } from '../answer.ts'
import { budgetSpent, endedAnswer, endOf, isBlank, quoted, quotedEnd, saidOf, saysNan, uncounted } from '../answer.ts'
import { setReasoningParser } from '../orders.ts'
import { THINKING_OFF, UNPARSED } from '../remedies.ts'
import { compareVersions } from '../version.ts'

/** Reasoning without an answer, far below the budget: the end came inside the thinking, or a parser misfiled the answer. */
export const endInReasoning: Rule = {
  codes: ['model.eos-in-reasoning', 'parser.reasoning-wrong', 'parser.reasoning-unclosed', 'request.stop-in-reasoning'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    if (answer === null || !endsInReasoning(answer)) return []
    return [{ ...kindOf(answer, evidence), because: becauseOf(answer) }]
  },
}

function endsInReasoning({ completion, request }: Ended): boolean {
  if (saysNan(completion)) return false
  const { content, reasoning, toolCalls, finish } = completion
  if (isBlank(reasoning) || !isBlank(content) || toolCalls.length > 0) return false
  return (finish === 'stop' || finish === 'tool_calls') && !budgetSpent(completion, request)
}

type Kind = Omit<Finding, 'because'>

function kindOf({ completion, request }: Ended, evidence: Evidence): Kind {
  const reasoning = completion.reasoning ?? ''
  if (typeof completion.stop === 'string') return stopWord(completion.stop)
  if (request.thinking === false) return misfiled('Thinking was off', THOUGHT_ANYWAY, evidence)
  if (GLUED.test(reasoning)) return UNCLOSED
  if (readsLikeAnswer(reasoning)) return misfiled('The text reads like an answer', ENDED_THINKING, evidence)
  return inThinking(completion, evidence)
}

function becauseOf(answer: Ended): string[] {
  const { content, reasoning } = answer.completion
  const tail = `the reasoning ends with ${quotedEnd(reasoning ?? '')}`
  return [endOf(answer), saidOf('reasoning', reasoning), saidOf('content', content), tail]
}

/** Two sentences without a blank between them: a closing tag was dropped there. */
const GLUED = /\p{Ll}{2}[.!?]\p{Lu}\p{Ll}*\s\p{Ll}/u
const THINKING =
  /\b(the user|user|i (should|need|will|must|can|have)|i'll|we (should|need|must|want|have)|let me|let's|okay|ok,|hmm|wait|first|step|plan|maybe|so,|asks?|request)\b|用户|我们|首先/i

/** A finished sentence to somebody, with no word of planning in it; thinking speaks about the user and the task. */
function readsLikeAnswer(text: string): boolean {
  return /[.!?。！？]["')\]]*\s*$/.test(text) && !THINKING.test(text)
}

const ENDED_THINKING = `the model ended inside its thinking: without thinking an answer then comes as content; ${THINKING_OFF}.`
const THOUGHT_ANYWAY = 'the model thinks all the same and ended there: the text then speaks of the user and the task.'

function misfiled(sign: string, unless: string, evidence: Evidence): Kind {
  return {
    code: 'parser.reasoning-wrong',
    verdict: 'misconfigured',
    cause: `${sign}, and all of it came as reasoning: the server's reasoning parser takes untagged text for thinking.`,
    remedy: [
      ...new Set([
        setReasoningParser(evidence),
        'A model that does not think: start its server without --reasoning-parser. Newer engine releases tell the two apart.',
        `${UNPARSED}.`,
      ]),
    ],
    confidence: 'likely',
    unless,
  }
}

const UNCLOSED: Kind = {
  code: 'parser.reasoning-unclosed',
  verdict: 'misconfigured',
  cause: 'The closing tag of the thinking was lost, so the answer was filed as reasoning behind it.',
  remedy: [
    'Send skip_special_tokens=false, or upgrade the front end that drops the tag before the parser sees it.',
    `${UNPARSED}.`,
  ],
  confidence: 'likely',
  unless: 'the model ended inside its thinking: then no closing tag and no answer stand there.',
}

function inThinking(completion: Completion, evidence: Evidence): Kind {
  const isCounted = completion.tokens.completion !== null
  return {
    code: 'model.eos-in-reasoning',
    verdict: 'broken',
    cause: `The model ended inside its thinking and never began the answer${isCounted ? '; a larger budget does not help' : ''}.`,
    remedy: [
      ...(isStrictKnown(evidence) ? [STRICT] : []),
      'Retry: with sampling it happens to some of the answers only. Use the sampling of the model card (no --temperature), not temperature 0.',
      ...(isStrictKnown(evidence)
        ? []
        : ['SGLang from 0.5.12 on: --enable-strict-thinking forbids the end token while the model thinks.']),
      `To see that the rest works: ${THINKING_OFF}.`,
    ],
    confidence: 'likely',
    unless: `the server's parser swallowed the answer: ${UNPARSED}.`,
    ...uncounted(completion),
  }
}

const STRICT = 'Start SGLang with --enable-strict-thinking: it forbids the end token while the model thinks.'

function isStrictKnown({ engine }: Evidence): boolean {
  return engine?.kind === 'sglang' && engine.version !== null && (compareVersions(engine.version, '0.5.12') ?? -1) >= 0
}

function stopWord(word: string): Kind {
  return {
    code: 'request.stop-in-reasoning',
    verdict: 'client-error',
    cause: `The request's own stop word ${quoted(word)} stood in the thinking and ended it before the answer.`,
    remedy: [`Take ${quoted(word)} out of "stop" for a thinking model, or switch thinking off: ${THINKING_OFF}.`],
    confidence: 'certain',
  }
}
