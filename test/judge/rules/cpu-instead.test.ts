import { expect } from 'vitest'
import { cpuInstead } from '../../../src/judge/rules/cpu-instead.ts'
import { logged, ORDINARY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const says = (words: string) => expect.stringContaining(words)
const wrong = { verdict: 'misconfigured', confidence: 'likely', cause: says('runs on the CPU') } as const
const first = (why: string, name = 'CUDA') => `ggml_cuda_init: failed to initialize ${name}: ${why}`
const NONE = 'no CUDA-capable device is detected'
const STARTED = 'main: server is listening on http://127.0.0.1:8080'
const OLLAMA = [
  'time=t level=INFO source=gpu.go:217 msg="looking for compatible GPUs"',
  'time=t level=INFO source=gpu.go:377 msg="no compatible GPUs were discovered"',
  'time=t level=INFO source=types.go:130 msg="inference compute" id=0 library=cpu variant=avx2 compute="" driver=0.0',
]
const TOO_OLD = 'time=t level=INFO source=gpu.go:319 msg="[0] CUDA GPU is too old. Compute Capability detected: 3.5"'
const ON_CARD =
  'time=t level=INFO source=types.go:131 msg="inference compute" id=GPU-1 library=cuda variant=v12 compute=8.9'

ruleTable(cpuInstead, {
  speaks: {
    'llama.cpp that started': [
      logged([first(NONE), 'load_backend: loaded CUDA backend from /app/libggml-cuda.so', STARTED]),
      { ...wrong, code: 'driver.not-loaded', remedy: expect.arrayContaining([says('nvidia-smi must list')]) },
    ],
    'in a container': [
      logged([first(NONE), STARTED], ['command: docker run -p 8080:8080 demo']),
      { ...wrong, code: 'driver.not-in-container', remedy: [says('--gpus all'), says('nvidia-smi'), says('unset')] },
    ],
    'of AMD': [logged(first('no ROCm-capable device is detected', 'ROCm')), { ...wrong, code: 'driver.not-loaded' }],
    'a driver that is too old': [
      logged([first('CUDA driver version is insufficient for CUDA runtime version'), STARTED]),
      { ...wrong, code: 'driver.too-old', unless: says('not old') },
    ],
    'a driver that does not start': [
      logged([first('unknown error'), STARTED]),
      { ...wrong, code: 'driver.init-failed', cause: says('(unknown error)') },
    ],
    'Ollama, beside a card': [
      logged(OLLAMA, ['gpus: 1x RTX 4090']),
      { ...wrong, code: 'driver.not-loaded', because: [says('no compatible GPUs'), 'told: gpus “1x RTX 4090”'] },
    ],
    'a newer Ollama, beside a card': [
      logged('time=t level=INFO source=types.go:60 msg="inference compute" id=cpu library=cpu compute=""', [
        'machine.gpu: NVIDIA RTX A6000',
      ]),
      { ...wrong, code: 'driver.not-loaded' },
    ],
    'Ollama, beside cards of a data centre': [
      logged(OLLAMA, ['machine: Supermicro server', 'gpus: 2x A100 80GB']),
      { ...wrong, because: [says('no compatible GPUs'), 'told: gpus “2x A100 80GB”'] },
    ],
    'Ollama, beside a card that lacks something': [
      logged(OLLAMA, ['gpu: Tesla P40 without display']),
      { ...wrong, code: 'driver.not-loaded' },
    ],
    'Ollama with a card that is too old': [
      logged([TOO_OLD, ...OLLAMA], ['gpu: Tesla K80']),
      { code: 'build.arch', confidence: 'certain', cause: says('(compute capability 3.5)') },
    ],
  },
  silent: {
    'a card that is too old, beside one that is used': logged([TOO_OLD, ON_CARD]),
    ...ORDINARY,
    'another backend took the layers': logged([first(NONE), 'load_tensors: offloaded 33/33 layers to GPU', STARTED]),
    'memory that ran out': logged(first('out of memory')),
    'Ollama of which nobody tells a card': logged(OLLAMA),
    'Ollama on a machine without a card': logged(OLLAMA, ['gpus: none', 'cpu: AMD Ryzen 7, AVX2']),
    ...Object.fromEntries(
      [
        ['machine', 'ThinkPad T480'],
        ['hardware', 'B650 board, Ryzen 7'],
        ['machine', 'mini PC without any NVIDIA card'],
        ['gpu', 'none (no NVIDIA GPU in this box)'],
        ['device', 'Latitude A100 notebook'],
        ['nvidia_smi', 'NVIDIA-SMI has failed'],
      ].map(([name, value]) => [`Ollama on a ${name}: ${value}`, logged(OLLAMA, [`${name}: ${value}`])]),
    ),
    'Ollama that found the card later': logged([...OLLAMA, ON_CARD], ['gpus: 1x RTX 4090']),
    'Ollama with a card that it does not know': logged(
      [
        'time=t level=WARN source=amd_linux.go:378 msg="amdgpu is not supported (supported types:[gfx1030])" gpu_type=gfx803',
        ...OLLAMA,
      ],
      ['gpu: Radeon RX 580'],
    ),
    'a card that is used': logged(ON_CARD, ['gpus: 1x RTX 4090']),
  },
})
