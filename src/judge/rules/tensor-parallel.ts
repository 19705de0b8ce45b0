import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { flagsOf, tensorParallel } from '../flags.ts'
import { standing } from '../log/outlived.ts'
import { quotedSign } from '../log/signs.ts'
import { numberIn } from '../memory.ts'

/** The number of GPUs does not divide the model, its quantisation groups, or is larger than the number that is there. */
export const tensorParallelRule: Rule = {
  codes: ['config.tp'],
  signatures: [
    {
      name: 'heads-not-divisible',
      anchors: [
        'must be divisible by tensor parallel',
        'must be divisible by tensor_parallel',
        'divisible by tp_size',
        'is not divisible by',
        'not divisible by the tensor',
      ],
      pattern:
        /(?:heads?|dims?|size) \((?<heads>\d{1,7})\) must be divisible by tensor[ _]parallel[ _]size \((?<size>\d{1,4})\)|must be divisible by (?:tensor[ _]parallel|tp_size)|(?:AssertionError|assert\w*|ValueError|RuntimeError): .{0,120}?(?<part>\d{1,7}) is not divisible by (?<by>\d{1,4})\b|not divisible by the tensor/,
      example: 'ValueError: Total number of attention heads (40) must be divisible by tensor parallel size (3).',
      nearMiss: 'WARNING block size 16 is not divisible by nothing here',
    },
    {
      name: 'groups-not-divisible',
      anchors: [
        'is not divisible by weight quantization',
        'is not divisible by min_thread',
        'not aligned with the quantized weight shape',
        'caused by too large tensor parallel',
      ],
      pattern:
        /is not divisible by weight quantization block_[nk] = \d{1,5}|_size_per_partition = \d{1,7} is not divisible by min_thread_[nk]|not aligned with the quantized weight shape|caused by too large tensor parallel/,
      example:
        "ValueError: The output_size of gate's and up's weight = 192 is not divisible by weight quantization block_n = 128.",
      nearMiss: 'the weight shape is aligned',
    },
    {
      name: 'too-few-gpus',
      anchors: [
        'larger than the number of available GPUs',
        'invalid device ordinal',
        'exceeds the number of available GPUs',
        'greater than the number of available',
        'required GPUs exceeds',
      ],
      pattern:
        /(?:[Ww]orld size|[Tt]ensor parallel size|tp_size) ?\(?(?<wants>\d{1,4})?\)?.{0,40}(?:is larger than|cannot be larger than|exceeds|is greater than) the (?:total )?number of available GPUs ?\(?(?<has>\d{1,4})?|(?:CUDA|HIP) error: invalid device ordinal|required GPUs exceeds/,
      example: 'Value error, World size (4) is larger than the number of available GPUs (2) in this node.',
      nearMiss: 'The number of available GPUs is 2',
    },
  ],
  check(evidence) {
    const [sign] = standing(evidence, 'heads-not-divisible', 'groups-not-divisible', 'too-few-gpus')
    return sign === undefined ? [] : [finding(evidence, sign)]
  },
}

function finding(evidence: Evidence, sign: Sign): Finding {
  return {
    code: 'config.tp',
    verdict: 'misconfigured',
    because: [quotedSign(sign)],
    confidence: sign.line.includes('invalid device ordinal') ? 'likely' : 'certain',
    explains: ['engine.assert', 'engine.invariant'],
    at: sign.at,
    ...wordsFor(evidence, sign),
  }
}

function wordsFor(evidence: Evidence, { name, fields, line }: Sign): Pick<Finding, 'cause' | 'remedy' | 'unless'> {
  if (name === 'too-few-gpus') return tooFew(evidence, fields)
  const size = numberIn(fields['size'] ?? fields['by'])
  const whole = numberIn(fields['heads'] ?? fields['part'])
  if (name === 'groups-not-divisible') {
    return {
      cause: 'Tensor parallel cuts the quantised weights into parts that are no whole groups of the quantisation.',
      remedy: [
        'Start with a smaller --tp-size (half of what it is now), or serve the experts whole: SGLang --ep-size with the same number, vLLM --enable-expert-parallel.',
        'Or another quantisation of the model (GPTQ or AWQ with a smaller group, or unquantised).',
      ],
    }
  }
  const fitting = whole === null ? [] : [8, 6, 4, 3, 2, 1].filter((each) => whole % each === 0 && each !== size)
  const least = nearest(fitting, size)
  return {
    cause: `Tensor parallel${size === null ? '' : ` over ${size} GPUs`} does not divide the model${whole === null ? '' : `: ${whole} ${/heads/.test(line) ? 'attention heads' : 'parts'} are no multiple of it`}.`,
    remedy: [
      least === null
        ? 'Start with a --tp-size that divides the heads of the model: 1, 2, 4 or 8 as a rule.'
        : `Start with --tp-size ${least} (vLLM --tensor-parallel-size ${least}); of this model ${fitting.toReversed().join(', ')} divide it.`,
      'Or split by layers in place of heads: vLLM --pipeline-parallel-size, SGLang --pp-size.',
    ],
  }
}

/** The largest that needs no more GPUs than now. */
function nearest(fitting: readonly number[], size: number | null): number | null {
  return fitting.find((each) => size === null || each < size) ?? null
}

function tooFew(evidence: Evidence, fields: Sign['fields']): Pick<Finding, 'cause' | 'remedy' | 'unless'> {
  const has = numberIn(fields['has']) ?? (evidence.gpus === undefined ? null : evidence.gpus.cards.length)
  const wants = numberIn(fields['wants']) ?? tensorParallel(flagsOf(evidence))
  const fits = [8, 4, 2, 1].find((each) => has !== null && each <= has)
  return {
    cause: `The server wants ${wants > 1 ? `${wants} GPUs` : 'a GPU'} and sees ${has === null || has === 0 ? 'fewer' : has}.`,
    remedy: [
      fits === undefined
        ? 'Start with a --tp-size (vLLM --tensor-parallel-size) of 1, 2, 4 or 8: no more than nvidia-smi -L lists.'
        : `Start with --tp-size ${fits} (vLLM --tensor-parallel-size).`,
      'Or show it more: CUDA_VISIBLE_DEVICES, docker --gpus all, the limit nvidia.com/gpu of the pod. Over several hosts: SGLang --nnodes, vLLM --distributed-executor-backend ray.',
    ],
    unless: 'a GPU is missing that should be there: nvidia-smi -L and dmesg -T | grep -iE "xid|nvrm".',
  }
}
