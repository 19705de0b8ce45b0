import { notStreamed } from '../../../src/judge/experiments/not-streamed.ts'
import { failureOf } from '../samples.ts'
import { experimentTable, failedPuzzle, puzzleOf, SILENT, silent, sound, stalled, times } from './table.ts'

const puzzle = failedPuzzle(failureOf('ended-early'))

experimentTable(notStreamed, {
  given: { 'a stream without an end': [puzzle, 3], 'an empty answer': [puzzleOf(SILENT), 3] },
  withheld: {
    'it was not streamed': puzzleOf(SILENT, { stream: false }),
    'a server that is not there': failedPuzzle(failureOf('refused')),
  },
  concludes: {
    'whole answers are good': {
      puzzle,
      runs: times(3, sound),
      said: /^3 of 3 whole answers are good .*: only streaming fails/,
      confirms: ['stream.ended-without-finish'],
      rulesOut: ['engine.hang', 'engine.kernel-crash'],
    },
    'they fail as well': {
      puzzle,
      runs: times(3, silent),
      said: /^3 of 3 whole answers fail as well .*3 × model.immediate-eos: it is not the streaming$/,
      rulesOut: ['proxy.sse-mangled'],
    },
    'they do not come': {
      puzzle,
      runs: times(3, stalled),
      said: /^all 3 requests failed: .*; so it is not the streaming$/,
      confirms: ['stream.stalled'],
      rulesOut: ['proxy.sse-mangled'],
    },
    'now and then': { puzzle, runs: [sound, silent, sound], said: /^1 of 3 whole answers fail .*by chance$/ },
  },
})
