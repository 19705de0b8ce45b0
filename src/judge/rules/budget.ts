import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import { count, counted } from '../../domain/report.ts'
import { DEFAULT_BUDGET } from '../../domain/smoke.ts'
import type { Ended } from '../answer.ts'
import { budgetSpent, endedAnswer, endOf, isBlank, saidOf, uncounted } from '../answer.ts'
import { wholeFlood } from '../flood.ts'
import { LARGER_CONTEXT, THINKING_OFF, UNPARSED, withBudget } from '../remedies.ts'

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
    const told = withBudgetOf(answer)
    const limit = serverLimit(evidence, told)
    if (limit !== null) return [{ ...limit, because }]
    return [{ ...(isCut ? cutAnswer(told) : noAnswer(told)), because }]
  },
}

/** Where the request named no budget, the server's own one ended the answer: as much as was used. */
function withBudgetOf({ completion, request }: Ended): Ended {
  if (Number.isFinite(request.budget)) return { completion, request }
  return { completion, request: { ...request, budget: completion.tokens.completion ?? request.budget } }
}

/** `The budget of 200 tokens` */
function theBudget(budget: number): string {
  return Number.isFinite(budget) ? `The budget of ${counted(budget, 'token')}` : 'The budget'
}

/** Twice a few tokens is again no answer. */
const LEAST_BUDGET = 64
/** More is refused by the commands. */
const LARGEST_BUDGET = 1_000_000

type Kind = Omit<Finding, 'because'>

function noAnswer({ completion, request }: Ended): Kind {
  const hidden = isBlank(completion.reasoning)
  return {
    code: 'budget.reasoning-exhausted',
    verdict: 'request-limit',
    cause: `${theBudget(request.budget)} went into ${hidden ? 'text that the server keeps back' : 'the reasoning'}; the answer did not begin.`,
    remedy: [doubled(request.budget), `Or switch thinking off: ${THINKING_OFF}.`],
    confidence: completion.finish === 'length' && !hidden ? 'certain' : 'likely',
    unless: otherwise(completion.finish, hidden),
    ...(completion.finish === 'length' ? {} : uncounted(completion)),
  }
}

function doubled(budget: number): string {
  const twice = Number.isFinite(budget) ? Math.min(Math.max(2 * budget, LEAST_BUDGET), LARGEST_BUDGET) : DEFAULT_BUDGET
  return `Repeat with a budget of ${counted(twice, 'token')}: ${withBudget(twice)}.`
}

function otherwise(finish: string | null, hidden: boolean): string {
  if (hidden) return `the parser lost the text: ${UNPARSED}.`
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
    cause: `${theBudget(request.budget)} ended ${cut} before its end.`,
    remedy: [doubled(request.budget), 'Or ask for less text.'],
    ...(wholeFlood(completion.content ?? '') === null ? CUT : SIGNS_ALONE),
  }
}

const CUT = {
  confidence: 'certain',
  unless:
    'the model cannot end: double the budget; if that is spent as well, look at the end tokens of its chat template.',
} as const

/** "!!!!!": too few to tell. */
const SIGNS_ALONE = {
  confidence: 'likely',
  unless:
    'the model computes NaN, which engines write as token 0: double the budget; if more of the same sign comes and no word, it does.',
} as const

/** The server said "length" although the budget was not spent: its own limit was reached. */
function serverLimit({ engine }: Evidence, { completion, request }: Ended): Kind | null {
  const { prompt, completion: used } = completion.tokens
  const isSpent = used === null || used >= 0.95 * request.budget || !Number.isFinite(request.budget)
  if (completion.finish !== 'length' || isSpent) return null
  const context = engine?.context ?? null
  const isFull = context !== null && prompt !== null && prompt + used >= 0.95 * context
  return {
    code: isFull ? 'context.exceeded' : 'budget.too-small',
    verdict: 'request-limit',
    cause: isFull
      ? `Prompt (${counted(prompt, 'token')}) and answer (${count(used)}) fill the context of ${counted(context, 'token')}.`
      : `The server ended the answer at ${counted(used, 'token')} by a limit of its own, below the budget of ${count(request.budget)}.`,
    remedy: [`Shorten the prompt, or ${LARGER_CONTEXT}.`],
    confidence: isFull ? 'certain' : 'likely',
    ...(context === null ? { missing: ['the context length of the server'] } : {}),
  }
}
