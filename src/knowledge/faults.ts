import type { Fact } from '../domain/knowledge.ts'
import { sglangIssue, sglangPull } from './sources.ts'

/** What a fact leaves open. */
const ANY = { model: null, tensorParallel: null, quantisation: [], flags: [] } as const

const HYBRID = { family: 'qwen3.5-dense', engine: 'sglang' } as const
const DRAFTED = ['speculative-algorithm'] as const

/** Versions of engines in which something is known to be wrong. */
export const faults: readonly Fact[] = [
  {
    ...ANY,
    ...HYBRID,
    ...sglangPull(19411, 'read'),
    versions: '>=0.5.9,<0.5.10rc0',
    tensorParallel: '>=2',
    code: 'model.tp-comm-suspect',
    cause: 'this version skips an all-reduce in the dense Qwen3.5/3.6 layers (sglang PRs 19070, 19411)',
    fixed: '0.5.11',
    fix: 'to prove the cause first, start once with --tp-size 1',
  },
  {
    ...ANY,
    ...HYBRID,
    ...sglangPull(22312, 'read'),
    versions: '>=0.5.10,<0.5.11',
    code: 'model.kernel-bug',
    cause:
      'a kernel of this version reads two tensors of the linear attention with wrong strides (brought by sglang PR 21019, fixed by PR 22312), so the dense Qwen3.5/3.6 answer worse than they can',
    fixed: '0.5.11',
    fix: null,
  },
  {
    ...ANY,
    ...HYBRID,
    ...sglangPull(23467, 'stated'),
    model: 'qwen3.6',
    versions: '>=0.5.9,<0.5.11',
    quantisation: ['fp8'],
    code: 'model.weights-misloaded',
    cause:
      'the loader of this version drops the FP8 scales of the dense Qwen3.6 (sglang#23687: weight_scale_inv not found in params_dict), so the text is a salad of tokens',
    fixed: '0.5.11',
    fix: 'until then serve the BF16 checkpoint of the same model',
  },
  {
    ...ANY,
    ...HYBRID,
    ...sglangIssue(27021),
    model: 'qwen3.6',
    versions: '>=0.5.12,<0.5.13',
    code: 'model.eos-in-reasoning',
    cause: 'on this version the dense Qwen3.6 was reported to end inside its thinking, with an empty answer',
    fixed: null,
    fix: 'start SGLang with --enable-strict-thinking (since 0.5.12), or try a newer release and compare',
  },
  {
    ...ANY,
    ...sglangIssue(28312),
    family: 'qwen3.5-dense',
    engine: 'sglang',
    versions: '>=0.5.13,<0.5.14',
    code: 'engine.kernel-crash',
    cause: 'this version was reported to crash with an illegal memory access while it serves Qwen3.5',
    fixed: null,
    fix: 'try SGLang 0.5.14 or newer and compare; the issue names no release that fixes it',
  },
  {
    ...ANY,
    ...sglangIssue(34239),
    family: null,
    engine: 'sglang',
    versions: '>=0.5.16,<0.5.17',
    flags: DRAFTED,
    model: 'qwen3.',
    code: 'engine.kernel-crash',
    cause:
      'this version was reported to crash with an illegal memory access where speculative decoding comes near the end of the context (262144 tokens)',
    fixed: null,
    fix: 'keep prompts and answers well below 262144 tokens (--context-length 245760), or start without --speculative-algorithm',
  },
]
