import type { Holder } from './home.ts'

/** GiB of one of two cards of 48 GB: all of it, what is free where nobody holds any, and what contexts take. */
const CARD = 47.41
const IDLE = 46.9
/** GiB of the model in BF16, and what the capture of its graphs needs beside the static part */
const WEIGHTS = 54.2
const GRAPHS = 2.6
const CARDS = 2

/** How a start divides the memory of a card, or where it ends. */
export interface Division {
  /** GiB free before the weights, after them, and beside the static part */
  readonly before: number
  readonly after: number
  readonly beside: number
  readonly weights: number
  readonly refusal: MemoryRefusal | null
}

export interface MemoryRefusal {
  readonly stage: 'distributed' | 'weights' | 'pools' | 'graphs'
  /** frames of the traceback, outermost first */
  readonly frames: readonly string[]
  readonly error: string
}

/**
 * SGLang's own arithmetic: `rest = after - before * (1 - mem_fraction_static)` is left for the KV cache
 * (model_runner.profile_max_num_token), what is outside the static part for the graphs.
 */
export function divide(given: {
  readonly fraction: number
  readonly tensorParallel: number
  readonly holders: readonly Holder[]
  /** whether this version names the smallest fraction that does (since 0.5.14) */
  readonly namesLeast: boolean
}): Division {
  const free = Array.from({ length: given.tensorParallel }, (_, gpu) => IDLE - heldOn(gpu, given.holders))
  const before = Math.min(...free)
  const weights = WEIGHTS / given.tensorParallel
  const after = before - weights
  const beside = before * (1 - given.fraction)
  const division = { before, after, beside, weights }
  const refusal =
    tooFew(given.tensorParallel) ??
    unbalanced(before, Math.max(...free)) ??
    full(division, given.holders) ??
    pools(division, given)
  return { ...division, refusal: refusal ?? graphs(division) }
}

function heldOn(gpu: number, holders: readonly Holder[]): number {
  return holders.filter((one) => one.gpu === gpu).reduce((sum, { gib }) => sum + gib, 0)
}

function tooFew(tensorParallel: number): MemoryRefusal | null {
  if (tensorParallel <= CARDS) return null
  const error = 'RuntimeError: CUDA error: invalid device ordinal'
  return { stage: 'distributed', frames: ['in init_torch_distributed'], error }
}

function unbalanced(least: number, here: number): MemoryRefusal | null {
  if (least >= 0.9 * here) return null
  return {
    stage: 'distributed',
    frames: ['in init_torch_distributed'],
    error: `ValueError: The memory capacity is unbalanced. Some GPUs may be occupied by other processes. pre_model_load_memory=${least.toFixed(4)}, local_gpu_memory=${here.toFixed(4)}, local_gpu_memory * 0.9=${(0.9 * here).toFixed(4)}`,
  }
}

type Amounts = Pick<Division, 'before' | 'after' | 'beside' | 'weights'>

function full({ after, before }: Amounts, holders: readonly Holder[]): MemoryRefusal | null {
  if (after > 0) return null
  const others = holders
    .filter(({ gpu }) => gpu === 0)
    .map(({ pid, gib }) => ` Process ${pid} has ${gib.toFixed(2)} GiB memory in use.`)
  return {
    stage: 'weights',
    frames: ['in load_model', 'in create_weights'],
    error: `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 136.00 MiB. GPU 0 has a total capacity of ${CARD} GiB of which 91.25 MiB is free.${others.join('')} Including non-PyTorch memory, this process has ${(before + 0.4).toFixed(2)} GiB memory in use. Of the allocated memory ${(before - 0.2).toFixed(2)} GiB is allocated by PyTorch, and 31.48 MiB is reserved by PyTorch but unallocated.`,
  }
}

function pools(
  { after, before, beside, weights }: Amounts,
  { fraction, namesLeast }: { readonly fraction: number; readonly namesLeast: boolean },
): MemoryRefusal | null {
  if (after - beside > 0) return null
  const least = (weights / before).toFixed(3)
  return {
    stage: 'pools',
    frames: ['in init_memory_pool'],
    error: namesLeast
      ? `ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=${fraction}. Raise --mem-fraction-static above ${least}.`
      : 'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.',
  }
}

function graphs({ beside }: Amounts): MemoryRefusal | null {
  if (beside >= GRAPHS) return null
  return {
    stage: 'graphs',
    frames: ['in init_device_graphs', 'in capture'],
    error: [
      'Exception: Capture cuda graph failed: CUDA out of memory. Tried to allocate 224.00 MiB.',
      'Possible solutions:',
      '1. set --mem-fraction-static to a smaller value (e.g., 0.8 or 0.7)',
      '2. set --cuda-graph-max-bs to a smaller value (e.g., 16)',
      '3. disable torch compile by not using --enable-torch-compile',
      '4. disable CUDA graph by --disable-cuda-graph. (Not recommended. Huge performance loss)',
    ].join('\n'),
  }
}
