import type { Code } from '../../domain/code.ts'
import type { Conclusion, Experiment, Puzzle } from '../../domain/experiment.ts'
import { parserOf } from '../../knowledge/index.ts'
import { ABOUT_MARKS } from '../outside-code.ts'
import { servedOf } from '../served.ts'
import type { Filed } from './filed.ts'
import { filedIn } from './filed.ts'
import type { Fitting } from './reparsed.ts'
import { concludeParsed } from './reparsed.ts'
import { again, answeredSmoke, isAbout } from './requests.ts'

/** What another parser can be the answer to. */
const OF_PARSER: readonly Code[] = [
  'parser.reasoning-missing',
  'parser.reasoning-wrong',
  'parser.reasoning-unclosed',
  'parser.harmony-missing',
]

/** Names of the same parser in different versions; an unknown one is refused, which costs nothing. */
const NAMES = 3

/** Whether the text that came comes apart with the parser of its model. */
export const otherParser: Experiment = {
  name: 'other-parser',
  title: 'The model’s own parser',
  cost: 'free',
  when: 'of SGLang whose text stands in one channel alone, and that a parser of the model may take apart',
  separates: [...OF_PARSER, 'model.eos-in-reasoning'],
  trial(puzzle) {
    const smoke = answeredSmoke(puzzle)
    const filed = filedIn(smoke?.completion ?? null)
    const fitting = fittingFor(puzzle)
    if (smoke === null || filed === null || fitting === null) return null
    if (ABOUT_MARKS.test(smoke.request.prompt) || !mayTell(puzzle, filed)) return null
    const { request } = again(smoke.request, { budget: 0 })
    const text = opened(filed.text)
    const requests = fitting.parsers.names
      .slice(0, NAMES)
      .map((parser) => ({ how: 'parse' as const, text, parser, request }))
    return { requests, parallel: 1 }
  },
  conclude(puzzle, runs): Conclusion {
    const filed = filedIn(puzzle.evidence.smoke?.completion ?? null)
    const fitting = fittingFor(puzzle)
    if (filed === null || fitting === null) return { said: 'nothing was asked', confirms: [], rulesOut: [] }
    return concludeParsed({ puzzle, runs, filed, ...fitting, ofParser: OF_PARSER })
  },
}

/** Of a text whose marks a parser took out, no other parser can make anything, unless it is no thought in the first place. */
function mayTell(puzzle: Puzzle, { channel, marked }: Filed): boolean {
  if (marked || isAbout(puzzle, OF_PARSER)) return true
  return channel === 'reasoning' && puzzle.evidence.smoke?.request.thinking === false
}

/** The template of many models opens the thinking at the end of the prompt, so that only its end stands in the answer. */
function opened(text: string): string {
  return /<\/think>/i.test(text) && !/<think>/i.test(text) ? `<think>\n${text}` : text
}

/** Null where the server has no such route, or nobody knows the parser of the model. */
function fittingFor({ evidence }: Puzzle): Fitting | null {
  const served = servedOf(evidence)
  if (served === null || served.engine !== 'sglang') return null
  const parsers = parserOf(served.engine, served.family, 'reasoning')
  return parsers === null ? null : { served, parsers }
}
