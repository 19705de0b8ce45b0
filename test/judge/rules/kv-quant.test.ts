import { expect } from 'vitest'
import { kvQuant } from '../../../src/judge/rules/kv-quant.ts'
import { logOf, READY } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'
import { smokeOf } from '../samples.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

ruleTable(kvQuant, {
  speaks: {
    'llama.cpp': [
      logOf('llama-cpp', [
        'failed to initialize the context: quantized V cache was requested, but this requires Flash Attention',
      ]),
      { verdict: 'misconfigured', remedy: [says('-fa on'), says('f16')] },
    ],
    'older llama.cpp': [
      logOf('llama-cpp', ['llama_init_from_model: V cache quantization requires flash_attn']),
      { verdict: 'misconfigured' },
    ],
    'heads of odd size': [
      logOf('llama-cpp', ['K cache type q4_0 with block size 32 does not divide n_embd_head_k=80']),
      { remedy: [says('f16')] },
    ],
    'an FP8 checkpoint': [
      logOf('vllm', ['ValueError: fp8_e5m2 kv-cache is not supported with fp8 checkpoints.']),
      { remedy: first('--kv-cache-dtype auto') },
    ],
    'no scales': [
      logOf('sglang', [
        'Using FP8 KV cache but no scaling factors provided. Defaulting to scaling factors of 1.0. This may lead to less accurate results!',
        READY,
      ]),
      { verdict: 'degraded', confidence: 'likely' },
    ],
    'no scales, vLLM': [
      logOf('vllm', [
        'Using KV cache scaling factor 1.0 for fp8_e4m3. If this is unintended, verify that k/v_scale scaling factors are properly set in the checkpoint.',
      ]),
      { verdict: 'degraded' },
    ],
    'no scales beside a good answer': [
      logOf('vllm', ['Using KV cache scaling factor 1.0 for fp8_e4m3.'], { smoke: smokeOf() }),
      { confidence: 'possible' },
    ],
  },
  silent: {
    'a choice': logOf('vllm', [
      'INFO Using fp8 data type to store kv cache. It reduces the GPU memory footprint and boosts the performance. Meanwhile, it may cause accuracy drop without a proper scaling factor',
    ]),
    'a cache': logOf('llama-cpp', ['llama_kv_cache: K (q8_0):  256.00 MiB, V (q8_0):  256.00 MiB']),
    scales: logOf('vllm', ['Using KV cache scaling factors from the checkpoint for fp8_e4m3.']),
    'a q scale': logOf('vllm', [
      'Checkpoint does not provide a q scaling factor. Setting it to k_scale. This only matters for FP8 Attention backends (flash-attn or flashinfer).',
    ]),
    'flash attention': logOf('llama-cpp', ['llama_context: flash_attn    = enabled']),
    'a start before': logOf('llama-cpp', [
      'V cache quantization requires flash_attn',
      'main: server is listening on http://127.0.0.1:8080',
    ]),
    'a dtype': logOf('sglang', ["server_args=ServerArgs(kv_cache_dtype='auto')"]),
    'no log': logOf(null, []),
  },
})
