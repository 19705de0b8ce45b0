import type { Finding, Rule } from '../../domain/finding.ts'
import { count, counted } from '../../domain/report.ts'
import type { Ended } from '../answer.ts'
import { endedAnswer, endOf, isBlank, quoted } from '../answer.ts'

/** What a server says about its own answer contradicts the answer. The text itself may be fine. */
export const accounting: Rule = {
  codes: ['engine.usage-wrong', 'engine.finish-reason-wrong', 'engine.finish-reason-missing'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    if (answer === null) return []
    return [usage(answer), calls(answer), finish(answer)].filter((finding) => finding !== null)
  },
}

function usage(answer: Ended): Finding | null {
  const { reasoning, completion: all } = answer.completion.tokens
  if (all !== null && isTooFew(answer, all)) return tooFew(answer, all)
  if (reasoning === null || all === null || reasoning <= all) return null
  return {
    code: 'engine.usage-wrong',
    verdict: 'degraded',
    cause:
      'The server counts more reasoning tokens than tokens: its counters are wrong, the text is not touched by it.',
    because: [`reasoning_tokens ${count(reasoning)}, completion_tokens ${count(all)}`],
    remedy: ['Do not bill or budget by these counters; upgrade the engine.'],
    confidence: 'certain',
  }
}

/** No tokenizer writes so many letters with one token; the blanks of one token may be many. */
const LETTERS_EACH = 40

/** Loops are excepted: one token can be a whole row of marks. */
function isTooFew({ completion: { content, reasoning } }: Ended, all: number): boolean {
  const letters = `${content ?? ''}${reasoning ?? ''}`.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  return all === 0 ? letters > 0 : letters > 4 * LETTERS_EACH && letters > LETTERS_EACH * all
}

function tooFew({ completion }: Ended, all: number): Finding {
  const length = (completion.content ?? completion.reasoning ?? '').length
  return {
    code: 'engine.usage-wrong',
    verdict: 'degraded',
    cause: `The server counts ${counted(all, 'token')} for a text that has many more: its counters are wrong, the text is not touched by it.`,
    because: [
      `completion_tokens ${count(all)}`,
      `${count(length)} characters: ${quoted(completion.content ?? completion.reasoning ?? '')}`,
    ],
    remedy: ['Do not bill or budget by these counters; upgrade the engine, or the gateway that counts.'],
    confidence: 'certain',
  }
}

function calls(answer: Ended): Finding | null {
  const { finish: said, toolCalls, content } = answer.completion
  if (said !== 'tool_calls' || toolCalls.length > 0 || isBlank(content)) return null
  return {
    code: 'engine.finish-reason-wrong',
    verdict: 'degraded',
    cause: 'The server says "tool_calls" and delivers no call; the content is the answer.',
    because: [endOf(answer)],
    remedy: [
      'Take the content as the answer; start the server with the --tool-call-parser of this model, or upgrade it.',
    ],
    confidence: 'certain',
  }
}

/** How sound answers end, the words of other APIs behind gateways included; other rules know more of the rest. */
const KNOWN_END =
  /^(stop|stop_sequence|eos|eos_token|end_turn|length|tool_calls|function_call|abort.*|error.*|cancel.*|content[_-]?filter.*)$/i

function finish(answer: Ended): Finding | null {
  const { finish: said, content, toolCalls } = answer.completion
  if (isBlank(content) && toolCalls.length === 0) return null
  if (said === null) return { ...MISSING, because: [endOf(answer)] }
  return KNOWN_END.test(said) ? null : { ...UNKNOWN, because: [endOf(answer)] }
}

const MISSING: Omit<Finding, 'because'> = {
  code: 'engine.finish-reason-missing',
  verdict: 'degraded',
  cause: 'The server ended the answer without saying why; the text is probably whole, which cannot be proven.',
  remedy: ['Read the text with that in mind; upgrade the engine or the gateway before it.'],
  confidence: 'certain',
}

const UNKNOWN: Omit<Finding, 'because'> = {
  code: 'engine.finish-reason-wrong',
  verdict: 'degraded',
  cause: 'The server ended the answer with a word that the API does not know; whether the text is whole is not known.',
  remedy: ['Read the text with that in mind; look the word up in the documentation of the engine or of the gateway.'],
  confidence: 'likely',
}
