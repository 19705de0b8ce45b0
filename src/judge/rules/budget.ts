import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Ended } from '../answer.ts'
import { budgetSpent, endedAnswer, endOf, isBlank, saidOf } from '../answer.ts'

/** The budget is spent: before the answer began, or in the middle of it. */
export const budget: Rule = {
  codes: ['budget.reasoning-exhausted', 'budget.too-small', 'context.exceeded'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    if (answer === null || !budgetSpent(answer.completion, answer.request)) return []
    const { completion } = answer
    const isCut = !isBlank(completion.content) || completion.toolCalls.length > 0
    if (isCut && completion.finish !== 'length') return []
    const because = [endOf(answer), saidOf('reasoning', completion.reasoning), saidOf('content', completion.content)]
    const limit = serverLimit(evidence, answer)
    if (limit !== null) return [{ ...limit, because }]
    return [{ ...(isCut ? cutAnswer(answer) : noAnswer(answer)), because }]
  },
}

type Kind = Omit<Finding, 'because'>

function noAnswer({ completion, request }: Ended): Kind {
  const hidden = isBlank(completion.reasoning)
  return {
    code: 'budget.reasoning-exhausted',
    verdict: 'request-limit',
    cause: `The budget of ${request.budget} tokens went into ${hidden ? 'text that the server keeps back' : 'the reasoning'}; the answer did not begin.`,
    remedy: [
      `Repeat with a budget of ${2 * request.budget} tokens (max_tokens=${2 * request.budget}).`,
      'Or switch thinking off (chat_template_kwargs: {"enable_thinking": false}), or lower the reasoning effort.',
    ],
    confidence: completion.finish === 'length' && !hidden ? 'certain' : 'likely',
    unless: otherwise(completion.finish, hidden),
  }
}

function otherwise(finish: string | null, hidden: boolean): string {
  if (hidden) return 'the parser lost the text: /v1/completions (SGLang: /generate) shows what the model wrote.'
  if (finish === 'length') {
    return 'the reasoning turns in circles: read it, or double the budget; if that is spent as well, it does.'
  }
  return `the model ended inside its thinking, as finish "${finish}" says: double the budget; if it then ends with no answer far below the budget, it did.`
}

function cutAnswer({ completion, request }: Ended): Kind {
  const cut = isBlank(completion.content) ? 'the tool call' : 'the answer'
  return {
    code: 'budget.too-small',
    verdict: 'request-limit',
    cause: `The budget of ${request.budget} tokens ended ${cut} before its end.`,
    remedy: [
      `Repeat with a budget of ${2 * request.budget} tokens (max_tokens=${2 * request.budget}), or ask for less text.`,
    ],
    confidence: 'certain',
    unless:
      'the model cannot end: double the budget; if that is spent as well, look at the end tokens of its chat template.',
  }
}

/** The server said "length" although the budget was not spent: its own limit was reached. */
function serverLimit({ engine }: Evidence, { completion, request }: Ended): Kind | null {
  const { prompt, completion: used } = completion.tokens
  if (completion.finish !== 'length' || used === null || used >= 0.95 * request.budget) return null
  const context = engine?.context ?? null
  const isFull = context !== null && prompt !== null && prompt + used >= 0.95 * context
  return {
    code: isFull ? 'context.exceeded' : 'budget.too-small',
    verdict: 'request-limit',
    cause: isFull
      ? `Prompt (${prompt} tokens) and answer (${used}) fill the context of ${context} tokens.`
      : `The server ended the answer at ${used} tokens by a limit of its own, below the budget of ${request.budget}.`,
    remedy: [
      'Shorten the prompt, or start the server with a larger context (SGLang --context-length, vLLM --max-model-len, llama.cpp -c).',
    ],
    confidence: isFull ? 'certain' : 'likely',
    ...(context === null ? { missing: ['the context length of the server'] } : {}),
  }
}
