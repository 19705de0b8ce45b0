import type { Span } from './exact.ts'
import { matchesIn } from './matches.ts'

/** Finds secrets by their own shape, and by what carries them: a header, a flag, the user part of a URL. */
export function shaped(text: string): readonly Span[] {
  const whole = SHAPES.flatMap((shape) => matches(text, shape))
  const carried = CARRIERS.flatMap((carrier) => matches(text, carrier))
  return [...whole, ...keyTails(text), ...carried]
}

/** Where a carrier is named by the first group, only what stands behind it is the secret. */
function matches(text: string, pattern: RegExp): readonly Span[] {
  return Array.from(matchesIn(text, pattern), ({ 0: found, 1: carrier = '', index }): Span => {
    return [index + carrier.length, index + found.length]
  })
}

/** The last lines of a key whose beginning was cut off. */
function keyTails(text: string): readonly Span[] {
  return Array.from(matchesIn(text, KEY_END), ({ 0: found, 1: lines = '', index }): Span => {
    return [index - lines.length, index + found.length]
  })
}

const KEY_END =
  /(?<=((?:(?<!\S)[A-Za-z0-9+/=]{16,128}\s{1,9}){0,400}(?:(?<!\S)[A-Za-z0-9+/=]{1,128}\s{1,9})?))-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

// trust.md Redaction, class 3, and the families of gitleaks. Each begins at a border and forbids its own opener, so that
// no text is read twice.
const SHAPES: readonly RegExp[] = [
  // keys of OpenSSL, OpenSSH, PGP and PuTTY; one without an end was cut off
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  /(?<![A-Za-z0-9+/])b3BlbnNzaC1rZXktdjE(?:[A-Za-z0-9+/=]|\s(?=[A-Za-z0-9+/]{16}))*/g,
  /(?<![A-Za-z0-9])(?:hf_[A-Za-z0-9]{30,}|xox[abdeprs][-.][A-Za-z0-9._-]{8,}|xapp-[A-Za-z0-9-]{8,})/g,
  /(?<![A-Za-z0-9])(?:sk-(?=[a-z_-]{0,40}[A-Z0-9])[A-Za-z0-9_-]{20,}|sk_live_[A-Za-z0-9]{16,}|glpat-[A-Za-z0-9_-]{16,}|nvapi-[A-Za-z0-9_-]{20,})/g,
  /(?<![A-Za-z0-9])(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|(?:AKIA|ASIA)[A-Z0-9]{16})(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9])(?:gsk_[A-Za-z0-9]{32,}|npm_[A-Za-z0-9]{36}|dckr_pat_[A-Za-z0-9_-]{20,}|hvs\.[A-Za-z0-9_-]{24,})/g,
  /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
]

/** A quote in text, in JSON, in JSON inside JSON: `"`, `\"`, `\\\"`. */
export const QUOTE = String.raw`\\{0,15}["']`

const ARGUMENT = String.raw`(?:(?!\\{1,15}["'])[^\s"',]){4,4096}`
const NAME_OF_SECRET = '(?:[a-z0-9]{1,32}[-_]){0,4}(?:token|key|secret|password|passwd|passphrase|credentials?|cookie)'

const SCHEME = 'apikey|api-key|basic|bearer|dpop|negotiate|ntlm|token'
const OPAQUE = '[A-Za-z0-9._~+/=-]{16,4096}'
/** `response="6629…"`, `Signature=fe5f…` */
const PARAMETER = String.raw`[\w-]{1,64}=(?:(?:${QUOTE})[^"'\n\\]{0,2048}(?:${QUOTE})?|[^\s"',\\]{1,2048})`

const CARRIERS: readonly RegExp[] = [
  /(Private-Lines: \d{1,4}\s{1,4})(?:[A-Za-z0-9+/=]{8,128}\s{1,4}){0,400}[A-Za-z0-9+/=]{8,128}/g,
  /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{20,}/gi,
  new RegExp(
    String.raw`((?<![A-Za-z0-9])authorization(?:${QUOTE})?[ \t]{0,9}[:=][ \t]{0,9}(?:${QUOTE})?(?:${SCHEME})?[ \t]{0,9})(?!\[redacted|(?:${SCHEME})[ \t]|[a-z0-9-]{2,32}[ \t]{1,9}(?:\[redacted|${PARAMETER}|${OPAQUE}))${ARGUMENT}`,
    'gi',
  ),
  // other schemes: one word, or many parts: Digest username="…", response="…" · AWS4-HMAC-SHA256 Credential=…, Signature=…
  new RegExp(
    String.raw`((?<![A-Za-z0-9])authorization(?:${QUOTE})?[ \t]{0,9}[:=][ \t]{0,9}(?:${QUOTE})?[a-z0-9][a-z0-9-]{1,31}[ \t]{1,9})(?!\[redacted)(?:${PARAMETER}(?:[,; \t]{1,9}${PARAMETER}){0,32}|${OPAQUE})`,
    'gi',
  ),
  /((?<![A-Za-z0-9])bearer[ \t]{1,9})(?!\[redacted)[A-Za-z0-9._~+/=-]{16,4096}/gi,
  // all the pairs of a cookie, not only the first
  /((?<![A-Za-z0-9])(?:set-)?cookie[ \t]{0,9}:[ \t]{0,9})(?!\[redacted)[^\s"'=;]{1,256}=[^\n"']{4,4096}/gi,
  /((?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,20}:\/\/)(?!\[redacted)[^\s/"'<>?#]{1,512}(?=@)/gi,
  new RegExp(
    String.raw`((?<![A-Za-z0-9-])--${NAME_OF_SECRET}(?:[ \t]{1,9}(?:${QUOTE})?|${QUOTE},?[ \t]{0,9}${QUOTE}))(?![-~./]|\[redacted)${ARGUMENT}`,
    'gi',
  ),
  // quoted, with spaces in it
  new RegExp(
    String.raw`((?<![A-Za-z0-9-])--${NAME_OF_SECRET}(?:[ \t]{1,9}|${QUOTE},?[ \t]{0,9})(${QUOTE}))(?![~/]|\[redacted)(?:(?!(?<!\\)\2)[^\n]){4,4096}`,
    'gi',
  ),
  // environments as lists of names and values: Kubernetes, compose, AWS
  new RegExp(
    String.raw`((?<![A-Za-z0-9])name(?:${QUOTE})?[ \t]{0,9}[:=][ \t]{0,9}(?:${QUOTE})?${NAME_OF_SECRET}(?:${QUOTE})?[,\s]{1,40}(?:${QUOTE})?value(?:${QUOTE})?[ \t]{0,9}[:=][ \t]{0,9}(?:${QUOTE})?)(?!\[redacted)${ARGUMENT}`,
    'gi',
  ),
]
