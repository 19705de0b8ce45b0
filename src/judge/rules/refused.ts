import type { Code } from '../../domain/code.ts'
import type { Complaint, Failure } from '../../domain/failure.ts'
import type { Evidence, Rule } from '../../domain/finding.ts'
import type { Verdict } from '../../domain/verdict.ts'
import { headOf } from '../answer.ts'
import { complaintOf } from '../refusal.ts'

/** The server said no, and the engine knows what it means. */
export const refused: Rule = {
  codes: [
    'request.auth',
    'request.model-name',
    'request.route',
    'request.schema',
    'context.exceeded',
    'state.loading',
    'load.queue-full',
    'engine.aborted',
    'engine.invariant',
    'proxy.backend-down',
  ],
  check(evidence) {
    const failure = evidence.smoke?.failure ?? null
    const complaint = complaintOf(evidence.smoke)
    if (failure === null || complaint === null) return []
    const { code, verdict, cause, remedy } = MEANING[complaint.kind]
    return [
      {
        code,
        verdict,
        cause,
        because: [`${statusOf(failure)}"${headOf(complaint.message, 200)}"`, `${failure.thing}: ${failure.observed}`],
        remedy: [...remedy, ...extra(complaint, evidence)],
        confidence: 'certain',
      },
    ]
  },
}

function statusOf({ http }: Failure): string {
  return http === undefined ? '' : `HTTP ${http.status}: `
}

interface Meaning {
  readonly code: Code
  readonly verdict: Verdict
  readonly cause: string
  readonly remedy: readonly string[]
}

const MEANING: Readonly<Record<Complaint['kind'], Meaning>> = {
  auth: {
    code: 'request.auth',
    verdict: 'client-error',
    cause: 'The server wants another API key.',
    remedy: ["Set this target's apiKey to the key with which the server was started (--api-key)."],
  },
  'model-name': {
    code: 'request.model-name',
    verdict: 'client-error',
    cause: 'The server serves no model of the name that was asked for.',
    remedy: ["Set this target's model to a name that /v1/models lists, or start the server with --served-model-name."],
  },
  route: {
    code: 'request.route',
    verdict: 'client-error',
    cause: 'The server has no such route: the base URL leads to the wrong path or to another service.',
    remedy: ["Correct this target's url: scheme, host and port only, without /v1 or a further path."],
  },
  context: {
    code: 'context.exceeded',
    verdict: 'request-limit',
    cause: 'Prompt and budget together are longer than the context of the server.',
    remedy: [
      'Shorten the prompt, or start the server with a larger context (SGLang --context-length, vLLM --max-model-len, llama.cpp -c).',
    ],
  },
  schema: {
    code: 'request.schema',
    verdict: 'client-error',
    cause: 'The server refuses a field of the request.',
    remedy: ['Take the field out that the message names, or upgrade the server.'],
  },
  'not-ready': {
    code: 'state.loading',
    verdict: 'not-ready',
    cause: 'The server is up and still loads the model.',
    remedy: [
      'Wait and repeat. Large models take minutes; look into the engine log if there is no progress for ten minutes.',
    ],
  },
  overloaded: {
    code: 'load.queue-full',
    verdict: 'overloaded',
    cause: 'The server is healthy and full: its queue takes no further request.',
    remedy: [
      'Repeat in a minute; do not restart. If it stays so: fewer clients, or a larger --max-running-requests / --max-queued-requests.',
    ],
  },
  aborted: {
    code: 'engine.aborted',
    verdict: 'broken',
    cause: 'The engine gave the request up.',
    remedy: ['Read the engine log of this minute: it names why the scheduler aborted.'],
  },
  server: {
    code: 'engine.invariant',
    verdict: 'broken',
    cause: 'The engine failed while it worked on the request.',
    remedy: [
      'Read the engine log of this minute and walk up to the first exception; repeat once without special fields (logprobs, grammar).',
    ],
  },
  proxy: {
    code: 'proxy.backend-down',
    verdict: 'unreachable',
    cause: 'A proxy answered in place of the engine: nothing answers behind it.',
    remedy: ['Look whether the engine process runs and listens on the port to which the proxy forwards; start it.'],
  },
}

/** What the numbers and names at hand add to the remedy. */
function extra({ kind, message }: Complaint, { engine, smoke }: Evidence): string[] {
  if (kind === 'model-name' && engine !== undefined && engine.models.length > 0) {
    return [`It serves: ${engine.models.slice(0, 10).join(', ')}. Asked for: ${smoke?.request.model ?? 'none'}.`]
  }
  const [, context, prompt] = /context length is (\d+).*?\((\d+) in the messages/.exec(message) ?? []
  const room = Number(context) - Number(prompt)
  return kind === 'context' && room > 0 ? [`Or lower the budget to at most ${room} tokens (max_tokens=${room}).`] : []
}
