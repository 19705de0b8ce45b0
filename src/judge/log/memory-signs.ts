import type { Signature } from '../../domain/signature.ts'

/** Lines about the memory of GPUs that several rules look at: what was free, what was asked, and where it ended. */
export const memorySignatures: readonly Signature[] = [
  {
    name: 'memory-weights-begin',
    anchors: ['Load weight begin'],
    pattern: /Load weight begin\. avail mem=(?<free>\d{1,4}(?:\.\d+)?) GB/,
    example: '[2026-05-01 10:00:02 TP0] Load weight begin. avail mem=46.81 GB',
    nearMiss: '[2026-05-01 10:00:02 TP0] Load weight begin.',
  },
  {
    name: 'memory-weights-end',
    anchors: ['Load weight end'],
    pattern:
      /Load weight end\..{0,200}?avail mem=(?<free>\d{1,4}(?:\.\d+)?) GB(?:, mem usage=(?<used>\d{1,4}(?:\.\d+)?) GB)?/,
    example:
      '[t] Load weight end. type=Qwen3ForCausalLM, dtype=torch.bfloat16, avail mem=30.10 GB, mem usage=15.30 GB.',
    nearMiss: '[t] Load weight end.',
  },
  {
    name: 'memory-fraction',
    anchors: ['mem-fraction-static', 'mem_fraction_static'],
    pattern: /mem[-_]fraction[-_]static[= ]'?(?<value>0?\.\d{1,4})/,
    example: '# second try with --mem-fraction-static 0.84',
    nearMiss: 'Please try to increase --mem-fraction-static.',
  },
  {
    name: 'memory-too-small',
    anchors: ['Please try to increase --mem-fraction-static'],
    pattern: /Please try to increase --mem-fraction-static/,
    example: 'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.',
    nearMiss: 'Not enough host memory available. Requesting 120.00 GB but only have 60.00 GB free.',
  },
  {
    name: 'memory-no-room',
    anchors: ['leave no GPU memory for the KV cache'],
    pattern:
      /leave no GPU memory for the KV cache(?: under --mem-fraction-static=(?<now>\d?\.\d+))?(?:.{0,80}?above (?<least>\d?\.\d+))?/,
    example:
      'ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=0.3. Raise --mem-fraction-static above 0.320',
    nearMiss: 'GPU memory for the KV cache: 12.1 GB',
  },
  {
    name: 'memory-state-cache',
    anchors: ['Not enough GPU memory for hybrid', 'state cache is too small to serve'],
    pattern:
      /(?:Not enough GPU memory for hybrid .{0,60}state cache|state cache is too small to serve any\s+requests)(?:.{0,120}?total_rest_memory=(?<rest>-?\d+(?:\.\d+)?) GB)?(?:.{0,40}?mamba_cache_per_req=(?<each>\d+(?:\.\d+)?) MB)?/,
    example:
      'RuntimeError: Not enough GPU memory for hybrid (mamba/linear-attention) state cache. Computed max_mamba_cache_size=-28 (total_rest_memory=-7.96 GB, mamba_cache_per_req=146.81 MB).',
    nearMiss: 'max_running_requests is capped to 8 by the mamba state cache (max_mamba_cache_size=40, 5 per request).',
  },
  {
    name: 'memory-out',
    anchors: [
      'out of memory',
      'OutOfMemoryError: ',
      'CUBLAS_STATUS_ALLOC_FAILED',
      'cudaErrorMemoryAllocation',
      'NVML_SUCCESS == r INTERNAL ASSERT FAILED',
    ],
    pattern:
      /^(?!.*(?:Received request|prompt: |"GET |"POST |cudaMalloc|hipMalloc|unable to allocate)).*(?:(?:CUDA|HIP|XPU|NPU) out of memory|(?:CUDA|HIP) error: out of memory|(?:CUDA|Cuda|HIP) failure (?:\d )?'out of memory'|OutOfMemoryError: |(?:Prefill|Decode) out of memory|CUBLAS_STATUS_ALLOC_FAILED|cudaErrorMemoryAllocation|NVML_SUCCESS == r INTERNAL ASSERT FAILED at .{0,120}CachingAllocator)/,
    example: 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 896.00 MiB.',
    nearMiss: "INFO Received request cmpl-1: prompt: 'why CUDA out of memory?', params: SamplingParams(n=1)",
  },
  {
    name: 'memory-graph-failed',
    anchors: ['cuda graph failed', 'CUDA graph failed', 'CUDA graph capture failed'],
    pattern: /(?:Capture (?:\w+ ){0,4}(?:cuda|CUDA) graph failed|CUDA graph capture failed)(?:: (?<why>.*))?/,
    example: 'Exception: Capture cuda graph failed: CUDA out of memory. Tried to allocate 224.00 MiB.',
    nearMiss: '[t TP0] Capture cuda graph begin. This can take up to several minutes.',
  },
  {
    name: 'memory-frame',
    anchors: [
      'in load_model',
      'in load_weights',
      'in create_weights',
      'in process_weights_after_loading',
      'in init_memory_pool',
      'in initialize_kv_cache',
      'in capture',
      'graph_runner.py',
      'in profile_run',
      'in determine_available_memory',
      'in determine_num_available_blocks',
      'in forward_extend',
      'in forward_decode',
      'in forward_batch_generation',
      'in execute_model',
    ],
    pattern:
      /, in (?<frame>load_model|load_weights|create_weights|process_weights_after_loading|init_memory_pool|initialize_kv_cache|capture_model|capture_one_batch_size|capture|profile_run|determine_available_memory|determine_num_available_blocks|forward_extend|forward_decode|forward_batch_generation|execute_model)\b|(?<runner>graph_runner\.py)/,
    example: '  File "/venv/sglang/srt/model_executor/model_runner.py", line 700, in load_model',
    nearMiss: 'the log of what happened in load_models',
  },
]
