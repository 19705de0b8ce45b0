import { expect, test } from 'vitest'
import type { Experiment, Puzzle } from '../../../src/domain/experiment.ts'
import { cardSampling } from '../../../src/judge/experiments/card-sampling.ts'
import { concludedFrom } from '../../../src/judge/experiments/concluded.ts'
import { experiments } from '../../../src/judge/experiments/index.ts'
import { samePrompt } from '../../../src/judge/experiments/same-prompt.ts'
import type { Came } from './table.ts'
import { LOOPING, looping, puzzleOf, runsFor, SILENT, silent, sound, times } from './table.ts'

const puzzle = puzzleOf(LOOPING, { temperature: 0 })

function concluded(experiment: Experiment, given: Puzzle, came: readonly Came[]) {
  const trial = experiment.trial(given)
  if (trial === null) throw new Error(`${experiment.name} does not apply`)
  return concludedFrom({ experiment, trial }, given, runsFor(experiment, given, came))
}

test.each([
  [2, sound, /^not settled: 2 of 8 came\. If the rest were alike: 0 of 2 fail /],
  [7, looping, /^not settled: 7 of 8 came\. If the rest were alike: 7 of 7 fail /],
])('a trial of which only %i came settles nothing', (many, one, said) => {
  expect(concluded(cardSampling, puzzle, times(many, one))).toEqual({
    said: expect.stringMatching(said),
    confirms: [],
    rulesOut: [],
  })
})

test('a whole one is concluded as it is', () => {
  const whole = concluded(cardSampling, puzzle, times(8, sound))
  expect(whole.said).toMatch(/^0 of 8 fail /)
  expect(whole.rulesOut).toContain('model.degenerate-loop')
})

test('one good repeat decides that it does not come each time; repeats that all fail decide nothing yet', () => {
  const empty = puzzleOf(SILENT)
  const good = concluded(samePrompt, empty, [silent, sound])
  expect(good.said).toMatch(/^1 of 2 repeats fail .* \(ended after 2 of 5, which decide\)$/)
  expect(good.rulesOut).toContain('template.missing')
  const bad = concluded(samePrompt, empty, [silent, silent])
  expect([bad.confirms, bad.rulesOut]).toEqual([[], []])
})

test('of all experiments these alone may decide early', () => {
  expect(experiments.filter(({ decidesEarly }) => decidesEarly !== undefined).map(({ name }) => name)).toEqual([
    'prompt-tokens',
    'same-prompt',
  ])
})
