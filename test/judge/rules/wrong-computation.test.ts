import { expect } from 'vitest'
import type { Evidence } from '../../../src/domain/finding.ts'
import { wrongComputation } from '../../../src/judge/rules/wrong-computation.ts'
import { asking, knowing } from '../asking.ts'
import { ruleTable } from '../rule-table.ts'
import { engineOf, evidenceOf, tokens } from '../samples.ts'

const spent = { finish: 'length', stop: null, tokens: tokens(200) } as const
const loop = evidenceOf({ ...spent, content: 'berg '.repeat(150) }, { temperature: 0.7 })
const jumble = evidenceOf({ ...spent, content: 'ngữ Привет 完成 أهلا देश zwischen 사과 ที่นี่ quelque שלום мир 的话' })
const odd = evidenceOf({ ...spent, content: ' 42.\nC#的. (C# ammaegat\nSamigatOVER: 7.' }, { prompt: 'What is 2+2?' })
const stray = evidenceOf({ content: 'Le fleuve traverse la viลle.' }, { prompt: 'Décris le fleuve' })
const doubled = evidenceOf({ content: 'Hello Hello there there my my old old friend friend of of mine mine' })

const of = (evidence: Evidence, kind: 'sglang' | 'vllm' | 'llama-cpp', ...told: readonly string[]) => ({
  ...knowing(evidence, ...told),
  engine: engineOf({ kind, version: null, tensorParallel: null, loaded: null }),
})

ruleTable(wrongComputation, {
  speaks: {
    'an FP8 KV cache': [
      of(loop, 'sglang', 'flags: --kv-cache-dtype fp8_e4m3'),
      {
        code: 'model.kv-quant',
        verdict: 'broken',
        remedy: expect.arrayContaining([expect.stringContaining('--kv-cache-dtype auto')]),
      },
    ],
    'a KV cache of four bits and small oddities': [
      of(odd, 'llama-cpp', 'flags: -fa on -ctk q4_0 -ctv q4_0'),
      {
        code: 'model.kv-quant',
        because: [expect.stringContaining('SamigatOVER'), 'started with --cache-type-k q4_0 and --cache-type-v q4_0'],
      },
    ],
    'flash attention of llama.cpp': [of(loop, 'llama-cpp', 'flags: -fa on'), { code: 'model.kernel-bug' }],
    'an experiment with another kernel': [
      of(jumble, 'vllm', 'note: with --enforce-eager it is coherent'),
      { code: 'model.kernel-bug', because: [expect.any(String), expect.stringContaining('--enforce-eager')] },
    ],
    'drafts that are refused, as told': [
      of(loop, 'sglang', 'log_hint: accept len: 1.00, accept rate: 0.00'),
      { code: 'model.spec-desync' },
    ],
    'drafts that are refused, as counted': [
      asking(of(jumble, 'llama-cpp'), {}, { response: '{"timings":{"draft_n": 120, "draft_n_accepted": 1}}' }),
      { code: 'model.spec-desync', because: [expect.any(String), 'draft_n 120, draft_n_accepted 1'] },
    ],
    'each word twice under speculation': [
      of(doubled, 'sglang', 'flags: --speculative-algo EAGLE'),
      { code: 'model.spec-desync' },
    ],
    'an experiment on one card': [of(loop, 'vllm', 'note: tp 1 is fine'), { code: 'model.tp-comm-suspect' }],
    'a letter under tensor parallel': [
      of(stray, 'vllm', 'flags: -tp 2'),
      { code: 'model.tp-comm-suspect', confidence: 'likely' },
    ],
    'scales that were not found': [
      of(jumble, 'sglang', 'log_hint: gate_up_proj.weight_scale_inv not found'),
      { code: 'model.weights-misloaded' },
    ],
    'an end at once and lost weights': [
      of(evidenceOf({ content: null, tokens: tokens(1) }), 'sglang', 'log_hint: 12 weights are not loaded'),
      { code: 'model.weights-misloaded', explains: expect.arrayContaining(['model.immediate-eos']) },
    ],
  },
  silent: {
    'a sound answer with an FP8 KV cache': of(evidenceOf({}), 'sglang', 'flags: --kv-cache-dtype fp8_e4m3'),
    'a sound answer and scales that were not found': of(
      evidenceOf({}),
      'sglang',
      'log_hint: weight_scale_inv not found',
    ),
    'a sound answer and an experiment': of(evidenceOf({}), 'vllm', 'note: tp 1 is fine'),
    'an experiment that changed nothing': of(loop, 'vllm', 'note: tp 1 is not fine either'),
    q8_0: of(loop, 'llama-cpp', 'flags: -fa off -ctk q8_0 -ctv q8_0'),
    'small oddities and FP8': of(odd, 'sglang', 'flags: --kv-cache-dtype fp8_e4m3'),
    'small oddities alone': of(odd, 'llama-cpp', 'flags: -fa on'),
    'a loop alone': of(loop, 'sglang'),
    'a loop under tensor parallel': of(loop, 'vllm', 'flags: -tp 2'),
    'a loop with a draft': of(loop, 'sglang', 'flags: --speculative-algo EAGLE'),
    'a loop into which greedy decoding fell': of(
      evidenceOf({ ...spent, content: `It is so. ${'and on it goes, '.repeat(60)}` }),
      'sglang',
      'flags: --kv-cache-dtype fp8_e4m3',
    ),
    'a version that is known to compute wrongly': {
      ...knowing(loop, 'flags: --kv-cache-dtype fp8_e4m3'),
      engine: engineOf(),
    },
    'no answer': { ...evidenceOf({ content: null, reasoning: 'Hm.' }), told: ['flags: -fa on'] },
  },
})
