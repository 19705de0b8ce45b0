import { expect, test } from 'vitest'
import type { EngineInfo } from '../../../src/domain/engine.ts'
import type { Puzzle } from '../../../src/domain/experiment.ts'
import { diagnose } from '../../../src/judge/diagnose.ts'
import { otherParser } from '../../../src/judge/experiments/other-parser.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { engineOf, failureOf, tokens } from '../samples.ts'
import type { Came } from './table.ts'
import { experimentTable, puzzleOf, runsFor, SILENT, THOUGHT } from './table.ts'

const THINKING = 'The user wants a greeting, so I say hello.'
const HELLO = 'Hello! How can I help you today?'

function on(puzzle: Puzzle, engine: Partial<EngineInfo>): Puzzle {
  const evidence = { ...puzzle.evidence, engine: engineOf(engine) }
  return { ...puzzle, evidence, diagnosis: diagnose(evidence, rules) }
}

const parsed = (reasoning: string, content: string): Came => ({
  smoke: { completion: null },
  parsed: { reasoning, content },
})
const refused: Came = { smoke: { completion: null, failure: failureOf('http-status') } }

const unparsed = puzzleOf({ content: `<think>\n${THINKING}\n</think>\n\n${HELLO}` })
const missing = on(unparsed, { reasoningParser: null })
const foreign = on(unparsed, { reasoningParser: 'kimi' })
const openedBefore = on(puzzleOf({ content: `${THINKING}\n</think>\n\n${HELLO}` }), {})
const onlyThinking = on(puzzleOf({ content: `<think>\n${THINKING}` }), { reasoningParser: null })
const swallowed = puzzleOf({ content: null, reasoning: `${THINKING}</think>${HELLO}`, tokens: tokens(20) })
const glued = puzzleOf({
  content: null,
  reasoning: `The user wants a greeting, so I greet him.Hello there, how are you?`,
  tokens: tokens(20),
})
const asAnswer = puzzleOf({ content: null, reasoning: HELLO, tokens: tokens(10) })
const misfiled = on(asAnswer, { reasoningParser: 'deepseek-r1' })
const nemotron = { loaded: 'nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16', reasoningParser: null }

