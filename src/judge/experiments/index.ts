import type { Experiment } from '../../domain/experiment.ts'
import { cardSampling } from './card-sampling.ts'
import { doubleBudget } from './double-budget.ts'
import { eightAtOnce } from './eight-at-once.ts'
import { knownAnswers } from './known-answers.ts'
import { longPrompt } from './long-prompt.ts'
import { notStreamed } from './not-streamed.ts'
import { otherParser } from './other-parser.ts'
import { otherTarget } from './other-target.ts'
import { promptTokens } from './prompt-tokens.ts'
import { rawText } from './raw-text.ts'
import { samePrompt } from './same-prompt.ts'
import { thinkingOff } from './thinking-off.ts'

/** All experiments. Of those that cost alike, the earlier one is run first. */
export const experiments: readonly Experiment[] = [
  otherParser,
  promptTokens,
  rawText,
  thinkingOff,
  doubleBudget,
  cardSampling,
  notStreamed,
  knownAnswers,
  samePrompt,
  otherTarget,
  eightAtOnce,
  longPrompt,
]
