import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { standing } from '../log/outlived.ts'
import { quotedSign, signsOf } from '../log/signs.ts'

/** A quantised KV cache that the engine refuses, or one without scales, which costs exactness. */
export const kvQuant: Rule = {
  codes: ['config.kv-quant'],
  signatures: [
    {
      name: 'kv-needs-flash-attention',
      anchors: ['requires Flash Attention', 'requires flash_attn', 'requires flash attention'],
      pattern: /[Vv] cache.{0,60}requires (?:Flash Attention|flash_attn|flash attention)/,
      example: 'llama_init_from_model: V cache quantization requires flash_attn',
      nearMiss: 'msg="flash attention enabled, V cache q8_0"',
    },
    {
      name: 'kv-block',
      anchors: [' cache type ', 'quantized KV cache'],
      pattern:
        /[KV] cache type \S{1,20} with block size \d{1,6} does not divide|quantized KV cache (?:is not supported|requested but)/,
      example: 'llama_init_from_model: K cache type q4_0 with block size 32 does not divide n_embd_head_k=80',
      nearMiss: 'llama_kv_cache: K cache type q8_0, 512.00 MiB',
    },
    {
      name: 'kv-refused',
      anchors: [
        'kv-cache is not supported',
        'does not support fp8 kv',
        'Only support per-tensor scaling factor',
        'kv_cache_dtype',
        'kv-cache-dtype',
      ],
      pattern:
        /fp8\w{0,6} kv-cache is not supported with|does not support fp8 kv[-_ ]cache|Only support per-tensor scaling factor for fp8 KV cache|(?:ValueError|NotImplementedError|AssertionError|RuntimeError): .{0,80}kv[-_]cache[-_]dtype.{0,80}(?:not supported|unsupported|is only supported|invalid)/,
      example: 'ValueError: fp8_e5m2 kv-cache is not supported with fp8 checkpoints.',
      nearMiss: 'INFO Using fp8 data type to store kv cache. It reduces the GPU memory footprint.',
    },
    {
      name: 'kv-no-scales',
      anchors: [
        'no scaling factors provided',
        'KV cache scaling factor 1.0',
        'uncalibrated q_scale',
        'scaling factors of 1.0',
        'scaling factor of 1.0',
      ],
      pattern:
        /KV cache but no scaling factors? (?:is |are )?provided|Using KV cache scaling factor 1\.0 for fp8|uncalibrated q_scale 1\.0|[Dd]efaulting to scaling factors? of 1\.0/,
      example:
        'WARNING Using KV cache scaling factor 1.0 for fp8_e4m3. If this is unintended, verify that k/v_scale scaling factors are properly set in the checkpoint.',
      nearMiss: 'Using KV cache scaling factors from the checkpoint for fp8_e4m3.',
    },
  ],
  check(evidence) {
    const [refused] = standing(evidence, 'kv-needs-flash-attention', 'kv-block', 'kv-refused')
    if (refused !== undefined) return [refusal(refused)]
    const [unscaled] = signsOf(evidence, 'kv-no-scales')
    return unscaled === undefined ? [] : [withoutScales(evidence, unscaled)]
  },
}

function refusal(sign: Sign): Finding {
  const isLlama = sign.name !== 'kv-refused'
  return {
    code: 'config.kv-quant',
    verdict: 'misconfigured',
    cause:
      sign.name === 'kv-needs-flash-attention'
        ? 'The V cache is to be quantised, and that needs Flash Attention, which is off.'
        : 'The KV cache is to be quantised in a way that this model, its checkpoint or this attention backend does not take.',
    because: [quotedSign(sign)],
    remedy: isLlama
      ? [
          ...(sign.name === 'kv-needs-flash-attention'
            ? ['Start with Flash Attention: -fa on (Ollama: OLLAMA_FLASH_ATTENTION=1).']
            : []),
          'Or leave the cache as it is: --cache-type-v f16 --cache-type-k f16 (Ollama: OLLAMA_KV_CACHE_TYPE=f16).',
        ]
      : [
          'Start with --kv-cache-dtype auto.',
          'Or one that fits the checkpoint: --kv-cache-dtype fp8_e4m3 with weights in FP8; another --attention-backend where the message names the backend.',
        ],
    confidence: 'certain',
    explains: ['engine.invariant'],
    at: sign.at,
  }
}

/** A remark where somebody got a good answer already. */
function withoutScales({ smoke }: Evidence, sign: Sign): Finding {
  return {
    code: 'config.kv-quant',
    verdict: 'degraded',
    cause:
      'The KV cache is kept in FP8 without scaling factors (1.0 is taken): answers may be less exact, long reasoning most of all.',
    because: [quotedSign(sign)],
    remedy: [
      'Start with --kv-cache-dtype auto (leave the FP8 flag out): the cache takes twice the memory and is exact.',
      'Or serve a checkpoint that carries k_scale and v_scale, or give them (SGLang --quantization-param-path FILE, vLLM --calculate-kv-scales).',
    ],
    confidence: smoke === undefined ? 'likely' : 'possible',
    unless: 'answers were compared with those of an unquantised cache and are as good.',
    at: sign.at,
  }
}
