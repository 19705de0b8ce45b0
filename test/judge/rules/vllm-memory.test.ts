import { expect } from 'vitest'
import { vllmMemory } from '../../../src/judge/rules/vllm-memory.ts'
import { logOf } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

const SERVE = (context: string, needs: string, has: string, more: string) =>
  `ValueError: To serve at least one request with the models's max seq len (${context}), (${needs} GiB KV cache is needed, which is larger than the available KV cache memory (${has} GiB).${more}`

ruleTable(vllmMemory, {
  speaks: {
    'a share that is not free': [
      logOf('vllm', [
        'ValueError: Free memory on device (20.54/23.64 GiB) on startup is less than desired GPU memory utilization (0.9, 21.28 GiB).',
      ]),
      { code: 'mem.fraction', remedy: [says('--gpu-memory-utilization 0.85 instead of 0.9'), says('nvidia-smi')] },
    ],
    'a card that another holds': [
      logOf('vllm', [
        'ValueError: Free memory on device cuda:1 (2.10/79.15 GiB) on startup is less than desired GPU memory utilization (0.9, 71.24 GiB).',
      ]),
      { code: 'mem.fraction', cause: says('So little is free'), remedy: [says('nvidia-smi')] },
    ],
    'no blocks, below the largest share': [
      logOf('vllm', ['ValueError: No available memory for the cache blocks.'], {
        told: ['flags: --gpu-memory-utilization 0.8'],
      }),
      { code: 'mem.does-not-fit', remedy: first('Set --gpu-memory-utilization 0.95 instead of 0.8:') },
    ],
    'no blocks, above the largest share': [
      logOf('vllm', ['ValueError: No available memory for the cache blocks.'], {
        told: ['flags: --gpu-memory-utilization 0.97'],
      }),
      { code: 'mem.does-not-fit', remedy: [says('--max-num-seqs 16'), says('--tensor-parallel-size 2')] },
    ],
    'a context over the memory, above the largest share': [
      logOf('vllm', [SERVE('131072', '16.00', '3.54', '')], { told: ['flags: --gpu-memory-utilization 0.97'] }),
      { code: 'mem.kv-too-small', remedy: first('Or give it more memory: another GPU') },
    ],
    'a context over the cache': [
      logOf('vllm', [
        "ValueError: The model's max seq len (32768) is larger than the maximum number of tokens that can be stored in KV cache (7344).",
      ]),
      { code: 'mem.kv-too-small', cause: says('7344 tokens'), remedy: first('--max-model-len 7168') },
    ],
    'a context over the memory, with its estimate': [
      logOf(
        'vllm',
        [
          SERVE(
            '131072',
            '16.00',
            '3.54',
            ' Based on the available memory, the estimated maximum model length is 28976.',
          ),
        ],
        { told: ['flags: --gpu-memory-utilization 0.7', 'gpu: 80GB'] },
      ),
      {
        code: 'mem.kv-too-small',
        remedy: [says('--max-model-len 28928'), says('--gpu-memory-utilization 0.87 instead of 0.7'), says('fp8')],
      },
    ],
    'a context over the memory, in proportion': [
      logOf('vllm', [SERVE('32768', '2.00', '0.78', '')]),
      { code: 'mem.kv-too-small', remedy: first('--max-model-len 12544') },
    ],
    'no blocks, with what is missing': [
      logOf(
        'vllm',
        [
          'INFO Available KV cache memory: -2.31 GiB',
          'ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`.',
        ],
        { told: ['flags: --gpu-memory-utilization 0.5 --tensor-parallel-size 2', 'gpu: 24GB'] },
      ),
      {
        code: 'mem.does-not-fit',
        remedy: [
          says('--gpu-memory-utilization 0.65 instead of 0.5'),
          says('--max-num-seqs 16'),
          says('--tensor-parallel-size 4'),
        ],
      },
    ],
  },
  silent: {
    'a cache that is there': logOf('vllm', [
      'INFO Available KV cache memory: 4.31 GiB',
      'INFO GPU KV cache size: 61,936 tokens',
    ]),
    'a free card': logOf('vllm', ['INFO Free memory on device cuda:0 (78.60/79.15 GiB) on startup.']),
    'a start before': logOf('vllm', [SERVE('32768', '2.00', '0.78', ''), 'INFO:     Application startup complete.']),
    SGLang: logOf('sglang', ['RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.']),
    concurrency: logOf('vllm', ['INFO Maximum concurrency for 32,768 tokens per request: 1.89x']),
    'a preemption': logOf('vllm', [
      'WARNING Sequence group 0 is preempted because there is not enough KV cache space.',
    ]),
    'no log': logOf(null, []),
  },
})
