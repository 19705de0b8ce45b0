import { expect, test } from 'vitest'
import type { Diagnosis } from '../../../src/domain/finding.ts'
import { choose } from '../../../src/judge/experiments/choose.ts'
import { experiments } from '../../../src/judge/experiments/index.ts'
import { leftOf } from '../../../src/judge/experiments/left.ts'
import { samePrompt } from '../../../src/judge/experiments/same-prompt.ts'
import { silent as empty, puzzleOf, runsFor, SILENT, SPENT, thought } from './table.ts'

const spent = puzzleOf(SPENT)
const { diagnosis } = spent
const suspect = { ...spent.diagnosis.findings[0], code: 'model.tp-comm-suspect', verdict: 'broken' } as const
const suspected: Diagnosis = { verdict: 'broken', code: 'model.tp-comm-suspect', findings: [suspect] }
const silent = { ...puzzleOf(SILENT), diagnosis: suspected }
const nothing = { said: 'x', confirms: [], rulesOut: [] } as const
const ended = runsFor(samePrompt, spent, [thought])
const again = runsFor(samePrompt, silent, [empty])

test('without a conclusion all is as it was', () => {
  expect(leftOf(spent, [], [nothing])).toEqual(diagnosis)
})

test('what was ruled out is gone, and what a run showed instead leads', () => {
  const found = { ...nothing, confirms: ['model.eos-in-reasoning'], rulesOut: ['budget.reasoning-exhausted'] } as const
  const left = leftOf(spent, ended, [found])
  expect(left.code).toBe('model.eos-in-reasoning')
  expect(left.findings.map(({ code }) => code)).not.toContain('budget.reasoning-exhausted')
})

test('what a run showed and nobody confirmed is not taken up', () => {
  expect(leftOf(spent, ended, [nothing]).findings).toEqual(diagnosis.findings)
})

test('a cause that explains the symptom stays before it, however often it is seen again', () => {
  expect(silent.alone.code).toBe('model.immediate-eos')
  const left = leftOf(silent, again, [{ ...nothing, confirms: ['model.immediate-eos'] }])
  expect(left).toEqual(silent.diagnosis)
})

test('where the cause is ruled out, the symptom leads again', () => {
  const found = { ...nothing, confirms: ['model.immediate-eos'], rulesOut: ['model.tp-comm-suspect'] } as const
  expect(leftOf(silent, again, [found]).code).toBe('model.immediate-eos')
})

test('what speaks both ways stays', () => {
  const both = [
    { ...nothing, confirms: ['budget.reasoning-exhausted'] as const },
    { ...nothing, rulesOut: ['budget.reasoning-exhausted'] as const },
  ]
  expect(leftOf(spent, [], both).code).toBe('budget.reasoning-exhausted')
})

test('where nothing is left it says so, and what to do', () => {
  const left = leftOf(spent, [], [{ ...nothing, rulesOut: diagnosis.findings.map(({ code }) => code) }])
  expect(left).toMatchObject({ verdict: 'inconclusive', code: 'log.need-more' })
  expect(left.findings[0].remedy.length).toBeGreaterThan(0)
})

test('the cheapest come first, loading ones last, and only those that separate what was found', () => {
  const names = choose(puzzleOf(SILENT), experiments).map(({ experiment }) => experiment.name)
  expect(names).toEqual(['prompt-tokens', 'raw-text', 'thinking-off', 'same-prompt', 'known-answers'])
  expect(choose(puzzleOf({}), experiments)).toEqual([])
})

test('names are unique, and titles short enough for a button', () => {
  const names = experiments.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, title, separates } of experiments) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(title.length).toBeLessThan(30)
    expect(separates.length).toBeGreaterThan(0)
  }
})
