import { expect, test } from 'vitest'
import { advisedSampling } from '../../../src/judge/experiments/advised.ts'
import { cardSampling } from '../../../src/judge/experiments/card-sampling.ts'
import { engineOf } from '../samples.ts'
import { experimentTable, LOOPING, looping, puzzleOf, sound, stalled, times } from './table.ts'

const sampling = { temperature: 0.6, topP: 0.95, topK: 20, minP: 0, presencePenalty: null }
const puzzle = puzzleOf(LOOPING, { temperature: 0 }, { sampling })
const unknown = puzzleOf(LOOPING, { temperature: 0 })

experimentTable(cardSampling, {
  given: { 'the card is known': [puzzle, 8], 'a temperature was given': [unknown, 8] },
  withheld: { 'nobody knows another sampling': puzzleOf(LOOPING, { temperature: null }) },
  concludes: {
    'it is cured': {
      puzzle,
      runs: times(8, sound),
      said: /^0 of 8 fail with the card’s sampling \(temperature 0.6, top_p 0.95, top_k 20, min_p 0\) .* 95 % interval 0 to 32 %\): it speaks for the sampling as the cause$/,
      confirms: ['sampling.greedy-loop'],
      rulesOut: ['model.degenerate-loop'],
    },
    'it loops all the same': {
      puzzle,
      runs: times(8, looping),
      said: /^8 of 8 fail with the card’s sampling .* as well \(error rate 100 %, 95 % interval 68 to 100 %\)/,
      confirms: ['model.degenerate-loop'],
      rulesOut: ['sampling.greedy-loop'],
    },
    'now and then': { puzzle, runs: [sound, looping, sound], said: /^1 of 3 fail .*not the sampling alone$/ },
    'with the model’s own': {
      puzzle: unknown,
      runs: times(8, sound),
      said: /^0 of 8 fail with the model’s own sampling/,
      confirms: ['sampling.greedy-loop'],
      rulesOut: ['model.gibberish'],
    },
    'nothing came': { puzzle, runs: times(8, stalled), said: /^all 8 requests failed/ },
  },
})

test('a server of the common dialect gets only the fields of that dialect', () => {
  const common = { ...puzzle, evidence: { ...puzzle.evidence, engine: engineOf({ kind: 'openai' }) } }
  const request = cardSampling.trial(common)?.requests[0]?.request
  expect(request).toMatchObject({
    temperature: null,
    sampling: { temperature: 0.6, topP: 0.95, topK: null, minP: null },
  })
})

test('what the card advises comes from the knowledge, by the model and by whether it thinks', () => {
  const { evidence } = puzzleOf(LOOPING)
  const { evidence: quick } = puzzleOf(LOOPING, { thinking: false })
  expect(advisedSampling(evidence)).toMatchObject({ temperature: 1, topP: 0.95, topK: 20 })
  expect(advisedSampling(quick)).toMatchObject({ temperature: 0.7, topP: 0.8 })
  expect(advisedSampling({ ...evidence, engine: engineOf({ loaded: 'acme/unheard-of' }) })).toBeNull()
})
