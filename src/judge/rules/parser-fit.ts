import type { Finding, Rule } from '../../domain/finding.ts'
import type { ParserKind } from '../../domain/knowledge.ts'
import { isFitting, parserOf } from '../../knowledge/index.ts'
import { titleOf } from '../engine-names.ts'
import { inWords, sourceOf } from '../known.ts'
import type { Served } from '../served.ts'
import { servedOf } from '../served.ts'

/** A parser is set that is not known to fit the model. Some answers come out well all the same, so it is a remark. */
export const parserFit: Rule = {
  codes: ['parser.reasoning-wrong', 'parser.tool-mismatch'],
  check(evidence) {
    const served = evidence.smoke === undefined ? null : servedOf(evidence)
    if (served === null) return []
    return [...unfit('reasoning', served), ...unfit('tool', served)]
  },
}

const FLAG: Readonly<Record<ParserKind, string>> = { reasoning: '--reasoning-parser', tool: '--tool-call-parser' }

function unfit(of: ParserKind, served: Served): readonly Finding[] {
  const name = served.parsers[of]
  const fitting = parserOf(served.engine, served.family, of)
  if (name === null || fitting === null || isFitting(name, fitting)) return []
  const [best] = fitting.names
  const since = fitting.since === null ? '' : ` (${titleOf(served.engine)} ${fitting.since} or newer)`
  const flag = FLAG[of]
  return [
    {
      code: of === 'reasoning' ? 'parser.reasoning-wrong' : 'parser.tool-mismatch',
      verdict: 'misconfigured',
      cause: `The ${of} parser ${name} is not one of those that are known to fit ${served.family?.title ?? 'this model'}.`,
      because: [
        `${inWords(served)}, started with ${flag} ${name}`,
        `known to fit: ${fitting.names.join(', ')}`,
        sourceOf(fitting),
      ],
      remedy: [`Start the server with ${flag} ${best}${since}.`],
      confidence: 'possible',
      unless: 'its answers and tool calls come out well: then it reads the same marks under another name.',
    },
  ]
}
