import type { Rule } from '../../domain/finding.ts'
import { flagsOf, numberFlag } from '../flags.ts'
import { standing } from '../log/outlived.ts'
import { lastSign, quotedSign } from '../log/signs.ts'
import { numberIn } from '../memory.ts'
import { insteadOf } from '../remedies.ts'

/** A hybrid model found no slot for the state of one more request; SGLang ends of it. */
export const mambaSlots: Rule = {
  codes: ['load.mamba-slots'],
  signatures: [
    {
      name: 'no-mamba-slot',
      anchors: ['Not enough space for mamba', 'Can not alloc mamba cache'],
      pattern:
        /^(?!.*profile prefill latency).*(?:Not enough space for mamba (?:cache|ping pong idx)|Can not alloc mamba cache)(?:.{0,200}?mamba_pool\.size=(?<size>\d{1,6}))?/,
      example: 'AssertionError: Not enough space for mamba ping pong idx, try to increase --mamba-full-memory-ratio.',
      nearMiss: 'Not enough space for mamba-env on disk',
    },
    {
      name: 'mamba-use',
      anchors: ['mamba usage: '],
      pattern: /#running-req: (?<running>\d{1,6}).{0,200}mamba usage: (?<usage>\d\.\d{1,4})/,
      example:
        '[t TP0] Decode batch, #running-req: 8, #full token: 900, mamba num: 39, mamba usage: 0.98, #queue-req: 12',
      nearMiss: '[t TP0] Decode batch, #running-req: 8, #token: 900, token usage: 0.10, #queue-req: 0',
    },
  ],
  check(evidence) {
    const [sign] = standing(evidence, 'no-mamba-slot')
    if (sign === undefined) return []
    const flags = flagsOf(evidence)
    const size = numberIn(sign.fields['size']) ?? numberFlag(flags, 'max-mamba-cache-size')
    const running = numberFlag(flags, 'max-running-requests')
    const busy = lastSign(evidence, 'mamba-use')
    return [
      {
        code: 'load.mamba-slots',
        verdict: 'overloaded',
        cause: `More requests came at once than the pool of recurrent states${size === null ? '' : ` (${size} slots)`} can hold, and the scheduler stopped at it.`,
        because: [...(busy === null || busy.at > sign.at ? [] : [busy]), sign].map(quotedSign),
        remedy: [
          `Let fewer requests in: ${insteadOf(`--max-running-requests ${fewerThan(running, size)}`, running)}: with speculative decoding and a prefix cache one request takes up to 5 slots.`,
          `Or make the pool larger: ${size === null ? '--mamba-full-memory-ratio 1.2' : `--max-mamba-cache-size ${size * 2}`}, at the cost of the KV cache.`,
          'Start the server again: after this error it is gone. Newer releases of SGLang wait in place of ending.',
        ],
        confidence: 'certain',
        explains: ['engine.assert', 'engine.invariant'],
        at: sign.at,
      },
    ]
  },
}

/** One request takes up to 5 slots. */
function fewerThan(running: number | null, slots: number | null): number {
  if (slots !== null) return Math.max(1, Math.floor(slots / 5))
  return running === null ? 16 : Math.max(1, Math.floor(running / 2))
}
