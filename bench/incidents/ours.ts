import { reacher } from '../../src/app/reach.ts'
import type { Code } from '../../src/domain/code.ts'
import type { Verdict } from '../../src/domain/verdict.ts'
import { gatherSmoke } from '../../src/gather.ts'
import { diagnose } from '../../src/judge/diagnose.ts'
import { rules } from '../../src/judge/rules/index.ts'
import { log, never, pool } from '../far/ours.ts'
import { LIMIT_MS, PROMPT } from './predicates.ts'

/** What the product says of the server at `url`, by a smoke that may cost so many tokens. */
export async function ours(url: string, budget: number): Promise<{ readonly verdict: Verdict; readonly code: Code }> {
  const { reach, close } = reacher(pool([]), log)
  const target = { ...TARGET, name: url, url, budget }
  const request = { prompt: PROMPT, budget, temperature: null, thinking: null, stream: true, model: null }
  const evidence = await gatherSmoke({ target, request, signal: never, reach, onPiece() {} })
  await close()
  return diagnose(evidence, rules)
}

const TARGET = {
  engine: null,
  host: null,
  model: null,
  apiKey: null,
  patienceMs: LIMIT_MS,
  ca: null,
  proxy: null,
  protected: false,
  unit: null,
}
