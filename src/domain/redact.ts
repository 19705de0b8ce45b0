/**
 * Hides secrets in text for people and records: exact ones, values of keys that are named like secrets, and known
 * shapes. Give it whole lines, sanitised, before anything is cut: half a secret has no shape. Linear, idempotent.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const exact = exactly(secrets)
  return (text) => {
    const known = exact === null ? text : text.replace(exact, HIDDEN)
    const shaped = SHAPES.reduce((rest, shape) => rest.replace(shape, HIDDEN), known)
    const carried = CARRIERS.reduce((rest, carrier) => rest.replace(carrier, `$1${HIDDEN}`), shaped)
    return withoutNamed(carried)
  }
}

/** Whether a key is named like one that holds a secret: `api_key`, `HF_TOKEN`, `adminPassword`; not `eos_token`. */
export function namesSecret(name: string): boolean {
  return SECRET_NAME.test(name) && !MODEL_TOKEN.test(name)
}

/** What stands in place of a secret. */
export const HIDDEN = '[redacted]'

/** Shorter ones would hide ordinary words. */
const SHORTEST = 6

function exactly(secrets: readonly string[]): RegExp | null {
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), ...secret.split(/\r?\n/)])
  const long = [...new Set(forms.map((form) => form.trim()))].filter((form) => form.length >= SHORTEST)
  if (long.length === 0) return null
  const longestFirst = long.toSorted((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map((form) => form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('|'), 'g')
}

// trust.md Redaction, class 3. Each begins at a border and forbids its own opener, so that no text is read twice.
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  /(?<![A-Za-z0-9])(?:hf_[A-Za-z0-9]{30,}|xox[abeprs][-.][A-Za-z0-9._-]{8,}|xapp-[A-Za-z0-9-]{8,})/g,
  /(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{20,}|glpat-[A-Za-z0-9_-]{16,})/g,
  /(?<![A-Za-z0-9])(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|(?:AKIA|ASIA)[A-Z0-9]{16})(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
]

/** A quote in text, in JSON, in JSON inside JSON: `"`, `\"`, `\\\"`. */
const QUOTE = String.raw`\\{0,15}["']`
/** A character of a value without quotes; a backslash before a quote belongs to that quote. */
const INSIDE = String.raw`(?!\\{1,15}["'])[^\s"',;&(){}\]]`
const ARGUMENT = String.raw`(?:(?!\\{1,15}["'])[^\s"',]){4,4096}`

// What carries a secret beside it: a header, a flag in a line or in a list of arguments, the user part of a URL.
const CARRIERS: readonly RegExp[] = [
  new RegExp(
    String.raw`((?<![A-Za-z0-9])authorization(?:${QUOTE})?[ \t]{0,9}[:=][ \t]{0,9}(?:${QUOTE})?(?:bearer|basic|token)?[ \t]{0,9})(?!\[redacted|(?:bearer|basic|token)[ \t])${ARGUMENT}`,
    'gi',
  ),
  /((?<![A-Za-z0-9])bearer[ \t]{1,9})(?!\[redacted)[A-Za-z0-9._~+/=-]{16,4096}/gi,
  /((?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,20}:\/\/)(?!\[redacted)[^\s/@"'<>]{1,512}(?=@)/gi,
  new RegExp(
    String.raw`((?<![A-Za-z0-9-])--(?:[a-z0-9]{1,32}[-_]){0,4}(?:token|key|secret|password|passwd)(?:[ \t]{1,9}(?:${QUOTE})?|${QUOTE},?[ \t]{0,9}${QUOTE}))(?![-~./]|\[redacted)${ARGUMENT}`,
    'gi',
  ),
]

/** A separator, and the name before it. */
const NAMED = new RegExp(
  String.raw`(?=[\\"' \t=:])(?<=([A-Za-z0-9_.-]{2,64}))(?:${QUOTE})?[ \t]*[=:]{1,2}>?[ \t]*`,
  'g',
)
/** So much of a value tells whether it is a secret; judging more of each would not be linear. */
const HEAD = new RegExp(String.raw`(${QUOTE})(?:(?!(?<!\\)\1)[^\n]){0,256}|(?:${INSIDE}){1,256}`, 'y')
const VALUE = new RegExp(String.raw`(${QUOTE})(?:(?!(?<!\\)\1)[^\n])*(\1)?|(?:${INSIDE})+`, 'y')

/** A name that is no secret's hides nothing behind it: `config: password=…` is read on from its separator. */
function withoutNamed(text: string): string {
  const kept: string[] = []
  let at = 0
  for (const { 0: separator, 1: name = '', index } of text.matchAll(NAMED)) {
    const from = index + separator.length
    if (from < at || !isSecret(name, text, from)) continue
    const [value, open, close] = readAt(VALUE, text, from)
    kept.push(text.slice(at, from), open, HIDDEN, close)
    at = from + value.length
  }
  return kept.join('') + text.slice(at)
}

const SECRET_NAME = /(?:token|key|secret|passwd|password|passphrase|auth|cookie|credentials?)$/i

/** `eos_token: …`, `cache_key=…`: words of the trade, no secrets. */
const MODEL_TOKEN =
  /(?:^|[_.-])(?:eos|bos|pad|unk|sep|cls|mask|stop|start|end|image|audio|video|vision|think|first|last|next|new|per|special|added|max|min|num|top|cache|host|public|primary|foreign|sort|map|input|output)[_-]?(?:token|key)$/i

const HARMLESS = /^(?:true|false|none|null|undefined|<[^>]*>?|\[redacted.*|(?:\/|~\/|\.\/)\S*)?$/i

function isSecret(name: string, text: string, from: number): boolean {
  if (!namesSecret(name)) return false
  const [head, quote] = readAt(HEAD, text, from)
  const value = head.slice(quote.length)
  if (HARMLESS.test(value)) return false
  if (/^(?:token|key|auth)$/i.test(name)) return /^(?=\D*\d)\S{16,}$/.test(value)
  if (/(?:token|key)$/i.test(name) && /^[\d.]+$/.test(value)) return false
  return value.length >= 4
}

/** What a sticky pattern finds at a place, and its quotes. */
function readAt(pattern: RegExp, text: string, from: number): readonly [found: string, open: string, close: string] {
  pattern.lastIndex = from
  const [found = '', open = '', close = ''] = pattern.exec(text) ?? []
  return [found, open, close]
}
