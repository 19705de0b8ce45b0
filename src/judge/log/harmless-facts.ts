import type { Harmless } from './harmless-signs.ts'

/** Lines that only inform, at the start or at work. */
export const HARMLESS_FACTS: readonly Harmless[] = [
  {
    name: 'harmless-gloo',
    code: 'ok.info',
    anchors: ['peer ranks. Expected number of connected peer ranks is'],
    pattern:
      /Rank \d+ is connected to (?<peers>\d+) peer ranks\. Expected number of connected peer ranks is : \k<peers>(?!\d)/,
    example: '[Gloo] Rank 0 is connected to 0 peer ranks. Expected number of connected peer ranks is : 0',
    nearMiss: '[Gloo] Rank 0 is connected to 0 peer ranks. Expected number of connected peer ranks is : 1',
    means: 'Every rank is connected to as many others as it expects; with one GPU there are none.',
  },
  {
    name: 'harmless-short-context',
    code: 'ok.info',
    anchors: ['the full capacity of the model will not be utilized'],
    pattern: /the full capacity of the model will not be utilized/,
    example:
      'llama_context: n_ctx_per_seq (4096) < n_ctx_train (131072) -- the full capacity of the model will not be utilized',
    nearMiss: 'the full capacity of the model is used',
    means: 'The server was started with a context shorter than the one the model was trained for, as it was told to.',
    may: 'For longer prompts, start with a larger context (llama.cpp -c, Ollama num_ctx).',
  },
  {
    name: 'harmless-low-vram',
    code: 'ok.info',
    anchors: ['entering low vram mode'],
    pattern: /entering low vram mode/,
    example:
      'time=t level=INFO source=routes.go:1569 msg="entering low vram mode" "total vram"="8.0 GiB" threshold="20.0 GiB"',
    nearMiss: 'leaving low vram mode',
    means: 'Ollama takes a smaller default context on a card of this size.',
  },
  {
    name: 'harmless-sampling-defaults',
    code: 'ok.info',
    anchors: ['Default sampling parameters have been overridden', 'Using default chat sampling params from model'],
    pattern: /Default sampling parameters have been overridden|Using default chat sampling params from model/,
    example:
      "WARNING [model.py:1389] Default sampling parameters have been overridden by the model's Hugging Face generation config",
    nearMiss: 'Default sampling parameters are used',
    means: 'The server samples as the makers of the model recommend.',
  },
  {
    name: 'harmless-default-backend',
    code: 'ok.info',
    anchors: [
      'ttention backend not',
      'Disabling overlap schedule',
      'Cuda graph is disabled because',
      'Cudagraph is disabled under eager',
      'Reducing Torch parallelism',
      'We must use the `spawn`',
    ],
    pattern:
      /[Aa]ttention backend not (?:explicitly )?specified|Disabling overlap schedule|Cuda graph is disabled because|Cudagraph is disabled under eager|Reducing Torch parallelism|We must use the `spawn`/,
    example: '[t] Attention backend not explicitly specified. Use flashinfer backend by default.',
    nearMiss: 'Attention backend not supported',
    means: 'The engine chose a setting by itself and says which.',
  },
  {
    name: 'harmless-processor',
    code: 'ok.warning',
    anchors: [
      'Using a slow image processor',
      'Special tokens have been added in the vocabulary',
      'Unrecognized keys in `rope',
      'generation flags are not valid',
      '`pad_token_id` to `eos_token_id`',
      'It has no effect here and is ignored',
      'Unused or unrecognized kwargs',
    ],
    pattern:
      /Using a slow image processor|Special tokens have been added in the vocabulary|Unrecognized keys in `rope|generation flags are not valid|`pad_token_id` to `eos_token_id`|It has no effect here and is ignored|Unused or unrecognized kwargs/,
    example: 'Using a slow image processor as `use_fast` is unset and a slow processor was saved with this model.',
    nearMiss: 'Using a fast image processor',
    means:
      'transformers remarks on a setting of the model files that it leaves out or replaces; the answers do not change.',
  },
  {
    name: 'harmless-nccl-info',
    code: 'ok.info',
    anchors: ['NET/Plugin: No plugin found', 'NET/Plugin: Could not find', 'No plugin found (libnccl', 'NCCL version '],
    pattern: /NET\/Plugin: (?:No plugin found|Could not find)|No plugin found \(libnccl|NCCL version \d/,
    example: 'gpu1:42:42 [0] NCCL INFO NET/Plugin: No plugin found (libnccl-net.so), using internal implementation',
    nearMiss: 'the NCCL version is not known',
    means: 'NCCL says what it is and that it uses its own network code.',
  },
  {
    name: 'harmless-prompt-again',
    code: 'ok.info',
    anchors: ['forcing full prompt re-processing'],
    pattern: /forcing full prompt re-processing/,
    example:
      'slot update_slots: id 0 | task 7 | forcing full prompt re-processing due to lack of cache data (likely due to SWA)',
    nearMiss: 'full prompt processing is forced off',
    means:
      'This kind of model cannot reuse the cache of a conversation that was changed, so the prompt is read again: slower, and right.',
  },
  {
    name: 'harmless-slower-way',
    code: 'ok.warning',
    anchors: [
      'Using a slow tokenizer',
      "but the 'hf_xet' package is not installed",
      'Falling back to the PyTorch-native implementation',
      'tensor cores for float32 matrix multiplication available',
      'sending unauthenticated requests to the HF Hub',
      'Disabling radix cache since',
      'This may cause OOM errors during the initial memory profiling',
      'Possibly too large swap space',
    ],
    pattern:
      /Using a slow tokenizer|but the 'hf_xet' package is not installed|Falling back to the PyTorch-native implementation|tensor cores for float32 matrix multiplication available|sending unauthenticated requests to the HF Hub|Disabling radix cache since|This may cause OOM errors during the initial memory profiling|Possibly too large swap space/,
    example:
      'WARNING [topk_topp_sampler.py:69] FlashInfer is not available. Falling back to the PyTorch-native implementation of top-p & top-k sampling.',
    nearMiss: 'Using a fast tokenizer',
    means: 'A faster way is not there, or a setting is on the large side; the server takes the slower way, and works.',
  },
  {
    name: 'harmless-host-remark',
    code: 'ok.warning',
    anchors: [
      'Found ulimit of ',
      'Failed to get the IP address, using',
      'Invalid HTTP request received',
      'Unexpected error during package walk',
      'evaluates to an empty string',
    ],
    pattern:
      /Found ulimit of \d|Failed to get the IP address, using|Invalid HTTP request received|Unexpected error during package walk|environment variable evaluates to an empty string/,
    example: 'WARNING:  Invalid HTTP request received.',
    nearMiss: 'Found ulimits that fit',
    means: 'A remark on the host or on a stranger’s request; the server goes on as before.',
  },
  {
    name: 'harmless-llama-remark',
    code: 'ok.info',
    anchors: [
      'KV cache shifting is not supported',
      'cache_reuse is not supported',
      'failed to find ggml_backend_init',
      'were not marked as outputs -> overriding',
      'calling encode() instead',
      'key with type not found',
      'msg="key not found"',
      "usage didn't recover within timeout",
    ],
    pattern:
      /KV cache shifting is not supported|cache_reuse is not supported|failed to find ggml_backend_init|were not marked\sas\soutputs -> overriding|calling encode\(\) instead|key with type not found|msg="key not found"|usage didn't recover within timeout/,
    example: 'time=t level=WARN source=ggml.go:152 msg="key with type not found" key=general.alignment default=32',
    nearMiss: 'msg="key found"',
    means: 'llama.cpp takes a default or another way, and says so.',
  },
  {
    name: 'harmless-no-template',
    code: 'ok.info',
    anchors: ['o chat template found', 'o HuggingFace chat template found'],
    pattern: /[Nn]o (?:HuggingFace )?chat template found/,
    example: "[t] No chat template found, defaulting to 'string' content format",
    nearMiss: '[t] Loading chat template from /srv/qwen.jinja',
    means:
      'The model files hold no chat template. Embedding models need none, and some models (DeepSeek V3.2 and V4) are rendered by the engine itself.',
    may: 'Where chats are refused, start with --chat-template FILE.',
  },
  {
    name: 'harmless-content-format',
    code: 'ok.info',
    anchors: ['chat template content format', 'Casting torch.'],
    pattern: /[Dd]etect(?:ed|ing) (?:the )?chat template content format|Casting torch\.\w{4,10} to torch\.\w{4,10}/,
    example: "INFO [serving.py:150] Detected the chat template content format to be 'string'.",
    nearMiss: 'the chat template content format is wrong',
    means: 'The engine chose a setting by what the model files say.',
  },
]
