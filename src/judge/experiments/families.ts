import type { Code } from '../../domain/code.ts'

/** Steady faults of the computation: whatever is asked, it comes out wrong. */
export const COMPUTATION: readonly Code[] = [
  'model.immediate-eos',
  'model.degenerate-loop',
  'model.gibberish',
  'model.nan-logits',
  'model.weights-misloaded',
  'model.tp-comm-suspect',
]

/** Faults of the computation that show in some answers only. */
export const SUBTLE: readonly Code[] = ['model.kernel-bug', 'model.kv-quant', 'model.spec-desync']

export const TEMPLATE: readonly Code[] = ['template.wrong', 'template.missing', 'template.eos-missing']

export const PARSER: readonly Code[] = [
  'parser.reasoning-missing',
  'parser.reasoning-wrong',
  'parser.reasoning-unclosed',
  'parser.reasoning-split',
  'parser.harmony-missing',
  'parser.harmony-lost',
]

export const STREAM: readonly Code[] = [
  'proxy.sse-mangled',
  'stream.ended-without-finish',
  'stream.stalled',
  'transport.truncated',
  'transport.empty-body',
]

export const BUDGET: readonly Code[] = ['budget.reasoning-exhausted', 'budget.too-small']
