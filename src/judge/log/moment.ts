import type { Evidence } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { holdsMuch } from '../foreign-memory.ts'
import { signsOf } from './signs.ts'
import { stageAt } from './stages.ts'

/**
 * When a GPU ran out of memory, which decides what helps: before the weights · while they were loaded · while vLLM tried
 * the largest batch · at the pools of the KV cache · at the CUDA graphs · at work.
 */
export type Moment = 'before' | 'weights' | 'trial' | 'pools' | 'graphs' | 'work'

/** By the traceback above the line, which is nearest, else by the milestones of the start; null where neither says. */
export function momentOf(evidence: Evidence, sign: Sign): Moment | null {
  const moment = byFrames(evidence, sign) ?? byStage(evidence, sign)
  // not every engine and version says that its weights begin
  return moment === 'before' && holdsMuch(sign) ? 'weights' : moment
}

/** Lines above it in which the frames of its own traceback stand. */
const TRACEBACK = 120

/** A batch is run inside a capture and inside a trial as well: the outer frame counts. */
const FRAMES: readonly (readonly [RegExp, Moment])[] = [
  [/^(?:capture\w*|graph_runner\.py)$/, 'graphs'],
  [/^(?:profile_run|determine_\w+)$/, 'trial'],
  [/^(?:load_model|load_weights|create_weights|process_weights_after_loading)$/, 'weights'],
  [/^(?:init_memory_pool|initialize_kv_cache)$/, 'pools'],
  [/^(?:forward_extend|forward_decode|forward_batch_generation|execute_model)$/, 'work'],
]

function byFrames(evidence: Evidence, { at }: Sign): Moment | null {
  const frames = signsOf(evidence, 'memory-frame')
    .filter((frame) => frame.at < at && frame.at >= at - TRACEBACK)
    .flatMap(({ fields }) => fields['frame'] ?? fields['runner'] ?? [])
  return FRAMES.find(([pattern]) => frames.some((frame) => pattern.test(frame)))?.[1] ?? null
}

function byStage({ log }: Evidence, { at }: Sign): Moment | null {
  const stage = log === undefined ? null : stageAt(log, at)
  switch (stage) {
    case 'start':
    case 'distributed':
      return 'before'
    case 'weights':
      return 'weights'
    case 'loaded':
      return log?.writer === 'vllm' ? 'trial' : 'pools'
    case 'pools':
      return 'pools'
    case 'graphs':
      return 'graphs'
    case 'ready':
    case 'serving':
    case 'stopping':
      return 'work'
    case null:
      return null
  }
}
