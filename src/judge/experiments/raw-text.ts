import type { Code } from '../../domain/code.ts'
import type { Conclusion, Experiment, Puzzle, TrialRun } from '../../domain/experiment.ts'
import type { Smoke } from '../../domain/smoke.ts'
import { isBlank, isSilent } from '../answer.ts'
import { findLoop } from '../loops.ts'
import { judgedText, nonsenseIn } from '../nonsense.ts'
import { onlyFailures } from './counts.ts'
import { COMPUTATION, PARSER, TEMPLATE } from './families.ts'
import { again, answeredSmoke, budgetOf, found, repeated, without } from './requests.ts'

const TIMES = 3
/** Enough to see whether it is text; where a thought must end first, more. */
const SOME = 512
const WHOLE_THOUGHT = 4096

/** What the model writes, before the template forms the question and a parser takes the answer apart. */
export const rawText: Experiment = {
  name: 'raw-text',
  title: 'Past template and parser',
  cost: 'prompt',
  when: 'on SGLang, vLLM, llama.cpp and Ollama',
  separates: [...COMPUTATION, ...TEMPLATE, ...PARSER, 'model.eos-in-reasoning'],
  trial(puzzle) {
    const smoke = answeredSmoke(puzzle)
    const kind = puzzle.evidence.engine?.kind
    // the common dialect has no way past the template
    if (smoke === null || kind === undefined || kind === 'openai') return null
    const budget = Math.min(budgetOf(smoke.request), isOnlyThought(smoke) ? WHOLE_THOUGHT : SOME)
    return repeated(TIMES, { ...again(smoke.request, { budget, stream: false }), how: 'raw' })
  },
  conclude: (puzzle, runs) => concluded(puzzle, runs),
}

type Came = 'text' | 'nothing' | 'loop' | 'nonsense'

function concluded(puzzle: Puzzle, runs: readonly TrialRun[]): Conclusion {
  const why = onlyFailures(runs)
  if (why !== null) return { said: `past the template ${why}`, confirms: [], rulesOut: [] }
  const ran = runs.filter(({ smoke }) => smoke.failure === null)
  const came = ran.map(({ smoke }) => cameOf(smoke))
  const templated = ran.every((run) => run.templated === true)
  const how = templated ? 'with the server’s own template' : 'with the bare prompt'
  const all = (kind: Came): boolean => came.every((one) => one === kind)
  const many = (kind: Came): string => `${came.filter((one) => one === kind).length} of ${came.length}`
  if (all('text'))
    return { ...ofText(puzzle, ran, templated), said: `${many('text')} raw answers are text, ${how}${endsOf(ran)}` }
  if (all('nothing')) {
    const said = `${many('nothing')} raw answers are empty, ${how}: the model itself ends at once`
    return { said, confirms: ['model.immediate-eos'], rulesOut: templated ? PARSER : [...PARSER, ...TEMPLATE] }
  }
  // a chat model may well go on in circles with a text that is no chat
  if (all('nonsense') || (templated && all('loop'))) {
    const code: Code = all('loop') ? 'model.degenerate-loop' : 'model.gibberish'
    const said = `${many(all('loop') ? 'loop' : 'nonsense')} raw answers are ${all('loop') ? 'loops' : 'no language'}, ${how}: no parser is at fault`
    return { said, confirms: [code], rulesOut: PARSER }
  }
  const kinds = [...new Set(came)].map((kind) => `${many(kind)} ${NAMES[kind]}`).join(', ')
  return { said: `of the raw answers, ${how}, ${kinds}: it is not settled`, confirms: [], rulesOut: [] }
}

const NAMES: Readonly<Record<Came, string>> = {
  text: 'are text',
  nothing: 'are empty',
  loop: 'go in circles',
  nonsense: 'are no language',
}

function cameOf(smoke: Smoke): Came {
  const { completion, request } = smoke
  if (completion === null || isSilent(completion)) return 'nothing'
  if (findLoop(smoke) !== null) return 'loop'
  return nonsenseIn(judgedText(completion), request.prompt)?.isSure === true ? 'nonsense' : 'text'
}

type Meaning = Omit<Conclusion, 'said'>

/** There is text: then what became of it on the way to us was done by the template or the parser. */
function ofText(puzzle: Puzzle, runs: readonly TrialRun[], templated: boolean): Meaning {
  const original = puzzle.evidence.smoke
  if (original?.completion == null) return { confirms: [], rulesOut: COMPUTATION }
  if (isOnlyThought(original)) return ofThought(puzzle, runs, templated)
  if (!isSilent(original.completion))
    return { confirms: found(puzzle, [...PARSER, ...TEMPLATE]), rulesOut: COMPUTATION }
  const cause: Code = templated ? 'parser.harmony-lost' : 'template.wrong'
  return { confirms: [cause], rulesOut: COMPUTATION }
}

function ofThought(puzzle: Puzzle, runs: readonly TrialRun[], templated: boolean): Meaning {
  const closed = runs.filter(({ smoke }) => CLOSED.test(smoke.completion?.content ?? ''))
  const open = runs.filter((run) => endsInThought(run, templated))
  if (2 * closed.length > runs.length) {
    const named = found(puzzle, PARSER)
    return { confirms: named.length > 0 ? named : ['parser.reasoning-wrong'], rulesOut: ['model.eos-in-reasoning'] }
  }
  if (2 * open.length > runs.length) {
    return { confirms: ['model.eos-in-reasoning'], rulesOut: without(PARSER, ['parser.reasoning-missing']) }
  }
  return { confirms: [], rulesOut: without(COMPUTATION, ['model.degenerate-loop']) }
}

const CLOSED = /<\/(?:think|thought|reasoning)>\s*\S/i

/** A thought that the model ended; a template may have opened it. */
function endsInThought({ smoke: { completion } }: TrialRun, templated: boolean): boolean {
  const text = completion?.content ?? ''
  const opened = templated || /<(?:think|thought|reasoning)>/i.test(text)
  return opened && !/<\/(?:think|thought|reasoning)>/i.test(text) && completion?.finish === 'stop'
}

function endsOf(runs: readonly TrialRun[]): string {
  const closed = runs.filter(({ smoke }) => CLOSED.test(smoke.completion?.content ?? '')).length
  return closed === 0 ? '' : `; in ${closed} an answer follows the end of the thinking`
}

function isOnlyThought({ completion }: Smoke): boolean {
  return completion !== null && isBlank(completion.content) && !isBlank(completion.reasoning)
}
