import { describe, expect, it } from 'vitest'
import { engineAt, giveTemplate, makeRoom, setReasoningParser } from '../../src/judge/orders.ts'
import { logOf } from './fault-log.ts'
import { engineOf, evidenceOf } from './samples.ts'

const nobody = evidenceOf({})
const sglang = { ...nobody, engine: engineOf({ reasoningParser: null }) }
const vllm = { ...nobody, engine: engineOf({ kind: 'vllm', version: '0.19.0', reasoningParser: null }) }
const llama = { ...nobody, engine: engineOf({ kind: 'llama-cpp', loaded: '/srv/q.gguf' }) }

describe('who serves', () => {
  it.each([
    ['by its own word', sglang, 'sglang'],
    ['by its log', logOf('vllm', ['INFO']), 'vllm'],
    [
      'by its log where it speaks the common dialect',
      { ...logOf('vllm', []), engine: engineOf({ kind: 'openai' }) },
      'vllm',
    ],
    ['nobody says', nobody, null],
    ['systemd serves no model', logOf('systemd', ['Started llm.service']), null],
  ] as const)('%s', (_, evidence, kind) => {
    expect(engineAt(evidence)).toBe(kind)
  })
})

describe('the reasoning parser', () => {
  it.each([
    ['SGLang', sglang, /^Start SGLang with --reasoning-parser qwen3: /],
    ['vLLM', vllm, /^Start vLLM with --reasoning-parser qwen3: /],
    ['llama.cpp', llama, /^Start llama-server with --reasoning-format deepseek: /],
    ['a model that nobody knows', { ...sglang, engine: engineOf({ loaded: '/srv/own' }) }, /^Start the server with/],
    ['nobody knows who serves', nobody, /^Start the server with/],
    ['it is set already', { ...nobody, engine: engineOf() }, /^POST the prompt to \/generate/],
  ] as const)('%s', (_, evidence, order) => {
    expect(setReasoningParser(evidence)).toMatch(order)
  })
})

it('gives a template by the flag of the engine', () => {
  expect(giveTemplate(sglang)).toMatch(/^Start SGLang with --chat-template chat_template\.jinja, /)
  expect(giveTemplate(llama)).toMatch(/^Start llama\.cpp with --jinja --chat-template-file chat_template\.jinja, /)
  expect(giveTemplate(nobody)).toMatch(/^Give the server the template/)
})

const LONG_PROMPT = "The input (820 tokens) is longer than the model's context length (512 tokens)."
const LARGE_BUDGET =
  "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 4109 tokens: 13 tokens from the input messages and 4096 tokens for the completion."
const VLLM =
  "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 2048 tokens and your request has 12 input tokens (4096 > 2048 - 12)."
const VLLM_LATER =
  "You passed 2040 input tokens and requested 200 output tokens. However, the model's context length is only 2048 tokens."
const LLAMA = 'request (3621 tokens) exceeds the available context size (256 tokens), try increasing it'

describe('room for a prompt', () => {
  it.each([
    ['an answer fits still', LARGE_BUDGET, sglang, /^Lower the budget to at most 4,083 tokens: retry max_tokens=4083 /],
    ['an answer fits still, by vLLM', VLLM, vllm, /retry max_tokens=2036 /],
    ['no answer fits', LONG_PROMPT, sglang, /^Start SGLang with --context-length 1024: /],
    ['hardly a word fits', VLLM_LATER, vllm, /^Start vLLM with --max-model-len 4096: /],
    ['llama.cpp with one slot', LLAMA, llama, /^Start llama\.cpp with -c 4096: /],
    ['llama.cpp with four slots', LLAMA, { ...llama, argv: ['llama-server', '-np', '4'] }, /with -c 16384: /],
    [
      'no common card holds so much',
      LLAMA.replace('3621', '200000'),
      llama,
      /^Shorten the prompt, or start the server/,
    ],
    ['nobody knows the flag', LLAMA, nobody, /^Shorten the prompt, or start the server/],
    ['no numbers', 'context length exceeded', sglang, /^Shorten the prompt, or start the server/],
  ] as const)('%s', (_, message, evidence, order) => {
    expect(makeRoom(message, evidence)[0]).toMatch(order)
  })
})
