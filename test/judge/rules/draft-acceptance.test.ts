import { expect, test } from 'vitest'
import { draftAcceptance } from '../../../src/judge/rules/draft-acceptance.ts'
import { logged, ORDINARY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const decode = (length: string, rate: string) =>
  `[t TP0] Decode batch, #running-req: 4, full token usage: 0.41, mamba num: 12, accept len: ${length}, accept rate: ${rate}, cuda graph: True`
const NOTHING = decode('1.00', '0.00')
const vllm = (length: string, drafted: number) =>
  `INFO 10-02 [metrics.py:96] SpecDecoding metrics: Mean acceptance length: ${length}, Accepted throughput: 0.00 tokens/s, Drafted throughput: 9.10 tokens/s, Accepted: 0 tokens, Drafted: ${drafted} tokens, Per-position acceptance rate: 0.000`
const llama = (rate: string, drafted: number) =>
  `slot print_timing: draft acceptance rate = ${rate} (    0 accepted /  ${drafted} generated)`

ruleTable(draftAcceptance, {
  speaks: {
    'nothing is accepted any more': [
      logged([decode('2.61', '0.54'), NOTHING, NOTHING, NOTHING]),
      {
        code: 'model.spec-desync',
        verdict: 'broken',
        confidence: 'likely',
        because: expect.arrayContaining([expect.stringContaining('accept len: 2.61')]),
        at: 2,
      },
    ],
    'nothing was ever accepted': [
      logged([NOTHING, NOTHING, NOTHING, NOTHING]),
      { code: 'model.spec-desync', verdict: 'broken' },
    ],
    'in the words of vLLM': [
      logged([vllm('1.00', 900), vllm('1.00', 880), vllm('1.00', 910)]),
      { code: 'model.spec-desync' },
    ],
    'in the words of llama.cpp': [
      logged([llama('0.00000', 80), llama('0.00000', 64), llama('0.00000', 90)]),
      { code: 'model.spec-desync' },
    ],
    'a table of n-grams that guesses nothing': [
      logged([NOTHING, NOTHING, NOTHING], ['flags: --speculative-algorithm NGRAM']),
      { code: 'model.spec-desync', verdict: 'degraded' },
    ],
  },
  silent: {
    ...ORDINARY,
    'one hard text': logged([NOTHING]),
    'two hard texts among others': logged([decode('2.4', '0.45'), NOTHING, NOTHING]),
    'hard texts, then easy ones': logged([NOTHING, NOTHING, NOTHING, decode('2.4', '0.45')]),
    'nothing was drafted': logged([vllm('1.00', 0), vllm('1.00', 0), vllm('1.00', 0)]),
    'no speculation': logged(
      '[t TP0] Decode batch. #running-req: 1, #token: 300, token usage: 0.00, gen throughput (token/s): 40.1',
    ),
  },
})

test.each([
  ['SGLang', decode('2.63', '0.54')],
  ['vLLM', vllm('2.10', 900)],
  ['llama.cpp', llama('0.57576', 33)],
])('drafts that are accepted are fine: %s', (_, line) => {
  expect(draftAcceptance.check(logged([line, line]))).toMatchObject([
    { code: 'ok.spec', verdict: 'healthy', because: [expect.stringContaining(line.slice(0, 40))] },
  ])
})
