import { compareVersions } from '../../../src/judge/version.ts'
import type { Home } from './home.ts'
import type { Division, MemoryRefusal } from './memory.ts'
import { divide } from './memory.ts'

/** The flags that the double knows; SGLang's parser refuses others, and so does it. */
export interface Flags {
  readonly model: string
  readonly port: number
  readonly tensorParallel: number
  readonly fraction: number
  readonly context: number | null
  readonly reasoningParser: string | null
  readonly chatTemplate: string | null
  readonly speculative: string | null
  readonly mambaStrategy: string | null
  readonly strictThinking: boolean
}

/** Tokens that the model was made for (Qwen3.6, config.json). */
export const DERIVED_CONTEXT = 262_144

const CLASS = 'Qwen3_5ForConditionalGeneration'

/** The lines of a start up to its HTTP server; `ends` where it comes no further, as SGLang words it (sglang.md 3, 4). */
export function startLines(flags: Flags, home: Home): { readonly lines: readonly string[]; readonly ends: boolean } {
  const wrong = wrongArguments(flags, home.version)
  if (wrong !== null) return { lines: [...inParent(wrong)], ends: true }
  const division = divide({
    fraction: flags.fraction,
    tensorParallel: flags.tensorParallel,
    holders: home.holders,
    namesLeast: isFrom(home.version, '0.5.14'),
  })
  const opening = [serverArgs(flags), rank(flags, 'Init torch distributed begin.')]
  const refusal = division.refusal ?? unknownClass(home.version)
  const reached = stages(flags, division)
    .filter(({ stage }) => refusal === null || ORDER.indexOf(stage) < ORDER.indexOf(refusal.stage))
    .flatMap(({ lines }) => lines)
  const started = refusal?.stage === 'weights' ? [weightsBegin(flags, division)] : []
  const graphsBegin = refusal?.stage === 'graphs' ? [captureBegin(flags, division)] : []
  const end = refusal === null ? [] : inScheduler(flags, refusal)
  return { lines: [...opening, ...reached, ...started, ...graphsBegin, ...end], ends: refusal !== null }
}

const ORDER = ['distributed', 'weights', 'pools', 'graphs'] as const

function isFrom(version: string, least: string): boolean {
  return (compareVersions(version, least) ?? -1) >= 0
}

/** What SGLang's own look at the arguments refuses, before anything is loaded. */
function wrongArguments({ context, speculative, mambaStrategy }: Flags, version: string): string | null {
  const strategy = isFrom(version, '0.5.14') ? '--mamba-radix-cache-strategy' : '--mamba-scheduler-strategy'
  const needed = isFrom(version, '0.5.10rc0') && !isFrom(version, '0.5.14')
  if (context !== null && context > DERIVED_CONTEXT) {
    return `ValueError: User-specified context_length (${context}) is greater than the derived context_length (${DERIVED_CONTEXT}). This may lead to incorrect model outputs or CUDA errors. Note that the derived context_length may differ from max_position_embeddings in the model's config. To allow overriding this maximum, set the env var SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1`
  }
  if (speculative !== null && needed && mambaStrategy !== 'extra_buffer') {
    return `ValueError: Speculative decoding for ${CLASS} is not compatible with radix cache when using ${strategy} no_buffer. To use radix cache with speculative decoding, please use ${strategy} extra_buffer and set SGLANG_ENABLE_SPEC_V2=1.`
  }
  return null
}

/** The class is in SGLang since 0.5.9. */
function unknownClass(version: string): MemoryRefusal | null {
  if (isFrom(version, '0.5.9')) return null
  return {
    stage: 'weights',
    frames: ['in load_model', 'in get_model_architecture'],
    error: `ValueError: Model architectures ['${CLASS}'] are not supported for now. Supported architectures: dict_keys(['LlamaForCausalLM', 'Qwen3ForCausalLM', 'Qwen3MoeForCausalLM', 'Qwen3NextForCausalLM'])`,
  }
}

