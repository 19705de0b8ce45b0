import type { LogWriter } from '../../domain/signature.ts'

/**
 * Words that only one program writes, for a log of which nobody says where it comes from. The first writer of the list of
 * which a word stands in the log is it: Ollama repeats what its llama.cpp says, SGLang names files of vLLM, and the
 * journal holds them all.
 */
export const WRITER_MARKS: readonly (readonly [writer: LogWriter, marks: readonly string[]])[] = [
  [
    'ollama',
    ['source=runner.go', 'source=sched.go', 'source=server.go', 'source=routes.go', 'llama runner', 'ollama['],
  ],
  [
    'sglang',
    [
      'server_args=ServerArgs(',
      'fired up and ready to roll',
      'Scheduler hit an exception',
      'Load weight begin',
      'Load weight end',
      'KV Cache is allocated',
      'Received sigquit from a child',
      'mem-fraction-static',
      'sglang.launch_server',
      'sglang::',
      '/sglang/',
      'sgl_kernel',
    ],
  ],
  [
    'vllm',
    [
      'vLLM API server',
      'EngineCore',
      'APIServer pid=',
      'gpu_memory_utilization',
      'gpu-memory-utilization',
      'Avg prompt throughput',
      'vllm.engine',
      '/vllm/',
      'vllm serve',
      'vllm.entrypoints',
    ],
  ],
  ['llama-cpp', ['llama_model_loader', 'llama_model_load', 'llama-server', 'ggml_cuda', 'llm_load_', 'load_tensors:']],
  ['systemd', ['systemd[', '.service: ']],
]
