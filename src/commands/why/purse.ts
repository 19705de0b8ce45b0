import type { TrialRequest } from '../../domain/experiment.ts'
import type { Smoke } from '../../domain/smoke.ts'

/** Tokens that one call may spend in all, read and written, where nobody says another bound. */
export const MOST_TOKENS = 20_000

/** Counts what a call spends. A request begins only where all that it may take is still there. */
export interface Purse {
  readonly most: number
  /** False: there is not enough left. */
  reserve(tokens: number): boolean
  /** Gives back what was reserved and not used. */
  settle(reserved: number, used: number): void
  spent(): number
}

export function purseOf(most: number): Purse {
  let [spent, reserved] = [0, 0]
  return {
    most,
    reserve(tokens) {
      if (spent + reserved + tokens > most) return false
      reserved += tokens
      return true
    },
    settle(given, used) {
      reserved -= given
      spent += used
    },
    spent: () => spent,
  }
}

/** What a request may take at most: its budget, and its prompt counted high; nothing where the model is not asked. */
export function mostOf({ how, request: { budget, prompt } }: Pick<TrialRequest, 'how' | 'request'>): number {
  if (how !== 'chat' && how !== 'raw') return 0
  return budget + Math.ceil(prompt.length / 2)
}

/** What it took, read and written; about, where the server did not count. Nothing where it never got there. */
export function usedBy({ completion, exchange, request }: Smoke): number {
  if (exchange === null) return 0
  const prompt = completion?.tokens.prompt ?? Math.ceil(request.prompt.length / 3)
  if (completion === null) return prompt
  const { tokens, reasoning, content, pieces } = completion
  const written = request.stream ? pieces : Math.ceil((reasoning ?? '').length + (content ?? '').length) / 3
  return prompt + (tokens.completion ?? Math.ceil(written))
}