function stages(flags: Flags, division: Division) {
  const { after, weights, beside } = division
  const pool = after - beside
  const free = beside.toFixed(2)
  return [
    { stage: 'distributed', lines: [rank(flags, 'Init torch distributed ends. mem usage=0.14 GB')] },
    {
      stage: 'weights',
      lines: [
        weightsBegin(flags, division),
        'Loading safetensors checkpoint shards: 100% Completed | 15/15 [00:09<00:00,  1.60it/s]',
        rank(
          flags,
          `Load weight end. elapsed=9.43 s, type=${CLASS}, dtype=torch.bfloat16, avail mem=${after.toFixed(2)} GB, mem usage=${weights.toFixed(2)} GB.`,
        ),
      ],
    },
    {
      stage: 'pools',
      lines: [
        rank(
          flags,
          `KV Cache is allocated. #tokens: ${Math.floor(pool * 16_000)}, K size: ${(pool / 2).toFixed(2)} GB, V size: ${(pool / 2).toFixed(2)} GB`,
        ),
        rank(flags, `Memory pool end. avail mem=${free} GB`),
      ],
    },
    {
      stage: 'graphs',
      lines: [
        captureBegin(flags, division),
        rank(flags, `Capture cuda graph end. Time elapsed: 7.30 s. mem usage=1.10 GB. avail mem=${free} GB.`),
        rank(
          flags,
          `max_total_num_tokens=${Math.floor(pool * 16_000)}, chunked_prefill_size=2048, max_prefill_tokens=16384, max_running_requests=48, context_len=${flags.context ?? DERIVED_CONTEXT}, available_gpu_mem=${free} GB`,
        ),
      ],
    },
  ] as const
}

function weightsBegin(flags: Flags, { before }: Division): string {
  return rank(flags, `Load weight begin. avail mem=${before.toFixed(2)} GB`)
}

function captureBegin(flags: Flags, { beside }: Division): string {
  return rank(flags, `Capture cuda graph begin. This can take up to several minutes. avail mem=${beside.toFixed(2)} GB`)
}

function serverArgs({ model, port, tensorParallel, fraction, context, ...more }: Flags): string {
  const quoted = (value: string | null) => (value === null ? 'None' : `'${value}'`)
  return stamped(
    `server_args=ServerArgs(model_path='${model}', tokenizer_path='${model}', host='127.0.0.1', port=${port}, tp_size=${tensorParallel}, mem_fraction_static=${fraction}, context_length=${context ?? 'None'}, reasoning_parser=${quoted(more.reasoningParser)}, chat_template=${quoted(more.chatTemplate)}, speculative_algorithm=${quoted(more.speculative)}, mamba_scheduler_strategy=${quoted(more.mambaStrategy ?? 'no_buffer')})`,
  )
}

function inParent(error: string): readonly string[] {
  return [
    'Traceback (most recent call last):',
    '  File "/venv/lib/python3.12/site-packages/sglang/launch_server.py", line 33, in <module>',
    '  File "/venv/lib/python3.12/site-packages/sglang/srt/server_args.py", line 1204, in __post_init__',
    error,
  ]
}

/** The root exception stands above what its end drags along (sglang.md 4). */
function inScheduler(flags: Flags, { frames, error }: MemoryRefusal): readonly string[] {
  return [
    rank(flags, 'Scheduler hit an exception: Traceback (most recent call last):'),
    '  File "/venv/lib/python3.12/site-packages/sglang/srt/managers/scheduler.py", line 2618, in run_scheduler_process',
    ...frames.map(
      (frame) =>
        `  File "/venv/lib/python3.12/site-packages/sglang/srt/model_executor/model_runner.py", line 700, ${frame}`,
    ),
    ...error.split('\n'),
    stamped('Received sigquit from a child process. It usually means the child failed.'),
  ]
}

function rank({ tensorParallel }: Flags, words: string): string {
  return stamped(words, tensorParallel > 1 ? ' TP0' : '')
}

/** `[2026-05-01 10:00:02 TP0] …`, without level and zone. */
export function stamped(words: string, ranks = ''): string {
  return `[${new Date().toISOString().slice(0, 19).replace('T', ' ')}${ranks}] ${words}`
}
