import type { Finding, Rule } from '../../domain/finding.ts'
import type { Smoke } from '../../domain/smoke.ts'
import { bodyOf, hasFailed, saidNo, statusOf, textOf } from '../refusal.ts'

/** A gateway waited for the engine and gave up; the engine may be at work still. */
export const gatewayTimeout: Rule = {
  codes: ['proxy.timeout'],
  check({ smoke }) {
    if (!hasFailed(smoke) || !isLate(smoke)) return []
    const because = [saidNo(smoke, textOf(bodyOf(smoke)))]
    return [{ ...(smoke.request.stream ? STREAMED : WHOLE), because }]
  },
}

const LATE_STATUS: ReadonlySet<number> = new Set([504, 522, 524, 598, 599])
const LATE_WORDS =
  /gateway time-?out|upstream (?:request|server|response)? ?(?:is )?tim(?:e|ed|ing)[ -]?out|server didn't respond in time|stream timeout|APITimeoutError|upstream_response_timeout|read timed? ?out/i

/** By the status of a gateway, or by its words. */
export function isLate(smoke: Smoke): boolean {
  const status = statusOf(smoke) ?? 0
  if (LATE_STATUS.has(status)) return true
  return status >= 500 && LATE_WORDS.test(textOf(bodyOf(smoke)).slice(0, LOOKED_AT))
}

const LOOKED_AT = 4000

const LOOK =
  'Look at the running and waiting requests of the engine, and into its log of this minute, before any restart: it is busy, it works, or it hangs.'

const WHOLE: Omit<Finding, 'because'> = {
  code: 'proxy.timeout',
  verdict: 'misconfigured',
  cause:
    'A gateway did not wait for the answer: unstreamed, the engine is silent until its last token, and the gateway takes that for a dead server.',
  remedy: [
    LOOK,
    'Ask with a stream ("stream": true; leave --no-stream out): then the first token comes in time.',
    'Raise the timeout of the gateway: nginx proxy_read_timeout 600s; HAProxy timeout server 600s; Envoy timeout: 600s of the route; Traefik forwardingTimeouts.responseHeaderTimeout. Cloudflare waits for 100 s, and only its paid plans change that.',
  ],
  confidence: 'likely',
  unless: 'the engine hangs: ask it directly, past the gateway; if it is silent there as well, read its log.',
  explains: ['proxy.backend-down', 'engine.invariant'],
}

const STREAMED: Omit<Finding, 'because'> = {
  ...WHOLE,
  verdict: 'inconclusive',
  cause:
    'A gateway gave up before the first token: the engine is busy, reads a very long prompt, or hangs; the gateway cannot tell.',
  remedy: [
    LOOK,
    'If it is only slow, raise the timeout of the gateway (nginx proxy_read_timeout 600s), or ask the engine directly.',
  ],
  unless: 'the engine is fine and only slow: ask it directly, past the gateway.',
}
