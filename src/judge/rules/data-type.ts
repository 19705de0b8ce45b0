import type { Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { standing } from '../log/outlived.ts'
import { quotedSign } from '../log/signs.ts'

/** The GPU, or the kind of quantisation, does not know the data type that was asked for. */
export const dataType: Rule = {
  codes: ['config.dtype'],
  signatures: [
    {
      name: 'no-bfloat16',
      anchors: [
        'Bfloat16 is only supported',
        'bfloat16 is only supported',
        'bfloat16 is not supported on',
        'does not support bfloat16',
        'BF16 is not supported',
        'bf16 is not supported',
      ],
      pattern:
        /[Bb][Ff](?:loat)?16 is only supported on|(?:bfloat16|[Bb][Ff]16) is not supported on|does not support bfloat16/,
      example:
        'ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your Tesla V100-SXM2-32GB GPU has compute capability 7.0.',
      nearMiss: 'Compute capability below sm80. Use float16 due to lack of bfloat16 support.',
    },
    {
      name: 'no-fp8',
      anchors: [
        'fp8e4nv not supported',
        'fp8e4b8 not supported',
        'fp8e4nv is not supported',
        'FP8 quantized models is only supported',
        'MXFP4 quantized models is only supported',
        'torch._scaled_mm is only supported',
      ],
      pattern:
        /type fp8e4\w{1,3} (?:is )?not supported in this architecture|(?:ValueError|RuntimeError): .{0,40}(?:FP8|MXFP4) quantized models is only supported|torch\._scaled_mm is only supported on/,
      example: `ValueError("type fp8e4nv not supported in this architecture. The supported fp8 dtypes are ('fp8e4b15', 'fp8e5')")`,
      nearMiss:
        'WARNING Your GPU does not have native support for FP8 computation but FP8 quantization is being used. Weight-only FP8 compression will be used leveraging the Marlin kernel.',
    },
    {
      name: 'quantisation-capability',
      anchors: ['not supported for the current GPU'],
      pattern:
        /quantization method (?<method>\S{1,40}) is not supported for the current GPU\.(?: Minimum capability: (?<least>\d{2,3})\.?)?(?: Current capability: (?<has>\d{2,3}))?/,
      example:
        'ValueError: The quantization method modelopt is not supported for the current GPU. Minimum capability: 89. Current capability: 80.',
      nearMiss: 'The quantization method fp8 is supported.',
    },
    {
      name: 'quantisation-dtype',
      anchors: ['not supported for quantization method', 'does not support float16', 'is not supported for this model'],
      pattern:
        /(?<asked>torch\.\w{1,20}) is not supported for quantization method (?<method>\S{1,40})\.? Supported dtypes: \[(?<known>[^\]]{1,80})\]|model type '?[\w.-]{1,40}'? does not support float16/,
      example:
        'ValueError: torch.bfloat16 is not supported for quantization method awq. Supported dtypes: [torch.float16]',
      nearMiss: 'WARNING Casting torch.bfloat16 to torch.float16.',
    },
  ],
  check(evidence) {
    const [sign] = standing(evidence, 'no-bfloat16', 'no-fp8', 'quantisation-capability', 'quantisation-dtype')
    return sign === undefined ? [] : [finding(sign)]
  },
}

function finding(sign: Sign): Finding {
  return {
    code: 'config.dtype',
    verdict: 'misconfigured',
    because: [quotedSign(sign)],
    confidence: 'certain',
    explains: ['engine.invariant'],
    at: sign.at,
    ...wordsFor(sign),
  }
}

const OTHER =
  'Serve a checkpoint that this GPU computes: AWQ or GPTQ (4 bit) from compute capability 7.5 on, FP8 from 8.9 on.'

function wordsFor({ name, line, fields }: Sign): Pick<Finding, 'cause' | 'remedy'> {
  if (name === 'no-bfloat16') {
    return {
      cause: `The GPU${cardIn(line)} does not know bfloat16, which the model asks for.`,
      remedy: [
        'Start with --dtype half (float16). Then read an answer: some models overflow in float16 and write "!!!!" or nothing.',
        'If they do: --dtype float32 where the memory allows it, or a GPU of compute capability 8.0 or higher (A10, A100, RTX 30xx and newer).',
      ],
    }
  }
  if (name === 'quantisation-dtype') return byMethod(fields['known'])
  const needs =
    fields['least'] === undefined
      ? ''
      : ` (it needs ${fields['least']}${fields['has'] === undefined ? '' : `, and this one has ${fields['has']}`})`
  return {
    cause:
      name === 'no-fp8'
        ? 'The GPU does not compute in the FP8 format of these weights or of this KV cache: it is older than compute capability 8.9.'
        : `The GPU is too old for the quantisation ${fields['method'] ?? ''}${needs}.`,
    remedy: [
      OTHER,
      'Where FP8 was chosen for the KV cache only: --kv-cache-dtype auto (SGLang also fp8_e5m2).',
      'Or a GPU of compute capability 8.9 or higher (L4, L40S, RTX 40xx, H100 and newer).',
    ],
  }
}

function byMethod(known: string | undefined): Pick<Finding, 'cause' | 'remedy'> {
  const type = known === undefined || known.includes('bfloat16') ? 'bfloat16' : 'half'
  return {
    cause: `The data type that was asked for does not go with this ${known === undefined ? 'model' : 'quantisation'}.`,
    remedy: [`Start with --dtype ${type}${known === undefined ? '' : ` (it knows ${known})`}.`, OTHER],
  }
}

/** ` (Tesla T4, compute capability 7.5)` */
function cardIn(line: string): string {
  const [, name, capability] = /Your (.{2,60}?) GPU has compute capability (\d{1,2}\.\d)/.exec(line) ?? []
  return name === undefined ? '' : ` (${name}, compute capability ${capability})`
}
