import type { Completion } from '../completion.ts'
import type { Failure } from '../failure.ts'
import { HIDDEN, namesSecret } from '../redact.ts'
import type { Exchange, Loop, Smoke } from '../smoke.ts'
import { redactEnds } from './ends.ts'

type Redact = (text: string) => string

/**
 * A smoke without secrets, before anything is quoted from it or cut: prompts carry them, models repeat them, servers echo
 * keys. Everything that is judged, kept and shown comes from here.
 */
export function redactSmoke(smoke: Smoke, redact: Redact): Smoke {
  const { request, completion, failure, cut, exchange } = smoke
  return {
    ...smoke,
    request: { ...request, prompt: redact(request.prompt), model: maybe(request.model, redact) },
    completion: completion === null ? null : cleanCompletion(completion, redact),
    failure: failure === null ? null : cleanFailure(failure, redact),
    cut: cut === null ? null : cleanLoop(cut, completion, redact),
    exchange: exchange === null ? null : cleanExchange(exchange, redact),
  }
}

function cleanCompletion(completion: Completion, redact: Redact): Completion {
  const { reasoning, content, toolCalls, finish, stop, model } = completion
  return {
    ...completion,
    reasoning: maybe(reasoning, redact),
    content: maybe(content, redact),
    finish: maybe(finish, redact),
    stop: typeof stop === 'string' ? redact(stop) : stop,
    model: maybe(model, redact),
    toolCalls: toolCalls.map((call) => ({ name: redact(call.name), arguments: redact(call.arguments) })),
  }
}

/** A unit begins and ends anywhere in a repeated secret; whether it holds one, only the text around it tells. */
function cleanLoop(loop: Loop, completion: Completion | null, redact: Redact): Loop {
  const { channel, unit, from } = loop
  const around = completion?.[channel]?.slice(Math.max(0, from - AROUND), from + unit.length + AROUND) ?? ''
  const clean = [unit, unit.repeat(2), around].every((text) => redact(text) === text)
  return clean ? loop : { ...loop, unit: HIDDEN }
}

/** Characters; longer secrets are lines of keys. */
const AROUND = 512

function cleanFailure(failure: Failure, redact: Redact): Failure {
  const { http, thing, observed, next } = failure
  const clean = { ...failure, thing: redact(thing), observed: redact(observed), next: redact(next) }
  if (http === undefined) return clean
  const { complaint, body } = http
  const said = complaint === undefined ? {} : { complaint: { ...complaint, message: redact(complaint.message) } }
  return { ...clean, http: { ...http, body: redact(body), ...said } }
}

function cleanExchange(exchange: Exchange, redact: Redact): Exchange {
  const { url, request, headers, response } = exchange
  const fields = Object.entries(headers).map(([name, value]) => [
    redact(name),
    namesSecret(name) ? HIDDEN : redact(value),
  ])
  return {
    ...exchange,
    url: redact(url),
    request: redact(request),
    headers: Object.fromEntries(fields),
    response: redactEnds(response, redact),
  }
}

/** Null stays: the server sent nothing. */
function maybe(text: string | null, redact: Redact): string | null {
  return text === null ? null : redact(text)
}
