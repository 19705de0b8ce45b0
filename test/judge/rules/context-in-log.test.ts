import { expect } from 'vitest'
import { contextInLog } from '../../../src/judge/rules/context-in-log.ts'
import { logOf } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'
import { smokeOf } from '../samples.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

ruleTable(contextInLog, {
  speaks: {
    'llama.cpp gives a request up': [
      logOf('llama-cpp', ['srv    send_error: task id = 12, error: Context size has been exceeded.']),
      { code: 'context.exceeded', verdict: 'request-limit' },
    ],
    'Ollama cuts': [
      logOf('ollama', ['msg="truncating input prompt" limit=2048 prompt=5065 keep=5 new=2048']),
      { code: 'context.silently-truncated', cause: says('5065 tokens came, 2048 fit'), remedy: first('num_ctx 8192') },
    ],
    'llama.cpp cuts': [
      logOf('llama-cpp', [
        'slot update_slots: id 0 | input truncated, n_ctx = 4096, n_keep = 0, n_left = 4096, n_prompt_tokens = 2120',
      ]),
      { code: 'context.silently-truncated', cause: expect.not.stringContaining('2120'), remedy: first('-c 16384') },
    ],
    'llama.cpp shifts': [
      logOf('llama-cpp', ['slot update_slots: id 0 | slot context shift, n_keep = 1, n_left = 4094, n_discard = 2047']),
      { code: 'context.silently-truncated', cause: says('oldest half') },
    ],
    'SGLang cuts': [
      logOf('sglang', [
        'Request length is longer than the KV cache pool size or the max context length. Truncated. len(req.origin_input_ids)=85050, self.max_req_input_len=32762',
      ]),
      {
        code: 'context.silently-truncated',
        cause: says('85050 tokens came, 32762 fit'),
        remedy: first('--context-length 131072'),
      },
    ],
    'SGLang refuses': [
      logOf('sglang', [
        "ValueError: The input (85050 tokens) is longer than the model's context length (32768 tokens).",
      ]),
      { code: 'context.exceeded', verdict: 'request-limit' },
    ],
    'llama.cpp refuses': [
      logOf('llama-cpp', [
        'error: request (9120 tokens) exceeds the available context size (8192 tokens), try increasing it',
      ]),
      { code: 'context.exceeded', verdict: 'request-limit' },
    ],
    'a context that the model was not made for': [
      logOf('vllm', [
        "ValueError: User-specified max_model_len (131072) is greater than the derived max_model_len (max_position_embeddings=32768 or model_max_length=None in model's config.json).",
      ]),
      { code: 'context.exceeded', verdict: 'misconfigured', remedy: first('--max-model-len 32768') },
    ],
  },
  silent: {
    'nothing was cut': logOf('llama-cpp', ['stop processing: n_tokens = 300, truncated = 0']),
    'tokens of the tokenizer': logOf('vllm', [
      'Token indices sequence length is longer than the specified maximum sequence length for this model (40100 > 32768).',
    ]),
    sizes: logOf('sglang', ['max_total_num_tokens=180211, context_len=32768']),
    'a prompt about it': logOf('vllm', ["INFO Received request c: prompt: 'is this longer than the context?'"]),
    'a request of somebody else, beside our answer': logOf(
      'sglang',
      ["ValueError: The input (85050 tokens) is longer than the model's context length (32768 tokens)."],
      { smoke: smokeOf() },
    ),
    'a cache': logOf('vllm', ['INFO GPU KV cache size: 61,936 tokens']),
    'a warning that goes on': logOf('vllm', [
      'WARNING User-specified max_model_len (131072) is greater than the derived max_model_len (32768).',
    ]),
    'no log': logOf(null, []),
  },
})
