import { expect, test } from 'vitest'
import { knownAnswers } from '../../../src/judge/experiments/known-answers.ts'
import { failureOf } from '../samples.ts'
import {
  experimentTable,
  failedPuzzle,
  LOOPING,
  looping,
  puzzleOf,
  runsFor,
  SILENT,
  saying,
  silent,
  stalled,
  times,
} from './table.ts'

const puzzle = puzzleOf(LOOPING)
const right = [saying('391'), saying('巴黎。'), saying('Paris.'), saying('باريس')]

experimentTable(knownAnswers, {
  given: { 'a loop': [puzzle, 4], 'an empty answer': [puzzleOf(SILENT), 4] },
  withheld: { 'a server that is not there': failedPuzzle(failureOf('dns')) },
  concludes: {
    'all are right': {
      puzzle,
      runs: right,
      said: /^4 of 4 known answers are right/,
      rulesOut: ['model.gibberish', 'model.weights-misloaded'],
      keeps: ['model.degenerate-loop', 'model.immediate-eos'],
    },
    'all are empty': {
      puzzle,
      runs: times(4, silent),
      said: /^4 of 4 known questions got no answer, 4 × model.immediate-eos: it does not depend on the prompt$/,
      confirms: ['model.immediate-eos'],
    },
    'all are wrong': {
      puzzle,
      runs: [saying('403'), looping, looping, looping],
      said: /^4 of 4 known answers are wrong or missing, 3 × model.degenerate-loop, 1 × a wrong answer/,
      confirms: ['model.degenerate-loop'],
    },
    'one is wrong': {
      puzzle,
      runs: [saying('The product is 401.'), ...right.slice(1)],
      said: /^1 of 4 known answers are wrong or missing \(error rate 25 %, .*\), 1 × a wrong answer: “What is 17/,
    },
    'nothing came': { puzzle, runs: times(4, stalled), said: /^all 4 requests failed/ },
  },
})

test.each([
  [0, '٣٩١'],
  [0, '３９１'],
  [0, '17 × 23 = **391**.'],
  [0, '三百九十一'],
  [1, '法国的首都是巴黎。'],
  [1, 'Paris'],
  [2, 'Die Hauptstadt Frankreichs heißt Paris.'],
  [3, 'عاصمة فرنسا هي باريس.'],
])('question %i takes “%s” as right', (at, content) => {
  const asked = knownAnswers.trial(puzzle)?.requests ?? []
  const runs = right.map((came, place) => (place === at ? saying(content) : came))
  expect(asked).toHaveLength(4)
  expect(runs).toHaveLength(4)
  expect(saidOf(runs)).toMatch(/^4 of 4 known answers are right/)
})

test.each([
  [0, '1391'],
  [0, '39.1'],
  [1, '里昂'],
  [3, 'ليون'],
])('question %i takes “%s” as wrong', (at, content) => {
  const runs = right.map((came, place) => (place === at ? saying(content) : came))
  expect(saidOf(runs)).toMatch(/^1 of 4 known answers are wrong/)
})

function saidOf(runs: Parameters<typeof runsFor>[2]): string {
  return knownAnswers.conclude(puzzle, runsFor(knownAnswers, puzzle, runs)).said
}
