import { expect } from 'vitest'
import { staticMemory } from '../../../src/judge/rules/static-memory.ts'
import { LOADED, logOf, READY } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

const BARE = 'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.'
const SMALL = `${BARE} Current value: mem_fraction_static=0.85`
const OUT = 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 896.00 MiB.'
const END = (type: string) =>
  `[t] Load weight end. type=${type}, dtype=torch.bfloat16, avail mem=19.80 GB, mem usage=27.02 GB.`

ruleTable(staticMemory, {
  speaks: {
    'with the numbers of the weights, which leave room: states of a hybrid model took it': [
      logOf('sglang', [END('Qwen3_5ForConditionalGeneration'), SMALL], {
        told: ['flags: --max-running-requests 48 --mamba-full-memory-ratio 0.9'],
      }),
      {
        code: 'mem.static-too-small',
        confidence: 'certain',
        cause: says('(0.85)'),
        remedy: [
          says('--mem-fraction-static 0.88 instead of 0.85'),
          says('--max-running-requests 16 instead of 48'),
          says('--mamba-full-memory-ratio 0.5 instead of 0.9'),
        ],
        excludes: [says('19.8 GB of 46.8 GB'), says('12.8 GB')],
      },
    ],
    'with the minimum that SGLang prints': [
      logOf('sglang', [
        'ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=0.3. Raise --mem-fraction-static above 0.320 (minimum viable = 1 - available/pre = 0.3198).',
      ]),
      { code: 'mem.static-too-small', remedy: first('--mem-fraction-static 0.37 instead of 0.3') },
    ],
    'with what is missing': [
      logOf(
        'sglang',
        [
          'RuntimeError: Not enough GPU memory for hybrid (mamba/linear-attention) state cache. Computed max_mamba_cache_size=-28 (total_rest_memory=-7.96 GB, mamba_cache_per_req=146.81 MB).',
        ],
        { told: ['flags: --mem-fraction-static 0.6', 'gpu: 80GB'] },
      ),
      { code: 'mem.static-too-small', remedy: first('--mem-fraction-static 0.73 instead of 0.6') },
    ],
    'without numbers': [
      logOf('sglang', [BARE]),
      { code: 'mem.static-too-small', remedy: first('by 0.03, to 0.95 at most') },
    ],
    'weights that fill the card': [
      logOf('sglang', ['[t] Load weight end. type=X, avail mem=1.20 GB, mem usage=22.40 GB.', SMALL]),
      { code: 'mem.does-not-fit', remedy: first('more GPUs'), explains: ['mem.static-too-small'] },
    ],
    'both at neighbouring fractions': [
      logOf('sglang', ['# --mem-fraction-static 0.85', OUT, '# --mem-fraction-static 0.84', BARE], {
        told: ['flags: a draft model'],
      }),
      {
        code: 'mem.does-not-fit',
        cause: says('No static fraction works'),
        remedy: first('without speculative decoding'),
        explains: ['mem.static-too-small', 'mem.static-too-large', 'mem.cuda-graph'],
      },
    ],
    'both, far apart': [
      logOf('sglang', ['# --mem-fraction-static 0.9', OUT, '# --mem-fraction-static 0.6', BARE]),
      { code: 'mem.static-too-small', remedy: first('--mem-fraction-static 0.63 instead of 0.6') },
    ],
  },
  silent: {
    'memory of the host': logOf('sglang', [
      'ValueError: Not enough host memory available. Requesting 96.00 GB but only have 51.30 GB free.',
    ]),
    'only out of memory': logOf('sglang', [OUT]),
    'a start that was got over': logOf('sglang', [SMALL, ...LOADED, READY]),
    'a good start': logOf('sglang', [
      ...LOADED,
      '[t] KV Cache is allocated. #tokens: 180211, K size: 6.88 GB, V size: 6.88 GB',
      READY,
    ]),
    'a cap of the state cache': logOf('sglang', [
      'max_running_requests is capped to 8 by the mamba state cache (max_mamba_cache_size=40, 5 per request).',
    ]),
    vLLM: logOf('vllm', ['ValueError: No available memory for the cache blocks.']),
    'no log': logOf(null, []),
    'the advice in a guide': logOf('sglang', ['see --mem-fraction-static in the guide']),
  },
})
