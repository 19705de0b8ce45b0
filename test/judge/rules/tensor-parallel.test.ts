import { expect } from 'vitest'
import { tensorParallelRule } from '../../../src/judge/rules/tensor-parallel.ts'
import { logOf, READY } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

ruleTable(tensorParallelRule, {
  speaks: {
    heads: [
      logOf('vllm', [
        'ValueError: Total number of attention heads (24) must be divisible by tensor parallel size (5).',
      ]),
      { cause: says('24 attention heads'), remedy: first('--tp-size 4 ') },
    ],
    SGLang: [
      logOf('sglang', ['AssertionError: 28 is not divisible by 8']),
      { cause: says('over 8 GPUs'), remedy: first('--tp-size 4 ') },
    ],
    'groups of a quantisation': [
      logOf('vllm', [
        "ValueError: The output_size of gate's and up's weight = 1792 is not divisible by weight quantization block_n = 128.",
      ]),
      { cause: says('groups'), remedy: first('--enable-expert-parallel') },
    ],
    Marlin: [
      logOf('vllm', [
        'ValueError: Weight input_size_per_partition = 1536 is not divisible by min_thread_k = 128. Consider reducing tensor_parallel_size.',
      ]),
      { cause: says('groups') },
    ],
    'too few GPUs': [
      logOf('vllm', ['  Value error, World size (4) is larger than the number of available GPUs (2) in this node.']),
      { cause: says('wants 4 GPUs and sees 2'), remedy: first('--tp-size 2') },
    ],
    'too few GPUs, of a number that divides few models': [
      logOf('vllm', ['  Value error, World size (8) is larger than the number of available GPUs (7) in this node.']),
      { cause: says('wants 8 GPUs and sees 7'), remedy: first('--tp-size 4 ') },
    ],
    'no such device': [
      logOf('sglang', ['RuntimeError: CUDA error: invalid device ordinal'], { told: ['flags: --tp 4'] }),
      { confidence: 'likely', cause: says('wants 4 GPUs and sees fewer') },
    ],
  },
  silent: {
    'a start': logOf('vllm', ["INFO non-default args: {'tensor_parallel_size': 4}"]),
    'a start before': logOf('sglang', ['AssertionError: 28 is not divisible by 8', READY]),
    'a remark': logOf('sglang', ['page size 64 is not divisible by nothing']),
    GPUs: logOf('vllm', ['the number of available GPUs is 2']),
    'another assertion': logOf('sglang', ['AssertionError: page_size must be 64']),
    'a batch': logOf('sglang', ['WARNING chunked_prefill_size 2048 is not divisible by page size']),
    'no log': logOf(null, []),
  },
})
