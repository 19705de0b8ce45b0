import { random } from '../random.ts'

/**
 * Lines as engines, their libraries and their hosts write them, with no secret in any: numbers, hashes, ids and paths drawn
 * anew for each. Placeholders: `#` digits, `$` a number, `@` a hash, `^` a word of base64, `~` a model, `%` a path.
 */
export function engineLine(seed: number): string {
  const { below, pick } = random(seed)
  const template = pick(TEMPLATES) ?? ''
  const stamp = `[2026-11-${two(1 + below(30))} ${two(below(24))}:${two(below(60))}:${two(below(60))}${pick(RANKS) ?? ''}] `
  const some: Readonly<Record<string, () => string>> = {
    '#': () => String(below(10)),
    $: () => String(below(10 ** (1 + below(6)))),
    '@': () => drawn(below(2 ** 31), '0123456789abcdef', 40 + 24 * below(2)),
    '^': () => drawn(below(2 ** 31), `${LETTERS}${LETTERS.toUpperCase()}0123456789-_`, 22),
    '~': () => pick(MODELS) ?? '',
    '%': () => pick(PATHS) ?? '',
  }
  return `${pick([stamp, stamp, '', 'Nov 30 12:00:01 gpu-box-1 python[4242]: ']) ?? ''}${template.replace(/[#$@^~%]/g, (mark) => some[mark]?.() ?? '')}`
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const RANKS = ['', '', ' TP0', ' TP1', ' DP1 TP3 EP3', '.412 TP0']
const MODELS = [
  'Qwen/Qwen3.6-27B',
  'meta-llama/Llama-3.3-70B-Instruct',
  'deepseek-ai/DeepSeek-V3.1',
  '/srv/models/qwen3-30b-a3b-fp8',
]
const PATHS = [
  '/opt/venv/lib/python3.12/site-packages/sglang/srt/managers/scheduler.py',
  '/root/.cache/huggingface/hub/models--Qwen--Qwen3-30B-A3B/snapshots/2c1b8a1f/model-00007-of-00016.safetensors',
  '/home/llm/.ssh/id_ed25519',
  '/run/secrets/hf_token',
  '~/.cache/huggingface/token',
]

const TEMPLATES: readonly string[] = [
  // SGLang
  "server_args=ServerArgs(model_path='~', tokenizer_path='~', tokenizer_mode='auto', host='0.0.0.0', port=30000, mem_fraction_static=0.##, tp_size=#, api_key=None, admin_api_key=None, ssl_keyfile=None, random_seed=$, served_model_name='~', hf_token=None)",
  'Init torch distributed begin.',
  'Init torch distributed ends. elapsed=#.## s, mem usage=0.## GB',
  'Load weight begin. avail mem=##.## GB',
  'Load weight end. elapsed=##.## s, type=Qwen3NextForCausalLM, dtype=torch.bfloat16, avail mem=#.## GB, mem usage=##.## GB.',
  'Loading safetensors checkpoint shards:  ##% Completed | #/16 [00:##<00:##,  #.##it/s]',
  '\rMulti-thread loading shards:  ##%|###       | #/16 [00:##<00:##,  #.##it/s]\rMulti-thread loading shards: 100%|##########| 16/16',
  'Parameter model.layers.##.self_attn.k_proj.weight_scale not found in params_dict',
  'KV Cache is allocated. #tokens: $, K size: #.## GB, V size: #.## GB',
  'Mamba Cache is allocated. max_mamba_cache_size: $, conv_state size: 0.##GB, ssm_state size: #.##GB',
  'Capture cuda graph bs [1, 2, 4, 8, 12, 16, 24, 32]',
  '\rCapturing batches (bs=## avail_mem=#.## GB):  ##%|####   | #/8 [00:0#<00:0#, #.##it/s]',
  'max_total_num_tokens=$, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=##, context_len=262144, available_gpu_mem=#.## GB',
  'Prefill batch, #new-seq: #, #new-token: $, #cached-token: $, token usage: 0.##, #running-req: #, #queue-req: #, cuda graph: False, input throughput (token/s): $.##',
  'Decode batch, #running-req: #, #full token: $, full token usage: 0.##, mamba num: #, mamba usage: 0.##, accept len: #.##, accept rate: 0.##, cuda graph: True, gen throughput (token/s): ##.##, #queue-req: #',
  "Receive: obj=GenerateReqInput(rid='@', text=None, input_ids=None, sampling_params={'max_new_tokens': $, 'stop_token_ids': [248046], 'skip_special_tokens': True}, return_logprob=False, logprob_start_len=-1, stream=True)",
  "Finish: obj.rid='^', out={'meta_info': {'id': '^', 'finish_reason': {'type': 'stop', 'matched': 248046}, 'prompt_tokens': $, 'completion_tokens': $, 'cached_tokens': $, 'e2e_latency': #.##}}",
  'KV cache pool is full. Retract requests. #retracted_reqs: #, #new_token_ratio: 0.## -> 0.##',
  'The server is fired up and ready to roll!',
  'Using default HuggingFace chat template with detected content format: string',
  'Special tokens have been added in the vocabulary, make sure the associated word embeddings are fine-tuned or trained.',
  'Setting `pad_token_id` to `eos_token_id`:248046 for open-end generation.',
  // uvicorn and vLLM
  'INFO:     10.0.0.#:$ - "POST /v1/chat/completions HTTP/1.1" 200 OK',
  'INFO:     127.0.0.1:$ - "GET /v1/models?limit=## HTTP/1.1" 401 Unauthorized',
  'INFO:     Uvicorn running on http://0.0.0.0:30000 (Press CTRL+C to quit)',
  "INFO 11-30 12:00:## [api_server.py:1280] vLLM API server version 0.1#.#, args: {'api_key': None, 'ssl_keyfile': None, 'tokenizer': '~', 'kv_cache_dtype': 'auto', 'guided_decoding_backend': 'xgrammar'}",
  'INFO 11-30 12:00:## [loggers.py:122] Engine 000: Avg prompt throughput: $.# tokens/s, Avg generation throughput: ##.# tokens/s, Running: # reqs, Waiting: # reqs, GPU KV cache usage: #.#%, Prefix cache hit rate: ##.#%',
  'INFO 11-30 12:00:## [gpu_model_runner.py:##] key_cache shape: (2, $, 16, 8, 128), num_key_value_heads=8, head_dim=128',
  'Added request chatcmpl-@.',
  // llama.cpp and tokenizers
  'llama_model_loader: - kv  ##:                tokenizer.ggml.eos_token_id u32              = $',
  "print_info: BOS token        = $ '<|endoftext|>', EOS token = $ '<|im_end|>', PAD token = $",
  'slot update_slots: id  # | task $ | kv cache rm [$, end), new prompt, n_ctx_slot = 8192, n_keep = 0, n_prompt_tokens = $',
  '"bos_token": null, "eos_token": "<|im_end|>", "pad_token": "<|endoftext|>", "split_special_tokens": false, "unk_token": "<unk>"',
  '{"architectures": ["Qwen3ForCausalLM"], "num_attention_heads": 32, "num_key_value_heads": #, "rope_theta": $, "use_cache": true}',
  // Hugging Face
  'Fetching ## files:  ##%|####      | #/## [00:##<00:##,  #.##it/s]',
  "Couldn't connect to 'https://huggingface.co' to load the files, and couldn't find them in the cached files. Set HF_HUB_OFFLINE=1 to be offline.",
  'Access to model ~ is restricted. You must have access to it and be authenticated to access it. Please log in.',
  'Please set the environment variable HF_TOKEN or pass --hf-token to authenticate; token file: %',
  'sha256:@  %',
  'Downloading shards to % (etag "@")',
  // Python
  '  File "%", line $, in event_loop_overlap',
  "KeyError: 'model.layers.##.mlp.experts.w2_weight'",
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ##.## GiB. GPU # has a total capacity of 47.5# GiB of which #.## GiB is free. Process $ has ##.## GiB memory in use.',
  'RuntimeError: The size of tensor a ($) must match the size of tensor b ($) at non-singleton dimension #',
  "ValueError: Unrecognized configuration class <class 'transformers.models.qwen3.configuration_qwen3.Qwen3Config'> for this kind of AutoModel: AutoModelForCausalLM.",
  'UserWarning: `do_sample` is set to `False`. However, `top_k` is set to `20`; key=value pairs are ignored.',
  // CUDA, NCCL, kernel, systemd, ssh
  'gpu-box-1:$:$ [#] NCCL INFO Channel 0#/0 : 0[0] -> 1[1] via P2P/IPC',
  'gpu-box-1:$:$ [#] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.#<0>',
  'NVRM: Xid (PCI:0000:0#:00): 79, pid=$, name=python, GPU has fallen off the bus.',
  'GPU #: NVIDIA RTX A6000 (UUID: GPU-########-####-####-####-############)',
  'sglang.service: Main process exited, code=killed, status=9/KILL',
  'Started sglang.service - SGLang, InvocationID=@',
  'pam_unix(sudo:session): session opened for user root(uid=0) by llm(uid=1000)',
  'Accepted publickey for llm from 10.0.0.# port $ ssh2: ED25519 SHA256:^^',
  'debug1: Offering public key: % ED25519 SHA256:^^ explicit',
  'Failed password for invalid user admin from 10.0.0.# port $ ssh2',
  'docker run --gpus all --shm-size 32g -p 30000:30000 -v %:/models -e HF_HUB_ENABLE_HF_TRANSFER=1 lmsysorg/sglang:v0.5.## python -m sglang.launch_server --model-path ~ --tp-size # --tokenizer-path ~ --max-total-tokens $ --context-length $',
  'x-request-id: ^  traceparent: 00-@-b7ad6b7169203331-01',
  'Cache-Control: no-cache, key: value, secret handshake done, password prompt skipped, author: Anna',
  'warmup token: $; first token after #.## s; tokens: $; next_token=$; cache key: $',
]

function two(number: number): string {
  return String(number).padStart(2, '0')
}

function drawn(seed: number, alphabet: string, length: number): string {
  const { pick } = random(seed)
  return Array.from({ length }, () => pick([...alphabet]) ?? '').join('')
}
