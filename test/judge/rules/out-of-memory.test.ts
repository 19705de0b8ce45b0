import { expect } from 'vitest'
import { outOfMemory } from '../../../src/judge/rules/out-of-memory.ts'
import { LOADED, logOf, READY } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

const BEGIN = '[t TP0] Load weight begin. avail mem=23.30 GB'
const NVML =
  'RuntimeError: NVML_SUCCESS == r INTERNAL ASSERT FAILED at "../c10/cuda/CUDACachingAllocator.cpp":838, please report a bug to PyTorch.'
const OUT = 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 224.00 MiB.'

ruleTable(outOfMemory, {
  speaks: {
    'of NCCL, below its own error': [
      logOf('sglang', [
        'torch.distributed.DistBackendError: NCCL error in: NCCLUtils.cpp:77, unhandled cuda error, NCCL version 2.27.3',
        'Last error:',
        "Cuda failure 2 'out of memory'",
      ]),
      { code: 'mem.static-too-large', because: ["log line 3: “Cuda failure 2 'out of memory'”"] },
    ],
    'of NCCL, of newer releases': [
      logOf('vllm', ["gpu1:240:240 [0] transport/nvls.cc:1 NCCL WARN Cuda failure 'out of memory'"]),
      { code: 'mem.static-too-large' },
    ],
    'a report of it that failed': [
      logOf('vllm', [NVML]),
      {
        code: 'mem.static-too-large',
        confidence: 'likely',
        cause: says('could not even report it'),
        unless: says('nvidia-smi'),
      },
    ],
    'a report of it that failed while weights loaded': [
      logOf('sglang', [BEGIN, NVML]),
      { code: 'mem.does-not-fit', cause: says('could not even report it') },
    ],
    'while weights load': [
      logOf('sglang', [BEGIN, OUT], { told: ['flags: --tp-size 2'] }),
      {
        code: 'mem.does-not-fit',
        cause: says('no effect'),
        remedy: first('--tp-size 4'),
        excludes: [says('the static fraction')],
      },
    ],
    'while weights load, by the traceback': [
      logOf('vllm', [
        '  File "/v/worker.py", line 200, in load_model',
        '  File "/v/linear.py", line 111, in create_weights',
        OUT,
      ]),
      { code: 'mem.does-not-fit' },
    ],
    'while weights load, in a start that does not say so': [
      logOf('sglang', [
        "[t] server_args=ServerArgs(model_path='/m', tp_size=1)",
        `${OUT} GPU 0 has a total capacity of 79.15 GiB of which 300.00 MiB is free. Process 12 has 78.86 GiB memory in use. Of the allocated memory 77.90 GiB is allocated by PyTorch, and 100.00 MiB is reserved by PyTorch but unallocated.`,
      ]),
      { code: 'mem.does-not-fit' },
    ],
    'at work, of a share that goes down': [
      logOf('vllm', ['INFO:     Application startup complete.', OUT], {
        told: ['flags: --gpu-memory-utilization 0.87'],
      }),
      { code: 'mem.static-too-large', remedy: first('--gpu-memory-utilization 0.82 instead of 0.87') },
    ],
    'at work, of a share that is little already': [
      logOf('vllm', ['INFO:     Application startup complete.', OUT], {
        told: ['flags: --gpu-memory-utilization 0.054'],
      }),
      { code: 'mem.static-too-large', remedy: first('0.054 is little already') },
    ],
    'at work, the engine named by its number on the host': [
      logOf('sglang', [
        READY,
        `${OUT} GPU 0 has a total capacity of 47.40 GiB of which 590.44 MiB is free. Process 8123 has 46.81 GiB memory in use. Of the allocated memory 44.02 GiB is allocated by PyTorch, and 310.77 MiB is reserved by PyTorch but unallocated.`,
      ]),
      { code: 'mem.static-too-large', unless: expect.not.stringContaining('46.8') },
    ],
    'in the trial run of vLLM': [
      logOf('vllm', [
        '  File "/v/gpu_model_runner.py", line 1, in profile_run',
        '  File "/v/m.py", line 2, in execute_model',
        OUT,
      ]),
      { code: 'mem.does-not-fit', cause: says('largest batch'), remedy: first('--max-num-batched-tokens 2048') },
    ],
    'at the graphs, with what was free': [
      logOf(
        'sglang',
        [
          ...LOADED,
          '[t TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=1.10 GB',
          `Exception: Capture cuda graph failed: ${OUT}`,
        ],
        { told: ['flags: --mem-fraction-static 0.95'] },
      ),
      { code: 'mem.cuda-graph', confidence: 'certain', remedy: first('--mem-fraction-static 0.86 instead of 0.95') },
    ],
    'at the graphs of vLLM': [
      logOf(
        'vllm',
        [
          'INFO GPU KV cache size: 212,000 tokens',
          'Capturing CUDA graphs (mixed prefill-decode, PIECEWISE):  31%',
          OUT,
        ],
        { told: ['flags: --gpu-memory-utilization 0.92'] },
      ),
      { code: 'mem.cuda-graph', remedy: first('--gpu-memory-utilization 0.87 instead of 0.92') },
    ],
    'at the pools': [
      logOf('sglang', [...LOADED, OUT]),
      { code: 'mem.static-too-large', cause: says('pools'), remedy: first('Lower --mem-fraction-static') },
    ],
    'at work': [
      logOf('sglang', [...LOADED, READY, OUT], { told: ['flags: --mem-fraction-static 0.92'] }),
      { code: 'mem.static-too-large', remedy: first('--mem-fraction-static 0.87 instead of 0.92') },
    ],
    'at work, in a prefill': [
      logOf('sglang', [READY, 'RuntimeError: Prefill out of memory. Try to lower your batch size.']),
      { code: 'mem.static-too-large', remedy: first('--chunked-prefill-size 2048') },
    ],
    'nobody knows when': [
      logOf(null, [OUT]),
      { code: 'mem.static-too-large', cause: says('does not show'), missing: [says('the lines above')] },
    ],
    'the warm-up of the sampler': [
      logOf('vllm', [
        'RuntimeError: CUDA out of memory occurred when warming up sampler with 256 dummy requests. Please try lowering `max_num_seqs` or `gpu_memory_utilization`.',
      ]),
      { code: 'mem.static-too-large', remedy: first('0.85') },
    ],
    'llama.cpp at work': [
      logOf('llama-cpp', ['main: server is listening on http://127.0.0.1:8080', 'CUDA error: out of memory']),
      { code: 'mem.static-too-large', remedy: first('-ngl 20') },
    ],
  },
  silent: {
    'a prompt about it': logOf('vllm', [
      `INFO Received request c-1: prompt: 'What is ${OUT}', params: SamplingParams(n=1)`,
    ]),
    'a card that was full before': logOf('sglang', ['[t] Init torch distributed begin.', OUT]),
    'graphs that failed for another reason': logOf('sglang', [
      'Exception: Capture cuda graph failed: Ninja build failed.',
      '1. set --mem-fraction-static to a smaller value (e.g., 0.8 or 0.7)',
    ]),
    'a start before': logOf('sglang', [OUT, ...LOADED, READY]),
    'too small': logOf('sglang', ['RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.']),
    'a full cache': logOf('sglang', [READY, '[t TP0] KV cache pool is full. Retract requests.']),
    'the host': logOf('systemd', ['kernel: Out of memory: Killed process 3121 (python3)']),
    'llama.cpp, which retries': logOf('llama-cpp', [
      'alloc: allocating 900.00 MiB on device 0: cudaMalloc failed: out of memory',
    ]),
    'a good start': logOf('sglang', [...LOADED, READY]),
    'no log': logOf(null, []),
    'a note about OutOfMemoryError': logOf(null, ['see the chapter about OutOfMemoryError']),
    'a good capture': logOf('sglang', [
      '[t] Capture cuda graph end. Time elapsed: 9.80 s. mem usage=1.20 GB. avail mem=4.90 GB',
    ]),
  },
})
