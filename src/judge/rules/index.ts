import type { Rule } from '../../domain/finding.ts'
import { aborted } from './aborted.ts'
import { accounting } from './accounting.ts'
import { brokenCharacters } from './broken-characters.ts'
import { budget } from './budget.ts'
import { contentFilter } from './content-filter.ts'
import { crashed } from './crashed.ts'
import { endInReasoning } from './end-in-reasoning.ts'
import { failed } from './failed.ts'
import { gibberish } from './gibberish.ts'
import { healthy } from './healthy.ts'
import { immediateEnd } from './immediate-end.ts'
import { mangledStream } from './mangled-stream.ts'
import { nan } from './nan.ts'
import { reasoningInContent } from './reasoning-in-content.ts'
import { refused } from './refused.ts'
import { repeating } from './repeating.ts'
import { stranger } from './stranger.ts'
import { wrongTemplate } from './wrong-template.ts'

/** All rules. Among findings of the same weight the earlier rule leads. */
export const rules: readonly Rule[] = [
  nan,
  aborted,
  contentFilter,
  crashed,
  refused,
  stranger,
  failed,
  repeating,
  gibberish,
  immediateEnd,
  endInReasoning,
  reasoningInContent,
  wrongTemplate,
  brokenCharacters,
  budget,
  accounting,
  mangledStream,
  healthy,
]
