import type { Rule } from '../../domain/finding.ts'
import { bodyOf, complaintOf, hasFailed, saidNo } from '../refusal.ts'
import { ENGINE_LOG } from '../remedies.ts'
import { quotedTold, toldLine } from '../told.ts'
import { crashIn } from './crashed.ts'

/** The engine found a state that its authors held impossible, and says which. */
export const assertion: Rule = {
  codes: ['engine.assert'],
  check(evidence) {
    const { smoke } = evidence
    const complaint = complaintOf(smoke)
    if (!hasFailed(smoke) || complaint === null || crashIn(evidence) !== null) return []
    if (complaint.kind !== 'server' && complaint.kind !== 'aborted') return []
    const isSaid = ASSERTION.test(`${complaint.message} ${bodyOf(smoke).slice(0, LOOKED_AT)}`)
    const line = isSaid ? null : toldLine(evidence, ASSERTION)
    if (!isSaid && line === null) return []
    return [
      {
        code: 'engine.assert',
        verdict: 'broken',
        cause:
          'The engine stopped at a check of its own: a state that its authors held impossible, which is a bug of this version with this model, these flags or this request.',
        because: [saidNo(smoke, complaint.message), ...(line === null ? [] : [quotedTold(line)])],
        remedy: [
          `${ENGINE_LOG} The line above the assertion names the file: search the issues of the engine for it.`,
          'Upgrade the engine. Until then leave out, one at a time, what is special in the request (tools, a schema, pictures, logprobs), then speculative decoding and CUDA graphs.',
          'Restart the engine if other requests fail too.',
        ],
        confidence: isSaid ? 'certain' : 'likely',
        explains: ['engine.invariant', 'engine.aborted'],
      },
    ]
  },
}

const LOOKED_AT = 8000
const ASSERTION =
  /\bAssertionError\b|\bGGML_ASSERT\b|\bassert(?:ion)? [`'"(].{1,200}\bfail|\bassertion failed|\bassert .{1,120}(?:==|!=|<|>| is | in )|Check failed:|\bCHECK_[A-Z]{2} ?\(|TORCH_CHECK|INTERNAL ASSERT FAILED|thread '.{1,60}' panicked|unreachable code/
