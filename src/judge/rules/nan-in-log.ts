import type { Rule } from '../../domain/finding.ts'
import { lineRule } from '../log/line-faults.ts'

/** The engine's log says that the model computes NaN. */
export const nanInLog: Rule = lineRule([
  {
    signatures: [
      {
        name: 'nan-logits',
        anchors: [
          'NaN in the logits',
          'contains either `inf`, `nan` or element < 0',
          'NaN happened',
          'NaN detected in logits',
          'logits contain NaN',
          'contains NaN',
        ],
        pattern:
          /NaN in the (?:output )?logits|probability tensor contains either `inf`, `nan` or element < 0|NaN happened|NaN detected in logits|logits contains? (?:NaN|nan)/,
        example: '[t TP0] Detected errors during sampling! NaN in the logits.',
        nearMiss: 'NaN detection is enabled for logits',
      },
    ],
    holds: 'always',
    codes: ['model.nan-logits'],
    say: ({ line }) => ({
      code: 'model.nan-logits',
      verdict: 'broken',
      cause:
        'The model computes NaN: weights, data type, quantisation or a kernel are wrong, and what it answers is chance.',
      remedy: [
        'Start with --dtype bfloat16 instead of float16 and with --kv-cache-dtype auto; then repeat the smoke.',
        'If it stays: no speculative decoding, another --attention-backend, another checkpoint (unquantised), a newer engine, one at a time.',
        'Look for Xid lines in dmesg: a faulty card computes NaN too.',
      ],
      confidence: /probability tensor/.test(line) ? 'likely' : 'certain',
      explains: ['log.need-more', 'engine.invariant', 'engine.kernel-crash', 'engine.assert'],
    }),
  },
])
