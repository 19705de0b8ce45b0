import { expect } from 'vitest'
import { tooOldSoftware } from '../../../src/judge/rules/too-old-software.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const old = (confidence: 'certain' | 'likely') =>
  ({ code: 'version.too-old', verdict: 'misconfigured', confidence }) as const
const UNKNOWN_TYPE =
  'ValueError: The checkpoint you are trying to load has model type `glm5_moe` but Transformers does not recognize this architecture. This could be because of an issue with the checkpoint.'

ruleTable(tooOldSoftware, {
  speaks: {
    'transformers, by name': [
      logged(UNKNOWN_TYPE),
      {
        ...old('certain'),
        cause: 'The software is older than the model: it does not know the model type glm5_moe.',
        because: [expect.stringContaining('log line 1: “ValueError: The checkpoint you are trying to load')],
        remedy: [expect.stringContaining('Upgrade the engine'), expect.stringContaining('Leave transformers')],
      },
    ],
    'transformers, as a key, by its place': [
      logged(['    config_class = CONFIG_MAPPING[config_dict["model_type"]]', "KeyError: 'newmodel'"]),
      old('likely'),
    ],
    'transformers, as a key, by its look': [logged("KeyError: 'minimax_m2'"), old('likely')],
    'a module that a newer transformers has': [
      logged("ModuleNotFoundError: No module named 'transformers.models.qwen3_next'"),
      { ...old('certain'), cause: expect.stringContaining('transformers.models.qwen3_next') },
    ],
    'a class that a newer transformers has': [
      logged("ImportError: cannot import name 'Glm5Config' from 'transformers' (/opt/venv/transformers/__init__.py)"),
      old('certain'),
    ],
    'SGLang, with the least version that is known': [
      logged([
        "[t] server_args=ServerArgs(model_path='/srv/Qwen3.6-27B', tp_size=2)",
        "ValueError: Model architectures ['Qwen3_5ForConditionalGeneration'] are not supported for now. Supported architectures: dict_keys([])",
      ]),
      {
        ...old('certain'),
        remedy: [
          expect.stringMatching(/^Upgrade SGLang to 0\.5\.11 or newer: pip install -U "sglang>=0\.5\.11"/),
          expect.any(String),
        ],
      },
    ],
    SGLang: [
      logged(
        "ValueError: Model architectures ['Glm5ForCausalLM'] are not supported for now. Supported architectures: dict_keys([])",
      ),
      { ...old('certain'), cause: expect.stringContaining('the architecture Glm5ForCausalLM') },
    ],
    vLLM: [
      logged(
        '(EngineCore pid=9) ValueError: Ovis has no vLLM implementation and the Transformers implementation is not compatible with vLLM.',
      ),
      { ...old('certain'), cause: expect.stringContaining('Ovis') },
    ],
    'llama.cpp: the architecture': [
      logged(
        "llama_model_load: error loading model: error loading model architecture: unknown model architecture: 'glm5'",
      ),
      { ...old('certain'), remedy: [expect.stringContaining('Update llama.cpp or Ollama'), expect.any(String)] },
    ],
    'llama.cpp: the tokenizer': [
      logged(
        "llama_model_load: error loading model: error loading model vocabulary: unknown pre-tokenizer type: 'glm5'",
      ),
      old('likely'),
    ],
    'llama.cpp: tensors of an older definition': [
      logged(
        'llama_model_load: error loading model: done_getting_tensors: wrong number of tensors; expected 292, got 291',
      ),
      { ...old('likely'), cause: expect.stringContaining('expected 292, got 291') },
    ],
    'Ollama at a pull': [
      logged(
        'Error: pull model manifest: 412: The model you are attempting to pull requires a newer version of Ollama.',
      ),
      old('certain'),
    ],
    'a scaling that old transformers refuses': [
      logged('ValueError: `rope_scaling` must be a dictionary with two fields, `type` and `factor`, got {'),
      old('likely'),
    ],
    'a quantisation': [
      logged("ValueError: Unknown quantization method: mxfp4. Must be one of ['awq', 'fp8']."),
      { ...old('likely'), cause: expect.stringContaining('the quantisation mxfp4') },
    ],
    'a kernel package below the minimum': [
      logged(
        'Exception: sglang-kernel is installed with version 0.4.2, which is less than the minimum required version 0.4.4. Please reinstall',
      ),
      {
        ...old('certain'),
        cause: 'sglang-kernel is 0.4.2, and the engine asks for sglang-kernel>=0.4.4: only a part of it was upgraded.',
        remedy: [expect.stringContaining('pip install "sglang-kernel>=0.4.4"'), expect.any(String)],
      },
    ],
    'a package outside its range': [
      logged(
        'ImportError: huggingface-hub>=0.34.0,<1.0 is required for a normal functioning of this module, but found huggingface-hub==0.30.1.',
      ),
      old('certain'),
    ],
    'a package beyond its range': [
      logged(
        'ImportError: huggingface-hub>=0.34.0,<1.0 is required for a normal functioning of this module, but found huggingface-hub==1.2.0.',
      ),
      { code: 'lib.abi', confidence: 'certain' },
    ],
    'tokenizers below its range': [
      logged(
        'ImportError: tokenizers>=0.22,<0.24 is required for a normal functioning of this module, but found tokenizers==0.20.3.',
      ),
      { code: 'version.tokenizers', confidence: 'certain' },
    ],
    'a parser that this release does not have': [
      logged(
        "launch_server.py: error: argument --reasoning-parser: invalid choice: 'glm45' (choose from 'deepseek-r1', 'qwen3')",
      ),
      { ...old('likely'), cause: expect.stringContaining('the value glm45 of --reasoning-parser') },
    ],
    'a flag that this release does not have': [
      logged('api_server.py: error: unrecognized arguments: --mamba-scheduler-strategy extra_buffer'),
      { ...old('likely'), unless: expect.stringContaining('misspelled') },
    ],
    'a newer tokenizer.json': [
      logged(
        'Exception: data did not match any variant of untagged enum PyPreTokenizerTypeWrapper at line 960 column 3',
      ),
      { code: 'version.tokenizers', verdict: 'misconfigured', confidence: 'certain' },
    ],
    'a tokenizer class': [
      logged('ValueError: Tokenizer class TokenizersBackend does not exist or is not currently imported.'),
      { code: 'version.tokenizers', cause: expect.stringContaining('TokenizersBackend') },
    ],
    'a line after which the start went on': [
      logged([UNKNOWN_TYPE, '[t TP0] Load weight begin. avail mem=47.10 GB']),
      { code: 'version.too-old', confidence: 'likely' },
    ],
  },
  silent: {
    ...ORDINARY,
    'a start that got over it': logged([UNKNOWN_TYPE, READY]),
    'another key': logged("KeyError: 'choices'"),
    'a fallback that vLLM takes': logged(
      'WARNING Glm5 has no vLLM implementation, falling back to Transformers implementation.',
    ),
    'a flag without its value': logged('launch_server.py: error: the following arguments are required: --model-path'),
    'an architecture that is listed': logged("print_info: arch = glm5\nModel architectures ['A'] resolved"),
    'packages that fit': logged('sglang-kernel is installed with version 0.4.4'),
  },
})
