import type { Rule } from '../../domain/finding.ts'
import { counted } from '../../domain/report.ts'
import { bodyOf, complaintOf, hasFailed, saidNo, statusOf, textOf } from '../refusal.ts'

/** A gateway, or the front of a server, takes no body of this size. Engines complain about tokens, never about bytes. */
export const bodyTooLarge: Rule = {
  codes: ['proxy.body-too-large'],
  check({ smoke }) {
    if (!hasFailed(smoke)) return []
    const said = `${complaintOf(smoke)?.message ?? ''} ${textOf(bodyOf(smoke)).slice(0, LOOKED_AT)}`
    const isRefused = statusOf(smoke) === 413 || (statusOf(smoke) !== 200 && TOO_LARGE.test(said))
    if (!isRefused || TOKENS.test(said)) return []
    const size = smoke.exchange?.request.length ?? 0
    return [
      {
        code: 'proxy.body-too-large',
        verdict: 'misconfigured',
        cause: 'A gateway before the model server refuses the request for its size in bytes; the model never saw it.',
        because: [
          saidNo(smoke, textOf(bodyOf(smoke))),
          ...(size > SHOWN ? [`the request has ${counted(size, 'character')}`] : []),
        ],
        remedy: [
          'Raise the limit of the gateway: nginx client_max_body_size 100m; Traefik buffering.maxRequestBodyBytes; Caddy request_body max_size; the router of SGLang --max-payload-size.',
          'Or send less: shorter texts, smaller pictures; or ask the engine directly, past the gateway.',
        ],
        confidence: 'certain',
        explains: ['context.exceeded', 'request.schema', 'proxy.backend-down', 'engine.invariant'],
      },
    ]
  },
}

const LOOKED_AT = 4000
const SHOWN = 1000
const TOO_LARGE =
  /(?:request )?(?:entity|payload|content|body) too large|PayloadTooLarge|body (?:size )?(?:limit|exceed)|length limit exceeded|exceeds? the (?:maximum|max)(?:imum)? (?:body|request|payload) size|request (?:body|size) (?:is )?too (?:large|big)/i
/** Then it is about the context. */
const TOKENS = /\btokens?\b|context (?:length|window|size)/i
