import type { Signature } from '../../domain/signature.ts'

type Signatures = readonly [Signature, ...Signature[]]

/** A model that the engine, transformers or llama.cpp does not know. `type` is what it does not know. */
export const modelSignatures: Signatures = [
  {
    name: 'transformers-model-type',
    anchors: ['Transformers does not recognize this architecture'],
    pattern: /(?:model type (?<type>[`'"]?[\w.-]{1,80}[`'"]?) but )?Transformers does not recognize this architecture/,
    example:
      'ValueError: The checkpoint you are trying to load has model type `glm5` but Transformers does not recognize this architecture.',
    nearMiss: 'Transformers recognizes this architecture',
  },
  {
    name: 'model-type-key',
    anchors: ["KeyError: '"],
    pattern: /KeyError: '(?<type>[a-z][a-z0-9_.-]{2,60})'\s*$/,
    example: "KeyError: 'qwen3_5'",
    nearMiss: "KeyError: 'The key stands nowhere'",
  },
  {
    name: 'engine-architecture',
    anchors: ['are not supported for now', 'implementation and the Transformers', 'Unsupported architectures: '],
    pattern:
      /Model architectures \[(?<type>[^\]]{1,200})\] are not supported for now|(?<type>\w{1,100}) has no (?:vLLM|SGlang|SGLang) implementation and the Transformers|Unsupported architectures: /,
    example:
      "ValueError: Model architectures ['Glm5ForCausalLM'] are not supported for now. Supported architectures: [",
    nearMiss: 'Glm5ForCausalLM has no vLLM implementation, falling back to Transformers implementation.',
  },
  {
    name: 'gguf-architecture',
    anchors: ['unknown model architecture: '],
    pattern: /unknown model architecture: '(?<type>[^']{0,80})'/,
    example:
      "llama_model_load: error loading model: error loading model architecture: unknown model architecture: 'glm5'",
    nearMiss: "print_info: general architecture: 'glm5'",
  },
  {
    name: 'gguf-tokenizer',
    anchors: ['unknown pre-tokenizer type: '],
    pattern: /unknown pre-tokenizer type: '(?<type>[^']{0,80})'/,
    example:
      "llama_model_load: error loading model: error loading model vocabulary: unknown pre-tokenizer type: 'glm5'",
    nearMiss: "llm_load_vocab: missing pre-tokenizer type, using: 'default'",
  },
  {
    name: 'gguf-shape',
    anchors: [
      'invalid ggml type ',
      'wrong number of tensors; expected',
      "' has wrong shape; expected",
      ': missing tensor ',
    ],
    pattern:
      /(?:error loading model|done_getting_tensors|gguf_init\w{0,20}): .{0,160}?(?<type>invalid ggml type \d{1,4}|wrong number of tensors; expected \d{1,6}, got \d{1,6}|has wrong shape; expected[^;]{0,80}|missing tensor '[^']{1,100}')/,
    example:
      'llama_model_load: error loading model: done_getting_tensors: wrong number of tensors; expected 292, got 291',
    nearMiss: 'llama_model_loader: loaded meta data with 29 key-value pairs and 292 tensors',
  },
  {
    name: 'ollama-newer',
    anchors: ['requires a newer version of Ollama'],
    pattern: /model you are attempting to (?:pull|run) requires a newer version of Ollama/,
    example:
      'Error: pull model manifest: 412: The model you are attempting to pull requires a newer version of Ollama.',
    nearMiss: 'a newer version of Ollama is available',
  },
  {
    name: 'transformers-module',
    anchors: ["No module named 'transformers.", "from 'transformers", "module 'transformers"],
    pattern:
      /No module named '(?<type>transformers\.models\.\w{1,80})|cannot import name '(?<type>\w{0,80}(?:Config|ForCausalLM|ForConditionalGeneration|Processor))' from 'transformers|module 'transformers[\w.]{0,80}' has no attribute '(?<type>\w{1,80})'/,
    example: "ModuleNotFoundError: No module named 'transformers.models.qwen3_next'",
    nearMiss: "ModuleNotFoundError: No module named 'flask'",
  },
  {
    name: 'rope-scaling-form',
    anchors: ['`rope_scaling` must be a dictionary with'],
    pattern: /`rope_scaling` must be a dictionary with (?:two|three|2|3)? ?fields/,
    example: 'ValueError: `rope_scaling` must be a dictionary with two fields, `type` and `factor`, got {',
    nearMiss: 'rope_scaling is a dictionary with two fields',
  },
  {
    name: 'quantisation-method',
    anchors: ['Unknown quantization method', 'Unknown quantization type, got '],
    pattern: /Unknown quantization (?:method:?|type, got) (?<type>["'`]?[\w-]{1,60})/,
    example: "ValueError: Unknown quantization method: mxfp4. Must be one of ['awq', 'fp8'].",
    nearMiss: 'Detected quantization method mxfp4',
  },
]

/** `package` has version `has` and `wants` is asked. */
export const packageSignatures: Signatures = [
  {
    name: 'package-minimum',
    anchors: ['which is less than the minimum required version'],
    pattern:
      /(?<package>[\w.-]{2,60})'? is installed with version (?<has>\d[^\s,]{0,80}), which is less than the minimum required version (?<wants>\d[\w.+]{0,40}\w)/,
    example:
      'Exception: sglang-kernel is installed with version 0.4.2, which is less than the minimum required version 0.4.4. Please reinstall',
    nearMiss: 'sglang-kernel is installed with version 0.4.4',
  },
  {
    name: 'package-range',
    anchors: ['is required for a normal functioning of this module'],
    pattern:
      /(?<package>[a-z][\w-]{1,60}?)(?<wants>[<>=!~][<>=!~,.\w]{1,60}) is required for a normal functioning of this module, but found (?:[\w-]{1,60}==)?(?<has>\d[\w.+]{0,40})/,
    example:
      'ImportError: tokenizers>=0.22,<0.24 is required for a normal functioning of this module, but found tokenizers==0.20.3.',
    nearMiss: 'tokenizers is required for this module',
  },
]

/** What argparse and llama.cpp say of a command line. */
export const argumentSignatures: Signatures = [
  {
    name: 'unknown-argument',
    anchors: [': error: unrecognized arguments: ', ': invalid choice: ', 'error: invalid argument: '],
    pattern:
      /error: (?:unrecognized arguments: (?<flags>--\S{1,80})|argument (?<flag>--[\w-]{1,60})[^:]{0,120}: invalid choice: '?(?<value>[^\s',()]{1,80})|invalid argument: (?<flags>--?[\w-]{1,60}))/,
    example:
      "launch_server.py: error: argument --reasoning-parser: invalid choice: 'qwen9' (choose from 'qwen3', 'glm45')",
    nearMiss: 'error: the following arguments are required: --model-path',
  },
]

export const tokenizerSignatures: Signatures = [
  {
    name: 'tokenizer-form',
    anchors: ['data did not match any variant of untagged enum'],
    pattern: /data did not match any variant of untagged enum (?<type>\w{1,60})/,
    example: 'Exception: data did not match any variant of untagged enum ModelWrapper at line 250000 column 3',
    nearMiss: 'the data matched the enum ModelWrapper',
  },
  {
    name: 'tokenizer-class',
    anchors: ['does not exist or is not currently imported'],
    pattern: /Tokenizer class (?<type>\w{1,80}) does not exist or is not currently imported/,
    example: 'ValueError: Tokenizer class TokenizersBackend does not exist or is not currently imported.',
    nearMiss: 'Tokenizer class Qwen2Tokenizer is used',
  },
]
