import { expect } from 'vitest'
import { dataType } from '../../../src/judge/rules/data-type.ts'
import { logOf, READY } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

ruleTable(dataType, {
  speaks: {
    bfloat16: [
      logOf('vllm', [
        'ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your Tesla T4 GPU has compute capability 7.5.',
      ]),
      { cause: says('Tesla T4, compute capability 7.5'), remedy: first('--dtype half') },
    ],
    FP8: [
      logOf('sglang', [
        "type fp8e4nv not supported in this architecture. The supported fp8 dtypes are ('fp8e4b15', 'fp8e5')",
      ]),
      { remedy: first('AWQ or GPTQ') },
    ],
    'a quantisation': [
      logOf('vllm', [
        'The quantization method modelopt is not supported for the current GPU. Minimum capability: 89. Current capability: 80.',
      ]),
      { cause: says('needs 89, and this one has 80') },
    ],
    'a dtype of a quantisation': [
      logOf('vllm', [
        'ValueError: torch.bfloat16 is not supported for quantization method awq. Supported dtypes: [torch.float16]',
      ]),
      { remedy: first('--dtype half') },
    ],
    'a model': [
      logOf('vllm', [
        "The model type 'gemma2' does not support float16. Reason: Numerical instability. Please use bfloat16 or float32 instead.",
      ]),
      { remedy: first('--dtype bfloat16') },
    ],
  },
  silent: {
    'SGLang, which helps itself': logOf('sglang', [
      'Compute capability below sm80. Use float16 due to lack of bfloat16 support.',
    ]),
    Marlin: logOf('vllm', [
      'WARNING Your GPU does not have native support for FP8 computation but FP8 quantization is being used.',
    ]),
    'a cast': logOf('vllm', ['WARNING Casting torch.bfloat16 to torch.float16.']),
    'transformers, which helps itself': logOf('sglang', [
      'FP8 quantized models is only supported on GPUs with compute capability >= 8.9, dequantizing.',
    ]),
    'a start before': logOf('sglang', ['bfloat16 is only supported on newer GPUs', READY]),
    'no log': logOf(null, []),
  },
})
