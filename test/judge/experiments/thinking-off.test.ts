import { thinkingOff } from '../../../src/judge/experiments/thinking-off.ts'
import { completionOf } from '../samples.ts'
import { experimentTable, puzzleOf, SILENT, SPENT, silent, sound, stalled, THOUGHT, times } from './table.ts'

const puzzle = puzzleOf(THOUGHT)
const misfiled = {
  smoke: { completion: completionOf({ content: null, reasoning: 'Hello! How can I help you today?' }) },
}

experimentTable(thinkingOff, {
  given: { 'an end in the thinking': [puzzle, 3], 'an empty answer': [puzzleOf(SILENT), 3] },
  withheld: { 'thinking was off already': puzzleOf(THOUGHT, { thinking: false }) },
  concludes: {
    'it answers': {
      puzzle,
      runs: times(3, sound),
      said: /^3 of 3 answered without thinking \(error rate 0 %, 95 % interval 0 to 56 %\): the computation works/,
      confirms: ['model.eos-in-reasoning'],
      rulesOut: ['model.weights-misloaded'],
    },
    'of a spent budget': {
      puzzle: puzzleOf(SPENT),
      runs: times(3, sound),
      said: /the fault lies in the thinking$/,
      confirms: ['budget.reasoning-exhausted'],
      rulesOut: ['model.nan-logits'],
    },
    'all comes as reasoning': {
      puzzle,
      runs: times(3, misfiled),
      said: /^3 of 3 came as reasoning although thinking was off/,
      confirms: ['parser.reasoning-wrong'],
    },
    'it fails as well': {
      puzzle,
      runs: times(3, silent),
      said: /^3 of 3 fail without thinking as well .*3 × model.immediate-eos: thinking is not the cause$/,
      confirms: ['model.immediate-eos'],
      rulesOut: ['model.eos-in-reasoning'],
    },
    'now and then': { puzzle, runs: [sound, silent, sound], said: /^1 of 3 fail without thinking .*by chance$/ },
    'nothing came': { puzzle, runs: times(3, stalled), said: /^all 3 requests failed/ },
  },
})
