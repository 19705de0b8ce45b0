import { samePrompt } from '../../../src/judge/experiments/same-prompt.ts'
import { failureOf } from '../samples.ts'
import { experimentTable, failedPuzzle, puzzleOf, SILENT, silent, sound, stalled, thought, times } from './table.ts'

const puzzle = puzzleOf(SILENT)

experimentTable(samePrompt, {
  given: {
    'an empty answer': [puzzle, 5],
    'a stream that stalled': [failedPuzzle(failureOf('stalled')), 5],
  },
  withheld: {
    'a server that is not there': failedPuzzle(failureOf('refused')),
    'a request that was refused': failedPuzzle(failureOf('http-status')),
  },
  concludes: {
    'all fail alike': {
      puzzle,
      runs: times(5, silent),
      said: /^5 of 5 repeats fail \(error rate 100 %, 95 % interval 57 to 100 %\): it is no chance$/,
      confirms: ['model.immediate-eos'],
    },
    'none fails': {
      puzzle,
      runs: times(5, sound),
      said: /^0 of 5 repeats fail \(error rate 0 %, 95 % interval 0 to 43 %\): it came by chance/,
      rulesOut: ['template.missing'],
      keeps: ['model.immediate-eos'],
    },
    'some fail': {
      puzzle,
      runs: [sound, silent, sound, silent, sound],
      said: /^2 of 5 repeats fail \(error rate 40 %, 95 % interval 12 to 77 %\), 2 × model.immediate-eos: it comes by chance$/,
      confirms: ['model.immediate-eos'],
      rulesOut: ['template.missing'],
    },
    'in several ways': {
      puzzle,
      runs: [silent, thought, silent, thought, stalled],
      said: /more than one way: 2 × model.immediate-eos, 2 × model.eos-in-reasoning, 1 × stream.stalled$/,
    },
    'no request gets through': {
      puzzle,
      runs: times(3, stalled),
      said: /^all 3 requests failed: target qwen: observed stalled/,
      confirms: ['stream.stalled'],
    },
  },
})
