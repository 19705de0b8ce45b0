import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { flagsOf } from '../flags.ts'
import { lastSign, quotedSign, signsOf } from '../log/signs.ts'
import { inGb, numberIn } from '../memory.ts'
import { insteadOf } from '../remedies.ts'
import { quotedTold } from '../told.ts'

/** llama.cpp and Ollama find no memory for weights, KV cache or compute buffers. They may retry with less, and succeed. */
export const llamaMemory: Rule = {
  codes: ['mem.does-not-fit'],
  signatures: [
    {
      name: 'llama-no-buffer',
      anchors: [
        'cudaMalloc failed: out of memory',
        'hipMalloc failed: out of memory',
        'unable to allocate',
        'failed to allocate compute',
        'failed to allocate buffer',
        'alloc_tensor_range: failed',
        'ErrorOutOfDeviceMemory',
        'kIOGPUCommandBufferCallbackErrorOutOfMemory',
        'Device memory allocation of size',
        'failed to allocate buffer for kv cache',
      ],
      pattern:
        /(?:allocating (?<mib>\d{1,8}(?:\.\d+)?) MiB on device (?<device>\d{1,3}): )?(?:cuda|hip)Malloc failed: out of memory|unable to allocate (?:\S{1,30} )?(?:backend )?buffer|failed to allocate (?:compute (?:pp |tg )?buffers?|buffer(?: for kv cache| of size)?)|alloc_tensor_range: failed to allocate|ErrorOutOfDeviceMemory|kIOGPUCommandBufferCallbackErrorOutOfMemory|Device memory allocation of size \d+ failed/,
      example:
        'ggml_backend_cuda_buffer_type_alloc_buffer: allocating 18432.00 MiB on device 0: cudaMalloc failed: out of memory',
      nearMiss: 'llama_kv_cache: CUDA0 KV buffer size = 1024.00 MiB',
    },
    {
      name: 'ollama-too-little',
      anchors: ['requires more system memory'],
      pattern:
        /model requires more system memory \((?<needs>\d{1,5}\.?\d*) (?<unit>[KMG]i?B)\) than is available \((?<has>\d{1,5}\.?\d*) (?<of>[KMG]i?B)\)/,
      example: 'Error: model requires more system memory (24.1 GiB) than is available (9.8 GiB)',
      nearMiss: 'model requires system memory (24.1 GiB)',
    },
    {
      name: 'llama-started',
      anchors: ['llama runner started in', 'server is listening on', 'model loaded'],
      pattern: /llama runner started in|server is listening on|main: model loaded/,
      example: 'time=t level=INFO source=server.go:634 msg="llama runner started in 4.52 seconds"',
      nearMiss: 'msg="starting llama server"',
    },
  ],
  check(evidence) {
    const started = lastSign(evidence, 'llama-started')?.at ?? 0
    const sign = signsOf(evidence, 'llama-no-buffer', 'ollama-too-little').find(({ at }) => at > started)
    return sign === undefined ? [] : [tooLarge(evidence, sign)]
  },
}

function tooLarge(evidence: Evidence, sign: Sign): Finding {
  const { needs, unit, has, of, mib } = sign.fields
  const isHost = needs !== undefined
  const asked = numberIn(mib)
  const amount = asked === null ? '' : ` It asked for ${inGb(asked / 1024)} at once.`
  const told = (evidence.told ?? []).filter((line) =>
    /^(?:\w{1,60}\.)?(?:model|gpu|vram|ram|memory)\w*: .{0,40}\d ?G/i.test(line),
  )
  return {
    code: 'mem.does-not-fit',
    verdict: 'misconfigured',
    cause: isHost
      ? `The model needs ${needs} ${unit} of memory, and ${has} ${of} are free.`
      : `The model, with its KV cache and buffers, is larger than the memory at hand.${amount}`,
    because: [quotedSign(sign), ...told.slice(0, 4).map(quotedTold)],
    remedy: remedies(evidence),
    confidence: 'certain',
    unless:
      'another process holds the memory: see nvidia-smi and free -h; with Ollama, ollama ps and ollama stop MODEL.',
    at: sign.at,
  }
}

function remedies(evidence: Evidence): string[] {
  const flags = flagsOf(evidence)
  const context = flags.get('ctx-size')
  const smaller = 'Take a smaller model or a smaller quantisation of it (Q4_K_M in place of Q8_0 or F16).'
  if (evidence.log?.writer === 'ollama') {
    return [
      smaller,
      'Or need less: OLLAMA_CONTEXT_LENGTH=4096 OLLAMA_NUM_PARALLEL=1 OLLAMA_MAX_LOADED_MODELS=1, then restart Ollama; end other models with ollama stop MODEL.',
    ]
  }
  return [
    `Put fewer layers on the GPU: ${fewerLayers(flags.get('n-gpu-layers'))}; the others run on the CPU, slower.`,
    `Or need less: -c ${context === undefined || Number(context) <= 4096 ? 4096 : Math.floor(Number(context) / 2)} --parallel 1 -ub 256${context === undefined ? '' : ` (the context is ${context} now)`}.`,
    smaller,
  ]
}

/** `all`, and a switch without a number, are no count that could be halved. */
function fewerLayers(layers: string | undefined): string {
  const count = Number(layers)
  const next = Number.isNaN(count) || count < 2 ? 20 : Math.floor(count / 2)
  return insteadOf(`-ngl ${next}`, layers === 'true' ? null : (layers ?? null))
}
