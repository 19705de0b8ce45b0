import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { standing } from '../log/outlived.ts'
import { countOf, quotedSign, signsOf } from '../log/signs.ts'
import { numberIn } from '../memory.ts'
import { LARGER_CONTEXT } from '../remedies.ts'

/** A prompt that is longer than the context: refused, or cut without a word to the caller. */
export const contextInLog: Rule = {
  codes: ['context.exceeded', 'context.silently-truncated'],
  signatures: [
    {
      name: 'prompt-truncated',
      anchors: [
        'truncating input prompt',
        'input truncated',
        'context limit hit - shifting',
        'slot context shift',
        'context shift, n_keep',
        'Truncating the input',
        'runcated. len(',
        ', truncated = 1',
        'truncated = true',
      ],
      pattern:
        /truncating input prompt"?(?:.{0,20}limit=(?<limit>\d{1,8}))?(?:.{0,10}prompt=(?<prompt>\d{1,8}))?|input truncated, n_ctx = (?<ctx>\d{1,8})(?:.{0,80}?n_prompt_tokens = (?<tokens>\d{1,8}))?|context limit hit - shifting|slot context shift|context shift, n_keep|Truncating the input|Truncated\. len\([^)]{1,60}\)=(?<came>\d{1,8})(?:.{0,40}len=(?<input>\d{1,8}))?|, truncated = 1\b/,
      example:
        'time=t level=WARN source=runner.go:153 msg="truncating input prompt" limit=4096 prompt=15750 keep=4 new=4096',
      nearMiss: 'slot      release: id  0 | task 0 | stop processing: n_tokens = 300, truncated = 0',
    },
    {
      name: 'prompt-too-long',
      anchors: [
        "longer than the model's context length",
        "exceeds the model's maximum context length",
        'maximum context length is',
        'longer than the maximum model length',
        'exceeds the maximum allowed length',
        'available context size',
        'ontext size has been exceeded',
        'is too long and exceeds limit',
        'exceeds the context length',
        'exceeds maximum context length',
        'input length exceeds',
      ],
      pattern:
        /longer than the model's context length \((?<sglang>\d{1,8})|exceeds the model's maximum context length of (?<most>\d{1,8})|maximum context length is (?<vllm>\d{1,8}) tokens|\(length \d{1,8}\) is longer than the maximum model length of (?<engine>\d{1,8})|exceeds the maximum allowed length|exceeds the available context size|[Cc]ontext size has been exceeded|is too long and exceeds limit of (?<old>\d{1,8})|[Ii]nput length exceeds (?:the )?(?:maximum )?context length|exceeds (?:the |maximum )context length/,
      example: "ValueError: The input (41200 tokens) is longer than the model's context length (32768 tokens).",
      nearMiss: 'max_total_num_tokens=270331, context_len=32768',
    },
    {
      name: 'context-over-model',
      anchors: ['is greater than the derived'],
      pattern:
        /User-specified (?:context_length|max_model_len) \((?<asked>\d{1,9})\) is greater than the derived (?:context_length|max_model_len) \((?:\w{1,40}=)?(?<derived>\d{1,9})/,
      example:
        "ValueError: User-specified max_model_len (131072) is greater than the derived max_model_len (max_position_embeddings=32768 or model_max_length=None in model's config.json).",
      nearMiss: 'context_len=32768 is the derived context_length',
    },
  ],
  check(evidence) {
    const [over] = standing(evidence, 'context-over-model')
    if (over !== undefined && !/Warning|WARN/i.test(over.line)) return [overModel(over)]
    if (evidence.smoke !== undefined) return []
    const [cut] = signsOf(evidence, 'prompt-truncated')
    if (cut !== undefined) return [truncated(evidence, cut)]
    const [long] = signsOf(evidence, 'prompt-too-long')
    return long === undefined ? [] : [tooLong(evidence, long)]
  },
}

function truncated(evidence: Evidence, sign: Sign): Finding {
  const { fields, line } = sign
  const limit = numberIn(fields['limit'] ?? fields['ctx'] ?? fields['input'])
  const came = numberIn(fields['prompt'] ?? fields['tokens'] ?? fields['came'])
  // llama.cpp counts what is left after the cut
  const prompt = came !== null && limit !== null && came > limit ? came : null
  const isShift = /shift/.test(line)
  const times = countOf(evidence, 'prompt-truncated')
  const numbers = limit === null || prompt === null ? '' : `: ${prompt} tokens came, ${limit} fit`
  return {
    code: 'context.silently-truncated',
    verdict: 'misconfigured',
    cause: isShift
      ? 'The context was full, and the server went on by throwing the oldest half of it away: the model no longer sees the beginning.'
      : `The prompt is longer than the context of the server, which cut a part of it away and told the caller nothing${numbers}.`,
    because: [quotedSign(sign), ...(times > 1 ? [`${times} such lines`] : [])],
    remedy: [
      larger(evidence, limit, prompt),
      'Then compare usage.prompt_tokens of an answer with what was sent.',
      ...(isShift
        ? ['llama.cpp refuses in place of cutting without --context-shift (before: with --no-context-shift).']
        : []),
    ],
    confidence: 'certain',
    at: sign.at,
  }
}

/** With room for an answer, as a power of two. */
function larger({ log }: Evidence, limit: number | null, prompt: number | null): string {
  const wanted = 2 ** Math.ceil(Math.log2((prompt ?? 2 * (limit ?? 4096)) * 1.25))
  const writer = log?.writer
  if (writer === 'ollama') {
    return `Raise the context: num_ctx ${wanted} in the options of the request or in the Modelfile, or OLLAMA_CONTEXT_LENGTH=${wanted} for the server; then restart it. It costs memory.`
  }
  if (writer === 'llama-cpp') {
    return `Raise the context: -c ${wanted} for each slot (with --parallel N, N times that). It costs memory.`
  }
  return `Raise the context: Ollama num_ctx ${wanted} (OLLAMA_CONTEXT_LENGTH=${wanted}), llama.cpp -c ${wanted}; SGLang: leave out --allow-auto-truncate, so that it refuses, and start with --context-length ${wanted}.`
}

function tooLong(evidence: Evidence, sign: Sign): Finding {
  const times = countOf(evidence, 'prompt-too-long')
  return {
    code: 'context.exceeded',
    verdict: 'request-limit',
    cause:
      'A prompt, or prompt and budget together, is longer than the context of the server: it refused the request. The model is fine.',
    because: [quotedSign(sign), ...(times > 1 ? [`${times} such lines`] : [])],
    remedy: [`Shorten the prompt or lower max_tokens, or ${LARGER_CONTEXT}.`],
    confidence: 'certain',
    explains: ['engine.invariant'],
    at: sign.at,
  }
}

function overModel(sign: Sign): Finding {
  const { asked = '', derived = '' } = sign.fields
  return {
    code: 'context.exceeded',
    verdict: 'misconfigured',
    cause: `The context that was asked for (${asked} tokens) is longer than the model was made for (${derived}).`,
    because: [quotedSign(sign)],
    remedy: [
      `Start with --context-length ${derived} (vLLM --max-model-len ${derived}).`,
      'Or, where the model card describes YaRN, give its rope scaling (--json-model-override-args, vLLM --hf-overrides) and allow it: SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1, VLLM_ALLOW_LONG_MAX_MODEL_LEN=1.',
    ],
    confidence: 'certain',
    explains: ['engine.invariant'],
    at: sign.at,
  }
}
