import { expect } from 'vitest'
import { llamaMemory } from '../../../src/judge/rules/llama-memory.ts'
import { logOf } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

ruleTable(llamaMemory, {
  speaks: {
    weights: [
      logOf(
        'llama-cpp',
        [
          'x: allocating 18432.00 MiB on device 0: cudaMalloc failed: out of memory',
          'error loading model: unable to allocate CUDA0 buffer',
        ],
        { told: ['flags: -ngl 99 -c 65536'] },
      ),
      {
        code: 'mem.does-not-fit',
        cause: says('18.0 GB'),
        remedy: [
          says('-ngl 49 instead of 99'),
          says('-c 32768 --parallel 1 -ub 256 (the context is 65536 now)'),
          says('smaller model'),
        ],
      },
    ],
    'a wrapper of Ollama': [
      logOf(
        'ollama',
        ['Error: llama runner process has terminated: error loading model: unable to allocate backend buffer'],
        { told: ['model: 40G', 'gpu: 2G'] },
      ),
      {
        code: 'mem.does-not-fit',
        because: [says('unable to allocate'), 'told: model “40G”', 'told: gpu “2G”'],
        remedy: first('smaller model'),
      },
    ],
    'memory of the host': [
      logOf('ollama', ['Error: model requires more system memory (24.1 GiB) than is available (9.8 GiB)']),
      { code: 'mem.does-not-fit', cause: says('24.1 GiB') },
    ],
    'a compute buffer': [
      logOf('llama-cpp', ['failed to initialize the context: failed to allocate compute pp buffers']),
      { code: 'mem.does-not-fit' },
    ],
    'a KV cache': [
      logOf('llama-cpp', ['llama_kv_cache: failed to allocate buffer for kv cache']),
      { code: 'mem.does-not-fit' },
    ],
    Vulkan: [
      logOf('llama-cpp', ['ggml_vulkan: vk::Device::allocateMemory: ErrorOutOfDeviceMemory']),
      { code: 'mem.does-not-fit' },
    ],
  },
  silent: {
    'a retry that went well': logOf('llama-cpp', [
      'x: cudaMalloc failed: out of memory',
      'main: server is listening on http://127.0.0.1:8080',
    ]),
    'a retry of Ollama': logOf('ollama', [
      'cudaMalloc failed: out of memory',
      'msg="llama runner started in 6.11 seconds"',
    ]),
    buffers: logOf('llama-cpp', ['llama_kv_cache: CUDA0 KV buffer size = 1024.00 MiB']),
    'free memory': logOf('ollama', ['msg="gpu memory" available="22.1 GiB" free="22.5 GiB"']),
    torch: logOf('vllm', ['torch.OutOfMemoryError: CUDA out of memory.']),
    'an offload': logOf('llama-cpp', ['load_tensors: offloaded 33/33 layers to GPU']),
    'no log': logOf(null, []),
  },
})
