import type { Evidence, Rule } from '../../domain/finding.ts'
import { standing } from '../log/outlived.ts'
import { quotedSign } from '../log/signs.ts'

/** A kernel wants more shared memory of a multiprocessor than this kind of GPU has (99 KiB on RTX 30xx/40xx, 64 on T4). */
export const kernelSmem: Rule = {
  codes: ['kernel.smem'],
  signatures: [
    {
      name: 'smem-exceeded',
      anchors: [
        'out of resource: shared memory',
        'OutOfResources',
        'set the allowed dynamic shared memory',
        'uses too much shared data',
        'shared memory size exceeds',
        'too many resources requested for launch',
      ],
      pattern:
        /out of resource: shared memory(?:, Required: (?<needs>\d{1,9}),? Hardware limit(?:ation)?: (?<has>\d{1,9}))?|set the allowed dynamic shared memory size to (?<dynamic>\d{1,9})|uses too much shared data|shared memory size exceeds|too many resources requested for launch/,
      example:
        'triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 106496, Hardware limit: 101376. Reducing block sizes or `num_stages` may help.',
      nearMiss: 'INFO NCCL shared memory transport is used between ranks',
    },
  ],
  check(evidence) {
    const [sign] = standing(evidence, 'smem-exceeded')
    if (sign === undefined) return []
    const { needs, has } = sign.fields
    const numbers = needs === undefined || has === undefined ? '' : ` (${needs} bytes, and it has ${has})`
    return [
      {
        code: 'kernel.smem',
        verdict: 'misconfigured',
        cause: `A kernel that was chosen needs more shared memory than this kind of GPU has${numbers}.`,
        because: [quotedSign(sign)],
        remedy: remediesFor(evidence),
        confidence: 'certain',
        excludes: ['a lack of GPU memory: shared memory is a part of each multiprocessor, no flag enlarges it'],
        explains: ['engine.invariant', 'engine.kernel-crash', 'mem.cuda-graph'],
        at: sign.at,
      },
    ]
  },
}

function remediesFor({ log }: Evidence): string[] {
  const vllm =
    'vLLM: --attention-backend FLASHINFER (before: VLLM_ATTENTION_BACKEND=FLASHINFER), or TRITON_ATTN where that is the one that fails.'
  const sglang =
    'SGLang: --attention-backend flashinfer in place of triton (or the other way round); for a mixture of experts another --moe-runner-backend.'
  const [first, second] = log?.writer === 'vllm' ? [vllm, sglang] : [sglang, vllm]
  return [
    `Take another backend. ${first}`,
    second,
    'Upgrade the engine: newer releases choose smaller blocks for such GPUs; or serve another quantisation (AWQ, GPTQ), which takes other kernels.',
  ]
}
