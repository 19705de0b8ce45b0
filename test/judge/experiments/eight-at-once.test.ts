import { eightAtOnce } from '../../../src/judge/experiments/eight-at-once.ts'
import { failureOf } from '../samples.ts'
import { experimentTable, failedPuzzle, puzzleOf, SILENT, saying, silent, times } from './table.ts'

const puzzle = puzzleOf(SILENT)
const right = Array.from({ length: 8 }, (_, at) => saying(`${77 + at}`))
const full = {
  smoke: {
    completion: null,
    failure: failureOf('http-status', {
      status: 503,
      body: '{"message":"The request queue is full."}',
      complaint: { kind: 'overloaded', message: 'The request queue is full.' },
    }),
  },
} as const

experimentTable(eightAtOnce, {
  given: { 'any answer': [puzzle, 8] },
  withheld: { 'a server that is not there': failedPuzzle(failureOf('refused')) },
  concludes: {
    'all are right': {
      puzzle,
      runs: right,
      said: /^8 of 8 are right at once \(error rate 0 %, 95 % interval 0 to 32 %\): a load of 8 is no cause$/,
      rulesOut: ['load.queue-full', 'load.mamba-slots'],
    },
    'the queue is full': {
      puzzle,
      runs: [...right.slice(0, 3), ...times(5, full)],
      said: /^5 of 8 fail at once .*5 × load.queue-full: 5 of them without a whole answer$/,
      confirms: ['load.queue-full'],
    },
    'some are wrong': {
      puzzle,
      runs: [...right.slice(0, 6), saying('12'), saying('13')],
      said: /^2 of 8 are wrong at once and 6 right .*: batching or the prefix cache spoils some$/,
      confirms: ['model.kernel-bug'],
      rulesOut: ['load.queue-full'],
    },
    'none is right': {
      puzzle,
      runs: times(8, silent),
      said: /^8 of 8 are wrong at once .*whether one alone is right, known-answers tells$/,
      rulesOut: ['load.queue-full'],
    },
  },
})