experimentTable(otherParser, {
  given: {
    'thinking in the content': [missing, 1],
    'marks in the reasoning': [swallowed, 1],
    'an answer filed as reasoning': [misfiled, 1],
    'a lost end': [glued, 1],
    'a family with three names': [on(unparsed, nemotron), 3],
  },
  withheld: {
    'a thought without any mark': puzzleOf(THOUGHT),
    'nothing in either channel': puzzleOf(SILENT),
    'both channels': puzzleOf({ reasoning: THINKING, content: HELLO }),
    'a prompt about the marks': puzzleOf(
      { content: `<think>${THINKING}</think>${HELLO}` },
      { prompt: 'What is </think>?' },
    ),
    'vLLM, which has no such route': on(unparsed, { kind: 'vllm' }),
    'a model that nobody knows': on(unparsed, { loaded: '/models/own', models: ['own'] }),
  },
  concludes: {
    'it comes apart, and no parser is set': {
      puzzle: missing,
      runs: [parsed(THINKING, HELLO)],
      said: /^qwen3 takes the same text apart, 42 characters of reasoning and 32 of answer: start SGLang with --reasoning-parser qwen3 \(the server names none\)$/,
      confirms: ['parser.reasoning-missing'],
      rulesOut: ['model.eos-in-reasoning'],
    },
    'it comes apart, and another parser is set': {
      puzzle: foreign,
      runs: [parsed(THINKING, HELLO)],
      said: /--reasoning-parser qwen3 \(now kimi\)$/,
      confirms: ['parser.reasoning-missing', 'parser.reasoning-wrong'],
      rulesOut: ['model.eos-in-reasoning'],
    },
    'it comes apart once it begins as the template has it': {
      puzzle: openedBefore,
      runs: [parsed(THINKING, HELLO)],
      said: /and qwen3 is set: the template opens the thinking in the prompt/,
      confirms: ['parser.reasoning-missing'],
      rulesOut: ['model.eos-in-reasoning'],
    },
    'it comes apart as it came, with the parser that is set': {
      puzzle: on(unparsed, {}),
      runs: [parsed(THINKING, HELLO)],
      said: /and qwen3 is set: the parser fits, and this answer went past it$/,
      confirms: ['parser.reasoning-missing'],
      rulesOut: ['model.eos-in-reasoning'],
    },
    'an answer stood in the reasoning': {
      puzzle: on(swallowed, { reasoningParser: 'gpt-oss' }),
      runs: [parsed(THINKING, HELLO)],
      said: /--reasoning-parser qwen3 \(now gpt-oss\)$/,
      confirms: ['parser.reasoning-wrong'],
      rulesOut: ['model.eos-in-reasoning'],
    },
    'a version that knows only an older name': {
      puzzle: on(unparsed, nemotron),
      runs: [refused, refused, parsed(THINKING, HELLO)],
      said: /^deepseek-r1 takes the same text apart/,
      confirms: ['parser.reasoning-missing'],
      rulesOut: ['model.eos-in-reasoning'],
    },
    'all of it is thinking': {
      puzzle: onlyThinking,
      runs: [parsed(THINKING, '')],
      said: /^all of the text is thinking to qwen3, and came as content: .*no answer stands behind it$/,
      confirms: ['parser.reasoning-missing'],
    },
    'marks of another model': {
      puzzle: missing,
      runs: [parsed('', `◁think▷${THINKING}◁/think▷`)],
      said: /^qwen3 does not take the text apart: the marks in it are not those of Qwen/,
    },
    'nothing stands behind the thinking': {
      puzzle: swallowed,
      runs: [parsed(THINKING, '')],
      said: /^nothing stands behind the thinking, by qwen3 too/,
      rulesOut: ['parser.reasoning-wrong', 'parser.reasoning-unclosed'],
    },
    'a lost end stays lost': {
      puzzle: glued,
      runs: [parsed('', 'The user wants a greeting, so I greet him.Hello there, how are you?')],
      said: /^no mark of an end stands in the text, so qwen3 finds none either/,
      rulesOut: ['parser.reasoning-wrong'],
      keeps: ['parser.reasoning-unclosed'],
    },
    'another parser takes it for the answer': {
      puzzle: misfiled,
      runs: [parsed('', HELLO)],
      said: /^qwen3 files the same text as the answer, and deepseek-r1 filed it as reasoning: start SGLang with --reasoning-parser qwen3$/,
      confirms: ['parser.reasoning-wrong'],
    },
    'the parser that is set tells nothing of text without marks': {
      puzzle: asAnswer,
      runs: [parsed('', HELLO)],
      said: /^qwen3 files text without marks as the answer, whatever it is: it is not settled$/,
    },
    'the route is refused': { puzzle: missing, runs: [refused], said: /^no parser was asked: .*observed http-status/ },
  },
})

test('a cause that no finding named before is one, with its flag', () => {
  const puzzle = on(puzzleOf({ content: null, reasoning: `${THINKING}</think>${HELLO}`, tokens: tokens(20) }), {
    reasoningParser: 'gpt-oss',
  })
  const { finding } = otherParser.conclude(puzzle, runsFor(otherParser, puzzle, [parsed(THINKING, HELLO)]))
  expect(finding).toMatchObject({ code: 'parser.reasoning-wrong', confidence: 'certain' })
  expect(finding?.remedy).toEqual(['Start SGLang with --reasoning-parser qwen3.'])
})

test('a text begins with the mark that its template wrote', () => {
  const asked = (puzzle: Puzzle) => otherParser.trial(puzzle)?.requests[0]
  expect(asked(openedBefore)).toMatchObject({
    how: 'parse',
    parser: 'qwen3',
    text: expect.stringMatching(/^<think>\nThe/),
  })
  expect(asked(missing)).toMatchObject({ text: expect.stringMatching(/^<think>\nThe/) })
  expect(asked(glued)).toMatchObject({ text: expect.stringMatching(/^The user/) })
})
