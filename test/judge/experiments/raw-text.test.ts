import { rawText } from '../../../src/judge/experiments/raw-text.ts'
import { engineOf, tokens } from '../samples.ts'
import type { Came } from './table.ts'
import { experimentTable, LOOPING, puzzleOf, SILENT, saying, stalled, THOUGHT, times, words } from './table.ts'

const puzzle = puzzleOf(SILENT)
const inThought = puzzleOf(THOUGHT)
const bare = (came: Came): Came => ({ ...came, templated: false })
const templated = (came: Came): Came => ({ ...came, templated: true })
const text = saying(words(40), { tokens: tokens(60) })
const empty = saying('', { tokens: tokens(2) })
const closed = saying(`<think>The user wants a greeting.\n</think>\n\nHello there, how are you?`)
const open = saying('<think>The user wants a greeting, so I should', { tokens: tokens(12) })
const jumble = saying('ладно 数学 שלום мира ไทย नमस्ते abc ελλ საქ հայ ገጽ 텍스트 ладно 数学', { tokens: tokens(60) })
const unknown = puzzleOf(SILENT)

experimentTable(rawText, {
  given: { 'an empty answer of SGLang': [puzzle, 3], 'of llama.cpp': [withEngine('llama-cpp'), 3] },
  withheld: {
    'a server of another kind': withEngine('openai'),
    'an engine that nobody knows': { ...unknown, evidence: { target: unknown.evidence.target } },
  },
  concludes: {
    'text with the bare prompt': {
      puzzle,
      runs: times(3, bare(text)),
      said: /^3 of 3 raw answers are text, with the bare prompt$/,
      confirms: ['template.wrong'],
      rulesOut: ['model.immediate-eos', 'model.tp-comm-suspect'],
    },
    'text with the template': {
      puzzle,
      runs: times(3, templated(text)),
      said: /with the server’s own template$/,
      confirms: ['parser.harmony-lost'],
      rulesOut: ['model.immediate-eos'],
    },
    'nothing with the bare prompt': {
      puzzle,
      runs: times(3, bare(empty)),
      said: /^3 of 3 raw answers are empty, with the bare prompt: the model itself ends at once$/,
      confirms: ['model.immediate-eos'],
      rulesOut: ['parser.harmony-lost', 'template.wrong'],
    },
    'nothing with the template': {
      puzzle,
      runs: times(3, templated(empty)),
      said: /the model itself ends at once$/,
      confirms: ['model.immediate-eos'],
      rulesOut: ['parser.harmony-lost'],
      keeps: ['template.wrong'],
    },
    'an answer stands behind the thinking': {
      puzzle: inThought,
      runs: times(3, templated(closed)),
      said: /in 3 an answer follows the end of the thinking$/,
      confirms: ['parser.reasoning-wrong'],
      rulesOut: ['model.eos-in-reasoning'],
    },
    'the thinking ends nowhere': {
      puzzle: inThought,
      runs: times(3, bare(open)),
      said: /^3 of 3 raw answers are text/,
      confirms: ['model.eos-in-reasoning'],
      rulesOut: ['parser.reasoning-wrong'],
    },
    'no language': {
      puzzle,
      runs: times(3, bare(jumble)),
      said: /^3 of 3 raw answers are no language/,
      confirms: ['model.gibberish'],
      rulesOut: ['parser.reasoning-wrong'],
      keeps: ['template.wrong'],
    },
    'loops with the template': {
      puzzle,
      runs: times(3, templated(saying(LOOPING.content, LOOPING))),
      said: /^3 of 3 raw answers are loops/,
      confirms: ['model.degenerate-loop'],
      rulesOut: ['parser.harmony-lost'],
    },
    'loops with the bare prompt tell nothing': {
      puzzle,
      runs: times(3, bare(saying(LOOPING.content, LOOPING))),
      said: /3 of 3 go in circles: it is not settled$/,
    },
    'the route is refused': { puzzle, runs: times(3, stalled), said: /^past the template all 3 requests failed/ },
  },
})

function withEngine(kind: 'llama-cpp' | 'openai') {
  return { ...puzzle, evidence: { ...puzzle.evidence, engine: engineOf({ kind }) } }
}
