import { otherTarget } from '../../../src/judge/experiments/other-target.ts'
import { experimentTable, puzzleOf, SILENT, silent, sound, stalled, thought, times } from './table.ts'

const puzzle = puzzleOf(SILENT, {}, { other: 'llama' })

experimentTable(otherTarget, {
  given: { 'there is one': [puzzle, 3] },
  withheld: { 'there is none': puzzleOf(SILENT) },
  concludes: {
    'it is fine there': {
      puzzle,
      runs: times(3, sound),
      said: /^3 of 3 are good on llama: the prompt is not the cause/,
      rulesOut: ['request.stop-in-reasoning'],
    },
    'it fails there in the same way': {
      puzzle,
      runs: times(3, silent),
      said: /^3 of 3 fail on llama in the same way .*: it is not this server alone$/,
    },
    'it fails otherwise': { puzzle, runs: [sound, thought, thought], said: /^2 of 3 fail on llama .*not settled$/ },
    'it does not answer': {
      puzzle,
      runs: times(3, stalled),
      said: /^on llama all 3 requests failed: .*; it tells nothing$/,
    },
  },
})
