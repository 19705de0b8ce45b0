import type { WrittenLine } from '../box-machine.ts'
import { PLANTED_API_KEY } from '../model-server/sglang-facts.ts'
import type { Setting } from './setting.ts'
import { MODEL, MODEL_PATH, PORT } from './setting.ts'

/** What became of a start. */
export type Ending = 'strategy-refused' | 'card-taken' | 'no-room' | 'port-taken' | 'serves'

export interface Run {
  readonly setting: Setting
  readonly ending: Ending
  /** of serve.sh */
  readonly pid: number
  /** of the serve.sh whose server was there before; 0: none was */
  readonly holder: number
  /** ms since 1970 */
  readonly since: number
}

/**
 * What SGLang writes in one run, line for line as journald cuts it (sglang.md 3 and 4). This box starts at once what takes
 * minutes elsewhere: the last line stands at the start, so that none is of a time to come.
 */
export function runLog(run: Run): readonly WrittenLine[] {
  const lines = run.ending === 'strategy-refused' ? refused() : [...opening(run), ...WAYS[run.ending](run)]
  const [lastS = 0] = lines.at(-1) ?? []
  return lines.map(([atS, text, rank]) => {
    const afterS = atS - lastS
    return [afterS, rank === undefined ? text : `${stamp(run.since, afterS, rank)}${text}`]
  })
}

/** Seconds after the start, the text, and the rank that wrote it; without one the line has no stamp. */
type Line = readonly [afterS: number, text: string, rank?: '' | ' TP0' | ' TP1']

function stamp(since: number, afterS: number, rank: string): string {
  const moment = new Date(since + afterS * 1000).toISOString()
  return `[${moment.slice(0, 10)} ${moment.slice(11, 19)}${rank}] `
}

const SITE = '/opt/sglang/lib/python3.12/site-packages/sglang'

/** Before anything else the arguments are looked at. */
function refused(): readonly Line[] {
  return [
    [6, 'Traceback (most recent call last):'],
    [6, '  File "<frozen runpy>", line 198, in _run_module_as_main'],
    [6, '  File "<frozen runpy>", line 88, in _run_code'],
    [6, `  File "${SITE}/launch_server.py", line 51, in <module>`],
    [6, '    server_args = prepare_server_args(sys.argv[1:])'],
    [6, `  File "${SITE}/srt/server_args.py", line 847, in __post_init__`],
    [6, '    self._handle_model_specific_adjustments()'],
    [6, `  File "${SITE}/srt/server_args.py", line 2206, in _handle_mamba_radix_cache`],
    [6, '    raise ValueError('],
    [
      6,
      'ValueError: Speculative decoding for Qwen3_5ForConditionalGeneration is not compatible with radix cache when using --mamba-scheduler-strategy no_buffer.To use radix cache with speculative decoding, please use --mamba-scheduler-strategy extra_buffer and set SGLANG_ENABLE_SPEC_V2=1.',
    ],
  ]
}

function opening({ setting }: Run): readonly Line[] {
  const { memFraction, maxRunning, mambaRatio, attention, mamba, version } = setting
  // real SGLang writes its key there too (sglang.md 1.3)
  const args = `model_path='${MODEL_PATH}', tokenizer_path='${MODEL_PATH}', served_model_name='${MODEL}', host='127.0.0.1', port=${PORT}, api_key='${PLANTED_API_KEY}', dtype='auto', context_length=32768, mem_fraction_static=${memFraction}, max_running_requests=${maxRunning}, tp_size=2, reasoning_parser='qwen3', attention_backend='${attention}', speculative_algorithm='EAGLE', speculative_num_steps=3, speculative_eagle_topk=1, speculative_num_draft_tokens=4, mamba_full_memory_ratio=${mambaRatio}, mamba_scheduler_strategy='${mamba}', disable_radix_cache=${version === '0.5.9' ? 'True' : 'False'}`
  return [
    ...(version === '0.5.9' ? [DISABLED] : []),
    [8, `server_args=ServerArgs(${args})`, ''],
    ...both(19, 'Init torch distributed begin.'),
    ...both(21, 'Init torch distributed ends. elapsed=2.05 s, mem usage=0.37 GB'),
  ]
}

const DISABLED: Line = [
  8,
  'Disabling radix cache since speculative decoding for Qwen3_5ForConditionalGeneration is not supported with radix cache when using no_buffer strategy yet.',
  '',
]

function both(afterS: number, text: string): readonly Line[] {
  return [
    [afterS, text, ' TP0'],
    [afterS, text, ' TP1'],
  ]
}

const WAYS: Readonly<Record<Exclude<Ending, 'strategy-refused'>, (run: Run) => readonly Line[]>> = {
  'card-taken': cardTaken,
  'no-room': noRoom,
  'port-taken': (run) => [...loaded(run), ...portTaken(run)],
  serves: (run) => [...loaded(run), ...serving(run)],
}

