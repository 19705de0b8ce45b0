import { doubleBudget } from '../../../src/judge/experiments/double-budget.ts'
import { completionOf, tokens } from '../samples.ts'
import { experimentTable, LOOPING, puzzleOf, SILENT, SPENT, saying, thought, words } from './table.ts'

const puzzle = puzzleOf(SPENT)
const large = puzzleOf({ ...SPENT, tokens: tokens(4096) }, { budget: 4096 })
const spentTwice = { smoke: { completion: completionOf({ ...SPENT, reasoning: words(300), tokens: tokens(400) }) } }
const circling = { smoke: { completion: completionOf({ ...SPENT, reasoning: words(3000), tokens: tokens(8192) }) } }
const endless = saying(words(3000), { finish: 'length', tokens: tokens(8192) })
const cut = {
  channel: 'reasoning',
  unit: 'so',
  period: 3,
  copies: 99,
  from: 0,
  certain: true,
  signal: 'period',
} as const

experimentTable(doubleBudget, {
  given: { 'a small budget spent': [puzzle, 2], 'a large one': [large, 1] },
  withheld: {
    'a budget that was not spent': puzzleOf(SILENT),
    'twice as much does not fit the context': puzzleOf({ ...SPENT, tokens: tokens(20_000) }, { budget: 20_000 }),
  },
  concludes: {
    'it answers then': {
      puzzle,
      runs: [saying('Hello there!', { tokens: tokens(310) }), saying('Hello to you!', { tokens: tokens(290) })],
      said: /^2 of 2 answered within 400 tokens, using 310 and 290: the budget was too small$/,
      confirms: ['budget.reasoning-exhausted'],
      rulesOut: ['model.degenerate-loop', 'model.eos-in-reasoning'],
    },
    'it is spent again, and was small': {
      puzzle,
      runs: [spentTwice, spentTwice],
      said: /^2 of 2 spent 400 tokens as well: double it once more$/,
    },
    'it is spent again, and was large': {
      puzzle: large,
      runs: [circling],
      said: /^1 of 1 spent 8,192 tokens as well: it does not come to an end$/,
      confirms: ['model.degenerate-loop'],
      rulesOut: ['budget.reasoning-exhausted', 'budget.too-small'],
    },
    'an answer that does not end': {
      puzzle: large,
      runs: [endless],
      said: /^1 of 1 spent 8,192 tokens as well/,
      confirms: ['template.eos-missing'],
      rulesOut: ['budget.too-small'],
    },
    'a loop': {
      puzzle: large,
      runs: [{ smoke: { completion: completionOf({ ...LOOPING, finish: null }), cut } }],
      said: /^1 of 1 went round in a loop and were cut/,
      confirms: ['model.degenerate-loop'],
      rulesOut: ['budget.reasoning-exhausted'],
    },
    'it ends inside its thinking': {
      puzzle,
      runs: [thought, thought],
      said: /^2 of 2 ended inside the thinking, far below 400 tokens$/,
      confirms: ['model.eos-in-reasoning'],
      rulesOut: ['budget.reasoning-exhausted'],
    },
  },
})
