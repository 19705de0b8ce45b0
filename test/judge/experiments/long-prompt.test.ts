import { expect, test } from 'vitest'
import { longPrompt } from '../../../src/judge/experiments/long-prompt.ts'
import { engineOf, failureOf, tokens } from '../samples.ts'
import { experimentTable, failedPuzzle, puzzleOf, SILENT, saying } from './table.ts'

const puzzle = puzzleOf(SILENT)
const tiny = { ...puzzle, evidence: { ...puzzle.evidence, engine: engineOf({ context: 2048 }) } }
const reading = (prompt: number) => ({ tokens: { ...tokens(12), prompt } })

experimentTable(longPrompt, {
  given: { 'a context with room': [puzzle, 1] },
  withheld: { 'a small context': tiny, 'a server that is not there': failedPuzzle(failureOf('refused')) },
  concludes: {
    'it finds the word': {
      puzzle,
      runs: [saying('AMBER‑4817', reading(8012))],
      said: /^1 of 1 found the word in a prompt of 8,012 tokens: its length is no cause$/,
      rulesOut: ['context.silently-truncated', 'mem.static-too-large'],
    },
    'the server read a part': {
      puzzle,
      runs: [saying('I see no code word.', reading(2040))],
      said: /^1 of 1 did not find the word: the server read 2,040 of about [\d,]+ tokens$/,
      confirms: ['context.silently-truncated'],
      rulesOut: ['context.exceeded'],
    },
    'it read all and missed it': {
      puzzle,
      runs: [saying('I see no code word.', reading(8012))],
      said: /^1 of 1 did not find the word in a prompt of 8,012 tokens, 1 × a wrong answer$/,
      rulesOut: ['context.exceeded'],
    },
    'it breaks off': {
      puzzle,
      runs: [{ smoke: { completion: null, failure: failureOf('stalled') } }],
      said: /^1 of 1 fail on a prompt of about [\d,]+ tokens, 1 × stream.stalled$/,
    },
  },
})

test('the word stands near the beginning, and no two lines are alike', () => {
  const prompt = longPrompt.trial(puzzle)?.requests[0]?.request.prompt ?? ''
  const lines = prompt.split('\n')
  const place = lines.findIndex((line) => line.includes('AMBER-4817')) / lines.length
  expect(place).toBeGreaterThan(0.05)
  expect(place).toBeLessThan(0.15)
  expect(new Set(lines.filter((line) => line !== '')).size).toBe(lines.filter((line) => line !== '').length)
  console.info(`a long prompt: ${prompt.length} characters, ${lines.length} lines`)
})
