import type { LogEvidence, Signature } from '../../domain/signature.ts'

/**
 * How far a server has come by its log (sglang.md 3.2; vLLM and llama.cpp name the same steps). The same words mean
 * opposite things at different stages, so advice about memory asks for the stage first.
 */
export const STAGES = [
  'start',
  'distributed',
  'weights',
  'loaded',
  'pools',
  'graphs',
  'ready',
  'serving',
  'stopping',
] as const

export type Stage = (typeof STAGES)[number]

/** The stage that a line stands in: the last milestone at or above it. Null where no milestone stands above. */
export function stageAt(log: LogEvidence, at: number): Stage | null {
  const passed = log.signs.filter((sign) => sign.at <= at).flatMap(({ name }) => STAGE_OF.get(name) ?? [])
  return passed.at(-1) ?? null
}

/** The stage at the end of the log. */
export function lastStage(log: LogEvidence): Stage | null {
  return stageAt(log, Number.POSITIVE_INFINITY)
}

type Milestone = Signature & { readonly stage: Stage }

const MILESTONES: readonly Milestone[] = [
  {
    name: 'stage-server-args',
    stage: 'start',
    anchors: ['server_args=ServerArgs('],
    pattern: /server_args=ServerArgs\((?<args>.*)/,
    example: "[2026-05-01 10:00:00] server_args=ServerArgs(model_path='/models/qwen', tp_size=2)",
    nearMiss: 'server_args are read from the file',
  },
  {
    name: 'stage-distributed',
    stage: 'distributed',
    anchors: ['Init torch distributed begin'],
    pattern: /Init torch distributed begin/,
    example: '[2026-05-01 10:00:01 TP0] Init torch distributed begin.',
    nearMiss: 'Init torch distributed is skipped',
  },
  {
    name: 'stage-weights',
    stage: 'weights',
    anchors: ['Load weight begin', 'Starting to load model', 'llama_model_loader: loaded meta data'],
    pattern: /Load weight begin|Starting to load model|llama_model_loader: loaded meta data/,
    example: '[2026-05-01 10:00:02 TP0] Load weight begin. avail mem=47.10 GB',
    nearMiss: 'Load weights from the hub',
  },
  {
    name: 'stage-loading',
    stage: 'weights',
    anchors: ['checkpoint shards', 'Multi-thread loading shards'],
    pattern:
      /(?:Loading \w{1,20} checkpoint shards|Multi-thread loading shards)\D{0,5}(?<percent>\d{1,3})%(?: Completed)?(?:[^|]{0,40}\| {0,3}(?<done>\d{1,5})\/(?<of>\d{1,5}))?/,
    example: 'Loading safetensors checkpoint shards:  40% Completed | 6/15 [00:10<00:15]',
    nearMiss: 'checkpoint shards are missing',
  },
  {
    name: 'stage-loaded',
    stage: 'loaded',
    anchors: ['Load weight end', 'Model loading took', 'load_tensors: offloaded'],
    pattern: /Load weight end|Model loading took|load_tensors: offloaded/,
    example:
      '[t] Load weight end. type=Qwen3ForCausalLM, dtype=torch.bfloat16, avail mem=19.80 GB, mem usage=27.02 GB.',
    nearMiss: 'Load weight is slow',
  },
  {
    name: 'stage-pools',
    stage: 'pools',
    anchors: ['KV Cache is allocated', 'Mamba Cache is allocated', 'GPU KV cache size', 'Memory pool end'],
    pattern: /KV Cache is allocated|Mamba Cache is allocated|GPU KV cache size|Memory pool end/,
    example: '[t TP0] KV Cache is allocated. #tokens: 270331, K size: 8.25 GB, V size: 8.25 GB',
    nearMiss: 'KV Cache is not allocated',
  },
  {
    name: 'stage-graphs',
    stage: 'graphs',
    anchors: ['Capture cuda graph begin', 'CUDA graph begin', 'Capturing batches', 'Capturing CUDA graph'],
    pattern: /Capture (?:\w+ ){0,3}(?:cuda|CUDA) graph begin|Capturing batches|Capturing CUDA graph/,
    example: '[t TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=4.20 GB',
    nearMiss: 'Capture of the cuda graph is off',
  },
  {
    name: 'stage-ready',
    stage: 'ready',
    anchors: [
      'Application startup complete',
      'fired up and ready to roll',
      'server is listening on',
      'Uvicorn running on',
      'llama runner started in',
    ],
    pattern:
      /Application startup complete|fired up and ready to roll|server is listening on|Uvicorn running on|llama runner started in/,
    example: '[2026-05-01 10:02:12] The server is fired up and ready to roll!',
    nearMiss: 'Application startup failed. Exiting.',
  },
  {
    name: 'stage-serving',
    stage: 'serving',
    anchors: ['Prefill batch', 'Decode batch', 'Avg prompt throughput', 'eval time =', '[GIN] '],
    pattern:
      /Prefill batch|Decode batch|Avg prompt throughput|eval time =|\[GIN\] .{0,40}\| 200 \|.{0,80}"\/(?:api\/(?:chat|generate)|v1\/)/,
    example: '[t TP0] Decode batch. #running-req: 1, #token: 300, token usage: 0.00, gen throughput (token/s): 40.1',
    nearMiss: 'Prefill is disabled',
  },
  {
    name: 'stage-stopping',
    stage: 'stopping',
    anchors: ['SIGTERM received', 'Gracefully exiting', 'INFO:     Shutting down'],
    pattern: /SIGTERM received|Gracefully exiting|INFO: {5}Shutting down/,
    example: '[t] SIGTERM received. 2 requests left. Draining requests and shutting down...',
    nearMiss: 'SIGTERM is ignored',
  },
]

/** They are looked for in every log. */
export const stageSignatures: readonly Signature[] = MILESTONES

const STAGE_OF: ReadonlyMap<string, Stage> = new Map(MILESTONES.map(({ name, stage }) => [name, stage]))