/** A server that works holds the cards: not even the weights fit beside it. */
function cardTaken({ holder }: Run): readonly Line[] {
  const out = `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 340.00 MiB. GPU 0 has a total capacity of 47.41 GiB of which 218.69 MiB is free. Process ${holder + 4} has 42.61 GiB memory in use. Including non-PyTorch memory, this process has 4.58 GiB memory in use. Of the allocated memory 4.12 GiB is allocated by PyTorch, and 8.31 MiB is reserved by PyTorch but unallocated.`
  return [
    ...both(22, 'Load weight begin. avail mem=4.21 GB'),
    [25, 'Scheduler hit an exception: Traceback (most recent call last):', ' TP0'],
    ...frames(25, [
      ['managers/scheduler.py', 2892, 'run_scheduler_process', 'scheduler = Scheduler('],
      ['model_executor/model_runner.py', 871, 'load_model', 'self.model = get_model('],
    ]),
    [25, out],
    ...SIGQUIT(26),
  ]
}

/** Weights are loaded, and the states of 48 requests leave nothing for the KV cache. */
function noRoom({ setting }: Run): readonly Line[] {
  return [
    ...weights(),
    ...both(84, `Using KV cache dtype: torch.bfloat16`),
    [85, 'Scheduler hit an exception: Traceback (most recent call last):', ' TP0'],
    ...frames(85, [
      ['managers/scheduler.py', 2892, 'run_scheduler_process', 'scheduler = Scheduler('],
      ['model_executor/model_runner.py', 497, 'initialize', 'self.init_memory_pool('],
      ['model_executor/model_runner_kv_cache_mixin.py', 318, 'init_memory_pool', 'raise RuntimeError('],
    ]),
    [
      85,
      `RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: mem_fraction_static=${setting.memFraction}`,
    ],
    ...SIGQUIT(86),
  ]
}

function frames(
  afterS: number,
  calls: readonly (readonly [file: string, line: number, of: string, code: string])[],
): readonly Line[] {
  return calls.flatMap(([file, line, of, code]): Line[] => [
    [afterS, `  File "${SITE}/srt/${file}", line ${line}, in ${of}`],
    [afterS, `    ${code}`],
  ])
}

const SIGQUIT = (afterS: number): readonly Line[] => [
  [afterS, 'Received sigquit from a child process. It usually means the child failed.', ''],
]

function weights(): readonly Line[] {
  return [
    ...both(22, 'Load weight begin. avail mem=46.82 GB'),
    [48, 'Loading safetensors checkpoint shards:  47% Completed | 7/15 [00:25<00:29,  3.68s/it]'],
    [78, 'Loading safetensors checkpoint shards: 100% Completed | 15/15 [00:55<00:00,  3.71s/it]'],
    ...both(
      79,
      'Load weight end. elapsed=57.12 s, type=Qwen3_5ForConditionalGeneration, dtype=torch.bfloat16, avail mem=19.80 GB, mem usage=27.02 GB.',
    ),
  ]
}

function loaded({ setting, pid }: Run): readonly Line[] {
  return [
    ...weights(),
    ...both(
      84,
      `Mamba Cache is allocated. max_mamba_cache_size: ${3 * setting.maxRunning}, conv_state size: 0.11GB, ssm_state size: 4.74GB`,
    ),
    ...both(85, 'KV Cache is allocated. #tokens: 131072, K size: 2.00 GB, V size: 2.00 GB'),
    ...both(85, 'Memory pool end. avail mem=10.62 GB'),
    ...both(86, 'Capture cuda graph begin. This can take up to several minutes. avail mem=10.53 GB'),
    [87, 'Capture cuda graph bs [1, 2, 4, 8, 12, 16]', ' TP0'],
    ...both(101, 'Capture cuda graph end. Time elapsed: 14.52 s. mem usage=1.13 GB. avail mem=9.40 GB.'),
    [
      102,
      `max_total_num_tokens=131072, chunked_prefill_size=2048, max_prefill_tokens=16384, max_running_requests=${setting.maxRunning}, context_len=32768, available_gpu_mem=9.40 GB`,
      ' TP0',
    ],
    [103, `INFO:     Started server process [${pid + 1}]`, ''],
    [103, 'INFO:     Waiting for application startup.', ''],
    [103, 'INFO:     Application startup complete.', ''],
  ]
}

/** What is bound last fails last. */
function portTaken(_run: Run): readonly Line[] {
  return [
    [
      103,
      `ERROR:    [Errno 98] error while attempting to bind on address ('127.0.0.1', ${PORT}): address already in use`,
      '',
    ],
    [103, 'INFO:     Waiting for application shutdown.', ''],
    [103, 'INFO:     Application shutdown complete.', ''],
  ]
}

function serving(_run: Run): readonly Line[] {
  return [
    [103, `INFO:     Uvicorn running on http://127.0.0.1:${PORT} (Press CTRL+C to quit)`, ''],
    [104, 'INFO:     127.0.0.1:51522 - "GET /model_info HTTP/1.1" 200 OK', ''],
    [
      105,
      'Prefill batch, #new-seq: 1, #new-token: 79, #cached-token: 0, #full token: 0, full token usage: 0.00, mamba num: 0, mamba usage: 0.00, #running-req: 0, #queue-req: 0, cuda graph: False, input throughput (token/s): 0.00',
      ' TP0',
    ],
    [107, 'INFO:     127.0.0.1:51534 - "POST /v1/chat/completions HTTP/1.1" 200 OK', ''],
    [107, 'The server is fired up and ready to roll!', ''],
  ]
}
