import type { Rule } from '../../domain/finding.ts'
import { endOf, saysNan } from '../answer.ts'

/** The engine itself says that the model computes NaN; the finish is "stop" all the same. */
export const nan: Rule = {
  codes: ['model.nan-logits'],
  check({ smoke }) {
    const completion = smoke?.completion
    if (smoke === undefined || completion == null || !saysNan(completion)) return []
    return [
      {
        code: 'model.nan-logits',
        verdict: 'broken',
        cause: 'The model computed NaN, so the engine ended the answer: weights, quantisation or a kernel are wrong.',
        because: [endOf({ completion, request: smoke.request })],
        remedy: [
          'Start with --dtype bfloat16 instead of float16 and with --kv-cache-dtype auto; then repeat.',
          'If it stays: another checkpoint (unquantised), another --attention-backend, a newer engine, one at a time.',
          'Look for Xid lines in dmesg: a faulty card computes NaN too.',
        ],
        confidence: 'certain',
      },
    ]
  },
}
