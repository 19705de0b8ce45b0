import type { Completion } from './completion.ts'
import type { Failure } from './failure.ts'
import type { Exchange, Smoke } from './smoke.ts'

type Redact = (text: string) => string

/**
 * A smoke without secrets, before anything is quoted from it or cut: prompts carry them, models repeat them, servers echo
 * keys. Everything that is judged, kept and shown comes from here.
 */
export function redactSmoke(smoke: Smoke, redact: Redact): Smoke {
  const { request, completion, failure, cut, exchange } = smoke
  return {
    ...smoke,
    request: { ...request, prompt: redact(request.prompt) },
    completion: completion === null ? null : cleanCompletion(completion, redact),
    failure: failure === null ? null : cleanFailure(failure, redact),
    cut: cut === null ? null : { ...cut, unit: redact(cut.unit) },
    exchange: exchange === null ? null : cleanExchange(exchange, redact),
  }
}

function cleanCompletion(completion: Completion, redact: Redact): Completion {
  const { reasoning, content, toolCalls } = completion
  return {
    ...completion,
    reasoning: reasoning === null ? null : redact(reasoning),
    content: content === null ? null : redact(content),
    toolCalls: toolCalls.map((call) => ({ name: redact(call.name), arguments: redact(call.arguments) })),
  }
}

function cleanFailure(failure: Failure, redact: Redact): Failure {
  const { http, observed } = failure
  const clean = { ...failure, observed: redact(observed) }
  if (http === undefined) return clean
  const { complaint, body } = http
  const said = complaint === undefined ? {} : { complaint: { ...complaint, message: redact(complaint.message) } }
  return { ...clean, http: { ...http, body: redact(body), ...said } }
}

function cleanExchange(exchange: Exchange, redact: Redact): Exchange {
  return { ...exchange, request: redact(exchange.request), response: redact(exchange.response) }
}
