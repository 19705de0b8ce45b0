import { excerpt } from '../domain/excerpt.ts'
import type { Failure, FailureKind } from '../domain/failure.ts'
import type { JsonProblem } from '../domain/json.ts'
import { NETWORK_CODES } from '../domain/network-codes.ts'
import { GIVE_KEY } from '../domain/url.ts'
import { failureOf } from './failure-error.ts'
import { tlsWords } from './http-tls.ts'

/** Reads what undici, TLS or the socket threw. Null where it is no failure of the way, but a bug. */
export function wireFailure(thing: string, error: unknown, answered: boolean): Failure | null {
  const carried = failureOf(error)
  if (carried !== null) return carried
  if (!(error instanceof Error) || !('code' in error)) return null
  const code = String(error.code)
  const kind = error.name === 'HTTPParserError' ? 'not-http' : kindOf(code, answered)
  const message = spaced(error.message || code)
  return { kind, thing, ...(kind === 'tls' ? tlsWords(code, message) : words(kind, message)) }
}

export function statusFailure(thing: string, status: number, body: string): Failure {
  const said = body === '' ? 'without a body' : `with ${quoted(body)}`
  return {
    kind: 'http-status',
    thing,
    observed: `answered HTTP ${status} ${said}`,
    next: nextAfter(status, body),
    http: { status, body },
  }
}

export function badKey(name: string): Failure {
  return {
    kind: 'config',
    thing: `API key of ${name}`,
    observed: 'has characters that no header can carry (maybe a line break at its end)',
    next: 'correct the variable that api_key_env names, with --url PILOTFLAME_API_KEY',
  }
}

export function tooLarge(thing: string, what: string, limit: number): Failure {
  return {
    kind: 'too-large',
    thing,
    observed: `${what} is longer than ${Math.round((limit / 1024 / 1024) * 10) / 10} MiB`,
    next: 'see what answers at this URL, and whether it heeds max_tokens: no model server sends that much',
  }
}

export function tooMany(thing: string, events: number): Failure {
  return {
    kind: 'too-large',
    thing,
    observed: `the stream has more than ${events} events, many times what was asked for`,
    next: 'see what answers at this URL, and whether it heeds max_tokens',
  }
}

export function emptyBody(thing: string, status: number): Failure {
  return {
    kind: 'empty-body',
    thing,
    observed: `answered HTTP ${status} with an empty body`,
    next: 'look into the log of the server, and of a proxy between, for this moment',
  }
}

export function noJson(thing: string, head: { status: number; text: string }, problem: JsonProblem): Failure {
  return {
    kind: 'not-json',
    thing,
    observed: `answered HTTP ${head.status} with ${WRONG_JSON[problem]}: ${quoted(head.text)}`,
    next: 'see what answers at this URL: a proxy or another program instead of the model server',
  }
}

const WRONG_JSON: Readonly<Record<JsonProblem, string>> = {
  'not-json': 'no JSON',
  'too-deep': 'JSON nested deeper than 64 levels',
  'too-many': 'JSON of more than 100000 values',
}

export function noStream(thing: string, status: number, type: string, text: string): Failure {
  return {
    kind: 'not-stream',
    thing,
    observed: `answered HTTP ${status} with ${type} instead of an event stream: ${quoted(text)}`,
    next: 'see what answers at this URL, or ask without streaming (--no-stream)',
  }
}

/** The first words of a body in one line, for a sentence. */
function quoted(text: string): string {
  return `“${excerpt(spaced(text), 160)}”`
}

function spaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

const BY_CODE: Readonly<Record<string, FailureKind>> = {
  ...NETWORK_CODES,
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'cut',
  EPROTO: 'tls',
}

function kindOf(code: string, answered: boolean): FailureKind {
  const known = BY_CODE[code]
  if (known !== undefined) return known
  if (/^ERR_(?:SSL|TLS)_|CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/.test(code)) return 'tls'
  return answered ? 'cut' : 'reset'
}

type Words = Pick<Failure, 'observed' | 'next'>

function words(kind: FailureKind, message: string): Words {
  const known: Partial<Record<FailureKind, Words>> = {
    dns: { observed: `its name does not resolve (${message})`, next: 'correct the URL, or mend the name service' },
    refused: {
      observed: 'connection refused',
      next: 'see whether the server runs and listens on that port, or correct the URL',
    },
    'connect-timeout': {
      observed: `no connection (${message})`,
      next: 'see whether the machine is up and whether a firewall lies between',
    },
    'too-large': { observed: `its headers are too long (${message})`, next: 'see what answers at this URL' },
    'not-http': {
      observed: `what answers there speaks no proper HTTP (${message})`,
      next: 'see what listens on that port, and whether the URL needs https://',
    },
    reset: {
      observed: `closed the connection before it answered (${message})`,
      next: 'look into the log of the server: it may have crashed or be starting; where it speaks TLS, write https:// in the URL',
    },
    cut: {
      observed: `the answer was cut off (${message})`,
      next: 'look into the log of the server for a crash at this moment',
    },
  }
  return known[kind] ?? { observed: message, next: 'look into the log of the server' }
}

function nextAfter(status: number, body: string): string {
  if (SPEAKS_TLS.test(body)) return 'write https:// in the URL'
  if (status === 401) return `give its key: ${GIVE_KEY}`
  if (status === 403)
    return `see whether a proxy or a rule of the server forbids our address or the name in the URL; where it wants a key, ${GIVE_KEY}`
  if (status === 404 || status === 405) return 'see whether the URL is the one of the server, without a path'
  if (status === 429) return 'wait until it is less busy, then ask again'
  if (status >= 502 && status <= 504)
    return 'see whether the server behind is up: a proxy or a loading server answers so'
  if (status >= 500) return 'look into the log of the server'
  return 'read what it says: the request does not suit this server'
}

/** What nginx and Go's servers answer to plain HTTP. */
const SPEAKS_TLS = /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server/i
