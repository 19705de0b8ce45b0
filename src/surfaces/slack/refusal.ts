import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api'
import { cut } from './cut.ts'

/** Why Slack did not do what we asked, and whether asking again can help. */
export interface Refusal {
  /**
   * place: the bot may not write there · blocks: it dislikes the blocks, the same words may pass · long: more than it
   * takes at once, the same in parts may pass · limited: too fast, ask again after `waitMs` · unsent: it surely never
   * arrived · unknown: it may or may not have been done · no: final
   */
  readonly kind: 'place' | 'blocks' | 'long' | 'limited' | 'unsent' | 'unknown' | 'no'
  /** Slack's error code, or the network's words */
  readonly code: string
  readonly waitMs: number
  /** what Slack says in detail; never the text that was sent */
  readonly details: readonly string[]
}

/** A code is a word; a server that is not Slack answers with a page. */
const CODE = 80

/** Reads an error of @slack/web-api 8. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof WebAPIRateLimitedError)
    return { ...NO, kind: 'limited', code: 'ratelimited', waitMs: error.retryAfter * 1000 }
  if (error instanceof WebAPIPlatformError) return refusalIn(error.data.error, error.data)
  if (error instanceof WebAPIHTTPError) return { ...NO, kind: 'unknown', code: `HTTP ${error.statusCode}` }
  if (error instanceof WebAPIRequestError) return network(error.original)
  return { ...NO, kind: 'unknown', code: error instanceof Error ? error.message : String(error) }
}

const NO: Refusal = { kind: 'no', code: '', waitMs: 0, details: [] }

/** Reads an answer of the Web API that says `ok: false`. */
export function refusalIn(error: string, answer: object): Refusal {
  const code = cut(error, CODE)
  const details = detailsIn(answer)
  if (PLACE.includes(code)) return { ...NO, kind: 'place', code }
  if (LONG.includes(code)) return { ...NO, kind: 'long', code, details }
  if (BLOCKS.includes(code) || details.some((one) => IN_BLOCKS.test(one)))
    return { ...NO, kind: details.some((one) => OVER.test(one)) ? 'long' : 'blocks', code, details }
  if (LIMITED.includes(code)) return { ...NO, kind: 'limited', code, waitMs: 3_000 }
  return { ...NO, kind: TROUBLE.includes(code) ? 'unknown' : 'no', code, details: [...neededIn(answer), ...details] }
}

/** Whether Slack refuses the token, and so every call until somebody mends it. */
export function isOfToken({ kind, code }: Refusal): boolean {
  return kind === 'no' && TOKEN.includes(code)
}

/** Whether asking again can never help. A token can be mended, and what waits goes out. */
export function isFinal(refusal: Refusal): boolean {
  return FINAL.includes(refusal.kind) && !isOfToken(refusal) && refusal.code !== 'outbox_full'
}

const FINAL: readonly Refusal['kind'][] = ['no', 'place', 'blocks', 'long']

const TOKEN: readonly string[] = [
  'invalid_auth',
  'not_authed',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'missing_scope',
]

/** The scope that Slack misses, first among the details. */
function neededIn(answer: object): readonly string[] {
  return 'needed' in answer && typeof answer.needed === 'string' ? [cut(answer.needed, CODE)] : []
}

const PLACE: readonly string[] = ['not_in_channel', 'channel_not_found']
const BLOCKS: readonly string[] = ['invalid_blocks', 'invalid_blocks_format', 'invalid_attachments', 'block_mismatch']
const LONG: readonly string[] = [
  'msg_too_long',
  'msg_blocks_too_long',
  'msg_blocks_too_many',
  'too_many_attachments',
  'attachment_payload_limit_exceeded',
]
/** A limit in the details of refused blocks: `must be less than 3001 characters [json-pointer:/blocks/0/text/text]`. */
const OVER = /\b(?:(?:less|fewer) than|no more than|at most|maximum of) \d|\btoo (?:long|many)\b/i

/** Some methods say `invalid_arguments` and name the block in the details. */
const IN_BLOCKS = /\[json-pointer:\/blocks\b/
const LIMITED: readonly string[] = ['ratelimited', 'rate_limited']
/** Slack's own trouble: it does not say whether it had done the work by then. */
const TROUBLE: readonly string[] = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout']

/** Slack gives them in `errors`, in `response_metadata.messages`, or the same in both. */
export function detailsIn(answer: object): readonly string[] {
  const metadata = 'response_metadata' in answer ? answer.response_metadata : null
  const messages = typeof metadata === 'object' && metadata !== null && 'messages' in metadata ? metadata.messages : []
  const errors = 'errors' in answer ? answer.errors : []
  const all = [errors, messages].flatMap((list: unknown) => (Array.isArray(list) ? list.map(String) : []))
  return [...new Set(all.map((one) => one.replace(/^\[(?:ERROR|WARN)\] /, '')))].slice(0, 10)
}

/** Codes after which no byte of the request can have arrived. */
const UNSENT: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

function network(error: Error): Refusal {
  const code = codeIn(error) ?? error.message
  return { ...NO, kind: UNSENT.includes(code) ? 'unsent' : 'unknown', code }
}

function codeIn(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? codeIn(error.cause) : null
}
