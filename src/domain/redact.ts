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
    return carried.replace(NAMED, (whole, name: string, between: string, value: string) =>
      isSecret(name, value) ? `${name}${between}${hidden(value)}` : whole,
    )
  }
}

/** Whether a key is named like one that holds a secret: `api_key`, `HF_TOKEN`, `adminPassword`; not `eos_token`. */
export function namesSecret(name: string): boolean {
  return SECRET_NAME.test(name) && !MODEL_TOKEN.test(name)
}

const HIDDEN = '[redacted]'

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

// What carries a secret beside it: a header, a flag, the user part of a URL.
const CARRIERS: readonly RegExp[] = [
  /((?<![A-Za-z0-9])authorization["']?[ \t]{0,9}[:=][ \t]{0,9}["']?(?:bearer|basic|token)?[ \t]{0,9})(?!\[redacted|(?:bearer|basic|token)[ \t])[^\s"',]{4,4096}/gi,
  /((?<![A-Za-z0-9])bearer[ \t]{1,9})(?!\[redacted)[A-Za-z0-9._~+/=-]{16,4096}/gi,
  /((?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,20}:\/\/)(?!\[redacted)[^\s/@"'<>]{1,512}(?=@)/gi,
  /((?<![A-Za-z0-9-])--(?:[a-z0-9]{1,32}[-_]){0,4}(?:token|key|secret|password|passwd)[ \t]{1,9})(?![-~./]|\[redacted)[^\s"']{4,4096}/gi,
]

const NAMED =
  /(?<![A-Za-z0-9_.-])([A-Za-z0-9_.-]{2,64})(["']?[ \t]{0,9}[=:][ \t]{0,9})("[^"\n]{0,4096}"|'[^'\n]{0,4096}'|[^\s"',;&(){}\]]{1,4096})/g

const SECRET_NAME = /(?:token|key|secret|passwd|password|passphrase|auth|cookie|credentials?)$/i

/** `eos_token: …`, `cache_key=…`: words of the trade, no secrets. */
const MODEL_TOKEN =
  /(?:^|[_.-])(?:eos|bos|pad|unk|sep|cls|mask|stop|start|end|image|audio|video|vision|think|first|last|next|new|per|special|added|max|min|num|top|cache|host|public|primary|foreign|sort|map|input|output)[_-]?(?:token|key)$/i

const HARMLESS = /^(?:true|false|none|null|undefined|<[^>]*>?|\[redacted.*|(?:\/|~\/|\.\/)\S*)?$/i

function isSecret(name: string, quoted: string): boolean {
  const value = bare(quoted)
  if (!namesSecret(name) || HARMLESS.test(value)) return false
  if (/^(?:token|key|auth)$/i.test(name)) return /^(?=\D*\d)\S{16,}$/.test(value)
  if (/(?:token|key)$/i.test(name) && /^[\d.]+$/.test(value)) return false
  return value.length >= 4
}

/** Quotes stay, so that JSON stays JSON. */
function hidden(quoted: string): string {
  const quote = /^["']/.exec(quoted)?.[0] ?? ''
  return `${quote}${HIDDEN}${quote}`
}

function bare(quoted: string): string {
  return quoted.replace(/^["']|["']$/g, '')
}
