import { expect } from 'vitest'
import { kernelSmem } from '../../../src/judge/rules/kernel-smem.ts'
import { logOf } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

ruleTable(kernelSmem, {
  speaks: {
    triton: [
      logOf('sglang', [
        'triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 106496, Hardware limit: 101376. Reducing block sizes or `num_stages` may help.',
      ]),
      { cause: says('106496 bytes, and it has 101376'), remedy: first('--attention-backend flashinfer') },
    ],
    vLLM: [
      logOf('vllm', ['OutOfResources: out of resource: shared memory, Required: 81920, Hardware limit: 65536.']),
      { remedy: first('TRITON_ATTN') },
    ],
    flashinfer: [
      logOf('sglang', ['RuntimeError: Failed to set the allowed dynamic shared memory size to 147456']),
      { code: 'kernel.smem' },
    ],
  },
  silent: {
    'GPU memory': logOf('sglang', ['torch.OutOfMemoryError: CUDA out of memory.']),
    'of the host': logOf('vllm', ['Error while creating shared memory segment /dev/shm/nccl-1']),
    'a remark': logOf('vllm', ['INFO autotuning kernels, shared memory per block: 101376']),
    'autotuning that skips one': logOf('vllm', [
      'out of resource: shared memory, Required: 106496, Hardware limit: 101376',
      'INFO:     Application startup complete.',
    ]),
  },
})
