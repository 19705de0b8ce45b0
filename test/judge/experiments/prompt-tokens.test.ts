import { expect, test } from 'vitest'
import type { EngineInfo } from '../../../src/domain/engine.ts'
import type { Puzzle } from '../../../src/domain/experiment.ts'
import { promptTokens } from '../../../src/judge/experiments/prompt-tokens.ts'
import { engineOf, failureOf, tokens } from '../samples.ts'
import type { Came } from './table.ts'
import { experimentTable, failedPuzzle, puzzleOf, runsFor, SILENT, THOUGHT } from './table.ts'

const puzzle = puzzleOf(SILENT)
const reading = (prompt: number, cached: number | null = null) =>
  puzzleOf({ ...SILENT, stop: null, tokens: { ...tokens(2), prompt, cached } })
const on = (one: Puzzle, engine: Partial<EngineInfo>): Puzzle => ({
  ...one,
  evidence: { ...one.evidence, engine: engineOf(engine) },
})
const counted = (many: number, templated = false): Came => ({
  smoke: { completion: null },
  counted: { tokens: many, templated },
})
const spelled = (text: string): Came => ({ smoke: { completion: null }, spelled: text })
const refused: Came = { smoke: { completion: null, failure: failureOf('http-status') } }
const uncounted = { ...tokens(2), prompt: null }

experimentTable(promptTokens, {
  given: {
    'a prompt and a stop token': [puzzle, 2],
    'no stop token told': [reading(16), 1],
    'no prompt counted': [puzzleOf({ ...SILENT, tokens: uncounted }), 1],
    'llama.cpp': [on(puzzle, { kind: 'llama-cpp' }), 2],
    'SGLang 0.5.4': [on(puzzle, { version: '0.5.4' }), 2],
  },
  withheld: {
    'SGLang before 0.5.4': on(puzzle, { version: '0.5.3.post2' }),
    Ollama: on(puzzle, { kind: 'ollama' }),
    'nothing told': puzzleOf({ ...SILENT, stop: null, tokens: uncounted }),
    'no answer': failedPuzzle(failureOf('refused')),
  },
  concludes: {
    'a sound prompt and the own end': {
      puzzle,
      runs: [counted(6), spelled('<|im_end|>')],
      said: /^the server read all 6 tokens of the prompt, and 10 tokens of its template; stop token 248046 is “<\|im_end\|>”$/,
      rulesOut: ['context.silently-truncated', 'template.missing'],
      keeps: ['model.immediate-eos'],
    },
    'a chat that was counted with its template': {
      puzzle: on(reading(16), { kind: 'vllm' }),
      runs: [counted(16, true)],
      said: /^the server read 16 of 16 tokens of the prompt and its template$/,
      rulesOut: ['context.silently-truncated'],
      keeps: ['template.missing'],
    },
    'no template': {
      puzzle: reading(6),
      runs: [counted(6)],
      said: /^the server read 6 of 6 tokens of the prompt, and none of a template$/,
      rulesOut: ['context.silently-truncated'],
      keeps: ['template.missing'],
    },
    'a prompt cut in silence': {
      puzzle: reading(2048),
      runs: [counted(8012)],
      said: /^the server read 2,048 of the 8,012 tokens that its own tokenizer counts in the prompt: it cuts the prompt$/,
      confirms: ['context.silently-truncated'],
    },
    'what was in the cache counts': {
      puzzle: reading(2048, 6000),
      runs: [counted(8012)],
      said: /^the server read 2,048 of 8,012 tokens of the prompt/,
      rulesOut: ['context.silently-truncated'],
    },
    'some white space less is no cut': {
      puzzle: reading(960),
      runs: [counted(1000)],
      said: /^the server read 960 of 1,000 tokens/,
      rulesOut: ['context.silently-truncated'],
    },
    'a stop token that is a word': {
      puzzle: puzzleOf({ ...THOUGHT, stop: 785, tokens: { ...tokens(12), prompt: null } }),
      runs: [spelled(' The')],
      said: /^stop token 785 is “The”, an ordinary text: eos_token_id/,
      rulesOut: ['model.eos-in-reasoning'],
    },
    'ends of other families': {
      puzzle: puzzleOf({ ...SILENT, stop: 1, tokens: uncounted }),
      runs: [spelled('<｜end▁of▁sentence｜>')],
      said: /^stop token 1 is “<｜end▁of▁sentence｜>”$/,
    },
    'the route is refused': { puzzle, runs: [refused, refused], said: /^the tokenizer was not asked: / },
  },
})

test('a cut prompt is a finding with both numbers and the flag of the engine', () => {
  const short = reading(2048)
  const { finding } = promptTokens.conclude(short, runsFor(promptTokens, short, [counted(8012)]))
  expect(finding).toMatchObject({ code: 'context.silently-truncated', confidence: 'certain' })
  expect(finding?.because).toEqual([
    '/tokenize counts 8,012 tokens in the prompt, usage.prompt_tokens of the answer says 2,048',
  ])
  expect(finding?.remedy[0]).toMatch(/--context-length/)
})
