import { expect } from 'vitest'
import { mixedGpus } from '../../../src/judge/rules/mixed-gpus.ts'
import { LOADED, logOf, READY } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

const WARNING =
  'WARNING [cuda.py:394] Detected different devices in the system: NVIDIA GeForce RTX 4080 SUPER, NVIDIA GeForce RTX 3060. Please make sure to set `CUDA_DEVICE_ORDER=PCI_BUS_ID`.'
const UNEVEN = (least: string, here: string) =>
  `RuntimeError: The memory capacity is unbalanced. Some GPUs may be occupied by other processes. min_per_gpu_memory=${least}, local_gpu_memory=${here}`

ruleTable(mixedGpus, {
  speaks: {
    'sizes of cards that share the model': [
      logOf('sglang', ['torch.OutOfMemoryError: CUDA out of memory.'], {
        told: ['flags: --tp 2', 'gpus: 16GB + 24GB'],
      }),
      { confidence: 'likely', explains: first('mem.static-too-large') },
    ],
    'the warning before a lack of memory, and nobody says how many share': [
      logOf('vllm', [WARNING, 'torch.OutOfMemoryError: CUDA out of memory.'], { told: ['gpus: 16GB + 12GB'] }),
      { confidence: 'possible' },
    ],
    'sizes that were told': [
      logOf('sglang', [UNEVEN('13.53', '23.09')], { told: ['gpus: 16GB + 24GB'] }),
      { confidence: 'likely', cause: says('13.5 GB and 23.1 GB'), remedy: first('CUDA_VISIBLE_DEVICES') },
    ],
    'names that were told': [
      logOf('sglang', [UNEVEN('23.16', '30.41')], { told: ['gpus: RTX 3090 + RTX 5090'] }),
      { confidence: 'likely', because: [says('unbalanced'), 'GPUs: RTX 3090, RTX 5090'] },
    ],
    'free amounts of idle cards': [logOf('sglang', [UNEVEN('15.46', '23.21')]), { confidence: 'likely' }],
    'the warning of vLLM alone': [logOf('vllm', [WARNING]), { confidence: 'possible' }],
  },
  silent: {
    'one card serves, another of another size lies idle': logOf(
      'sglang',
      ['RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.'],
      { told: ['flags: --tp-size 1', 'gpus: 24GB + 8GB'] },
    ),
    'nobody says that they share': logOf('sglang', ['torch.OutOfMemoryError: CUDA out of memory.'], {
      told: ['gpus: 24GB + 8GB'],
    }),
    'the warning, and one card serves': logOf('vllm', [WARNING], { told: ['flags: --tensor-parallel-size 1'] }),
    'the warning, and a good start': logOf('vllm', [WARNING, 'INFO:     Application startup complete.']),
    'alike, one occupied': logOf('sglang', [UNEVEN('5.21', '46.81')], { told: ['gpus: 2x RTX A6000 48GB'] }),
    'idle amounts, and a holder': logOf('sglang', [UNEVEN('23.16', '46.9')], {
      told: ['nvidia_smi: PID 7 holds 23 GiB'],
    }),
    'different, and no trouble': logOf('sglang', [...LOADED, READY], { told: ['gpus: RTX 3090, RTX 4090'] }),
    'two names of one size, out of memory': logOf('sglang', ['torch.OutOfMemoryError: CUDA out of memory.'], {
      told: ['gpus: RTX 3090 24GB, RTX 4090 24GB'],
    }),
  },
})
