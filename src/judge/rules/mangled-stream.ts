import type { Rule } from '../../domain/finding.ts'
import { headOf } from '../answer.ts'
import { isMangled } from '../refusal.ts'

/** A gateway re-emits the comments of an SSE stream (": keep-alive") as data, or adds something of its own. */
export const mangledStream: Rule = {
  codes: ['proxy.sse-mangled'],
  check({ smoke }) {
    const line = /^data: ?:.*$/m.exec(smoke?.exchange?.response ?? '')?.[0]
    if (smoke === undefined || (line === undefined && !isMangled(smoke))) return []
    const seen = line === undefined ? (smoke.failure?.observed ?? '') : `the stream holds the line "${headOf(line)}"`
    return [
      {
        code: 'proxy.sse-mangled',
        verdict: 'degraded',
        cause:
          'A gateway between us and the engine puts into the stream what is no answer; strict clients break on it.',
        because: [seen, 'the answer itself came to its end'],
        remedy: ['Ask the engine directly to be sure; then correct or upgrade the gateway.'],
        confidence: 'certain',
      },
    ]
  },
}
