import type { EndTokens, NeededFlag, Sampling } from '../domain/knowledge.ts'
import { cardOf, cookbook, sglangTag } from './sources.ts'

const card = cardOf('Qwen/Qwen3.6-35B-A3B')
const HYBRIDS = ['qwen3.5-dense', 'qwen3.5-moe'] as const
const EVERY = { topK: 20, minP: 0 } as const

/** How the makers want their models asked. */
export const samplings: readonly Sampling[] = HYBRIDS.flatMap((family): readonly Sampling[] => [
  { family, mode: 'thinking', temperature: 1, topP: 0.95, ...EVERY, presencePenalty: 1.5, budget: 81_920, ...card },
  { family, mode: 'coding', temperature: 0.6, topP: 0.95, ...EVERY, presencePenalty: 0, budget: 81_920, ...card },
  {
    family,
    mode: 'non-thinking',
    temperature: 0.7,
    topP: 0.8,
    ...EVERY,
    presencePenalty: 1.5,
    budget: 32_768,
    ...card,
  },
])

/** The tokens that end an answer. */
export const endTokens: readonly EndTokens[] = [
  ...HYBRIDS.map((family) => ({ family, ids: [248_046, 248_044], ...card })),
  { family: 'qwen3', ids: [151_645, 151_643], ...cardOf('Qwen/Qwen3-32B') },
  { family: 'qwen3-thinking', ids: [151_645, 151_643], ...cardOf('Qwen/Qwen3-235B-A22B-Thinking-2507') },
  { family: 'glm-4.5', ids: [151_329, 151_336, 151_338], ...cardOf('zai-org/GLM-4.6') },
  { family: 'gpt-oss', ids: [200_002, 200_012], ...cardOf('openai/gpt-oss-120b') },
  { family: 'llama-3', ids: [128_009, 128_001, 128_008], ...cardOf('meta-llama/Llama-3.3-70B-Instruct') },
  { family: 'kimi-k2', ids: [163_586], ...cardOf('moonshotai/Kimi-K2-Instruct') },
]

const speculative = {
  engine: 'sglang',
  when: 'with speculative decoding and the radix cache',
} as const

/** Settings without which it does not start, or not well. */
export const neededFlags: readonly NeededFlag[] = [
  ...HYBRIDS.flatMap((family): readonly NeededFlag[] => [
    {
      ...speculative,
      ...sglangTag('0.5.10', 'python/sglang/srt/server_args.py'),
      family,
      versions: '>=0.5.10rc0,<0.5.14',
      flag: '--mamba-scheduler-strategy extra_buffer',
    },
    {
      ...sglangTag('0.5.12', 'python/sglang/srt/server_args.py'),
      family,
      engine: 'sglang',
      versions: '>=0.5.12',
      when: 'where answers end inside the thinking',
      flag: '--enable-strict-thinking',
    },
    {
      ...cookbook,
      family,
      engine: 'sglang',
      versions: '>=0.5.9',
      when: 'for a model that thinks',
      flag: '--reasoning-parser qwen3',
    },
  ]),
]
