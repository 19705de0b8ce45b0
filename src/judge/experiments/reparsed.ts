import type { Code } from '../../domain/code.ts'
import type { Parsed } from '../../domain/engine.ts'
import type { Conclusion, Puzzle, TrialRun } from '../../domain/experiment.ts'
import { sentence } from '../../domain/failure.ts'
import type { Finding } from '../../domain/finding.ts'
import type { Parsers } from '../../domain/knowledge.ts'
import { counted } from '../../domain/report.ts'
import { isFitting } from '../../knowledge/index.ts'
import { isBlank } from '../answer.ts'
import { inWords, sourceOf } from '../known.ts'
import type { Served } from '../served.ts'
import type { Filed } from './filed.ts'
import { MARK } from './filed.ts'
import { found } from './requests.ts'

/** Who serves, and the parsers that fit its model. */
export interface Fitting {
  readonly served: Served
  readonly parsers: Parsers
}

interface Reparsed extends Fitting {
  readonly puzzle: Puzzle
  readonly runs: readonly TrialRun[]
  readonly filed: Filed
  readonly ofParser: readonly Code[]
}

interface Came {
  readonly parser: string
  /** as it was sent, maybe with a mark before it */
  readonly text: string
  readonly parsed: Parsed
}

/** What it means how the parsers of a model took its text apart. */
export function concludeParsed(about: Reparsed): Conclusion {
  const came = about.runs.flatMap(({ asked, parsed }) =>
    asked.how === 'parse' && parsed !== undefined ? { parser: asked.parser, text: asked.text, parsed } : [],
  )
  const [first] = came
  if (first === undefined) return { said: nothingCame(about.runs), confirms: [], rulesOut: [] }
  const apart = came.find(({ parsed }) => comesApart(parsed))
  if (apart !== undefined) return ofApart(about, apart)
  return about.filed.channel === 'content' ? ofContent(about, first) : ofReasoning(about, first)
}

function nothingCame(runs: readonly TrialRun[]): string {
  const failure = runs.find(({ smoke }) => smoke.failure !== null)?.smoke.failure ?? null
  return failure === null ? 'nothing was asked' : `no parser was asked: ${sentence(failure)}`
}

function comesApart({ reasoning, content }: Parsed): boolean {
  return !isBlank(reasoning) && !isBlank(content) && !MARK.test(content)
}

function ofApart(about: Reparsed, came: Came): Conclusion {
  const { puzzle, served, ofParser } = about
  const set = served.parsers.reasoning
  const parts = `${counted(came.parsed.reasoning.trim().length, 'character')} of reasoning and ${came.parsed.content.trim().length} of answer`
  const named = found(puzzle, ofParser)
  if (isSet(about)) {
    const why = came.text === about.filed.text ? PAST_PARSER : OPENED_BEFORE
    const said = `${came.parser} takes the text apart, ${parts}, and ${set} is set: ${why}`
    return { said, confirms: named, rulesOut: ['model.eos-in-reasoning'] }
  }
  const code = set === null && about.filed.channel === 'content' ? 'parser.reasoning-missing' : 'parser.reasoning-wrong'
  return {
    said: `${came.parser} takes the same text apart, ${parts}: start SGLang with --reasoning-parser ${came.parser} (${nowSet(about)})`,
    confirms: named.length > 0 ? named : [code],
    rulesOut: ['model.eos-in-reasoning'],
    finding: findingOf(about, named[0] ?? code, came, parts),
  }
}

const PAST_PARSER = 'the parser fits, and this answer went past it'
const OPENED_BEFORE =
  'the template opens the thinking in the prompt, and the parser was not told so; upgrade SGLang, or take the template of the model'

/** Whether the server runs with a parser of the model already. */
function isSet({ served: { parsers: set }, parsers }: Reparsed): boolean {
  return set.reasoning !== null && isFitting(set.reasoning, parsers)
}

function nowSet({ served }: Reparsed): string {
  const set = served.parsers.reasoning
  return set === null ? 'the server names none' : `now ${set}`
}

function findingOf(about: Reparsed, code: Code, { parser }: Came, parts: string): Finding {
  const { served, parsers } = about
  return {
    code,
    verdict: 'misconfigured',
    cause: `The server does not take thinking and answer apart (${nowSet(about)}); its parser ${parser} does, with the same text.`,
    because: [`/separate_reasoning with ${parser}: ${parts}`, inWords(served), sourceOf(parsers)],
    remedy: [`Start SGLang with --reasoning-parser ${parser}.`],
    confidence: 'certain',
  }
}

/** All of it came as content, and the parser leaves it in one piece. */
function ofContent({ puzzle, filed, served, ofParser }: Reparsed, { parser, parsed }: Came): Conclusion {
  if (!filed.marked && isBlank(parsed.reasoning)) {
    return { said: `${parser} finds no thinking in the text: no parser is at fault`, confirms: [], rulesOut: ofParser }
  }
  if (isBlank(parsed.content)) {
    const named = found(puzzle, ofParser)
    const said = `all of the text is thinking to ${parser}, and came as content: start SGLang with --reasoning-parser ${parser}; no answer stands behind it`
    return { said, confirms: named, rulesOut: [] }
  }
  const family = served.family?.title ?? 'this model'
  const said = `${parser} does not take the text apart: the marks in it are not those of ${family}, or damaged`
  return { said, confirms: [], rulesOut: [] }
}

/** All of it came as reasoning, and the parser leaves it in one piece. */
function ofReasoning(about: Reparsed, { parser, parsed }: Came): Conclusion {
  const { puzzle, filed, served } = about
  const isAllAnswer = isBlank(parsed.reasoning)
  if (filed.marked) {
    if (isAllAnswer)
      return { said: `${parser} does not read the marks in the text: it is not settled`, confirms: [], rulesOut: [] }
    const said = `nothing stands behind the thinking, by ${parser} too: no parser swallowed an answer`
    return { said, confirms: [], rulesOut: about.ofParser }
  }
  if (found(puzzle, ['parser.reasoning-unclosed']).length > 0) {
    const said = `no mark of an end stands in the text, so ${parser} finds none either: no other parser helps, the mark was lost before it or never written`
    return { said, confirms: [], rulesOut: ['parser.reasoning-missing', 'parser.reasoning-wrong'] }
  }
  const set = served.parsers.reasoning
  if (isAllAnswer && set !== null && !isSet(about) && readsAsAnswer(puzzle)) {
    const said = `${parser} files the same text as the answer, and ${set} filed it as reasoning: start SGLang with --reasoning-parser ${parser}`
    return { said, confirms: ['parser.reasoning-wrong'], rulesOut: [] }
  }
  const how = isAllAnswer ? 'the answer' : 'thinking'
  return {
    said: `${parser} files text without marks as ${how}, whatever it is: it is not settled`,
    confirms: [],
    rulesOut: [],
  }
}

/** By the answer alone: thinking was off, or the text speaks to somebody. */
function readsAsAnswer({ alone }: Puzzle): boolean {
  return alone.findings.some(({ code }) => code === 'parser.reasoning-wrong')
}
