import type { Code } from '../../src/domain/code.ts'
import type { Verdict } from '../../src/domain/verdict.ts'
import type { ModelServerOptions } from '../../src/lab/model-server.ts'
import { eosInReasoning, immediateEos, loading, loop } from '../../src/lab/stories.ts'
import type { ModelName } from '../../test/far/engine/models/index.ts'
import { exclamations, HANGING, hangs, lostByParser, thinksLong } from './stories.ts'

/** Something that happens to model servers, how it is served here, and what is to be said of it. */
export interface Incident {
  readonly name: string
  /** the lab's model server */
  readonly lab: ModelServerOptions
  /** a model with which a real llama-server misbehaves in the same way; null where the lab alone can */
  readonly model: ModelName | null
  readonly verdict: Verdict
  readonly code: Code
}

export const INCIDENTS: readonly Incident[] = [
  {
    name: 'ends after 2 tokens, content `null`',
    lab: { story: immediateEos, version: '0.5.9' },
    model: null,
    verdict: 'broken',
    code: 'model.immediate-eos',
  },
  {
    name: 'repeats itself to the budget',
    lab: { story: loop, version: '0.5.9' },
    model: 'loop',
    verdict: 'broken',
    code: 'model.degenerate-loop',
  },
  {
    name: 'ends in its reasoning, without an answer',
    lab: { story: eosInReasoning },
    model: null,
    verdict: 'broken',
    code: 'model.eos-in-reasoning',
  },
  {
    name: 'says `!!!!!`',
    lab: { story: exclamations },
    model: 'loop-1',
    verdict: 'broken',
    code: 'model.nan-logits',
  },
  {
    name: 'HTTP 200 and no text: the wrong parser',
    lab: { story: lostByParser },
    model: null,
    verdict: 'broken',
    code: 'parser.harmony-lost',
  },
  {
    name: 'hangs after the first token',
    lab: { story: hangs, tokensPerSecond: HANGING },
    model: null,
    // from outside nobody can tell whether the engine or the way to it is to blame
    verdict: 'inconclusive',
    code: 'stream.stalled',
  },
  {
    name: 'HTTP 503, still loading',
    lab: { story: loading },
    model: null,
    verdict: 'not-ready',
    code: 'state.loading',
  },
  {
    name: 'healthy, thinks for 7 s first',
    // within the limit of those that wait for the whole answer
    lab: { story: thinksLong, tokensPerSecond: 250 },
    model: null,
    verdict: 'healthy',
    code: 'ok.answered',
  },
]
