import type { Span } from './exact.ts'
import { matchesIn } from './matches.ts'
import { QUOTE } from './shapes.ts'

/** Finds the values of keys that are named like secrets: `NAME=value`, `name: value`, `"name": "value"`, `:name => 'value'`. */
export function named(text: string): readonly Span[] {
  const found: Span[] = []
  let at = 0
  for (const { 0: separator, 1: name = '', index } of matchesIn(text, NAMED)) {
    const from = index + separator.length
    // a name that is no secret's hides nothing behind it: `config: password=…` is read on from its separator
    if (from < at || !isSecret(name, text, from)) continue
    const [value, open, close] = readAt(isVariable(name, text, index) ? SHELL_VALUE : VALUE, text, from)
    at = from + value.length
    found.push([from + open.length, at - close.length])
  }
  return found
}

/** Whether a key is named like one that holds a secret: `api_key`, `HF_TOKEN`, `adminPassword`; not `eos_token`. */
export function namesSecret(name: string): boolean {
  return SECRET_NAME.test(name) && !MODEL_TOKEN.test(name)
}

const SECRET_NAME = /(?:token|key|secret|passwd|password|passphrase|auth|cookie|credentials?)(?:[_-]?\d{1,3})?$/i

/** `eos_token: …`, `cache_key=…`: words of the trade, no secrets. */
const MODEL_TOKEN =
  /(?:^|[_.-])(?:eos|bos|pad|unk|sep|cls|mask|stop|start|end|image|audio|video|vision|think|first|last|next|new|per|special|added|max|min|num|top|cache|host|pub|public|primary|foreign|sort|map|input|output)[_-]?(?:token|key)(?:[_-]?\d{1,3})?$/i

/** A character of a value without quotes; a backslash before a quote belongs to that quote. */
const INSIDE = String.raw`(?!\\{1,15}["'])[^\s"',;&(){}\]]`
/** A separator, and the name before it. In YAML the value may stand on the next line. */
const NAMED = new RegExp(
  String.raw`(?=[\\"' \t=:])(?<=([A-Za-z0-9_.-]{2,64}))(?:${QUOTE})?[ \t]*[=:]{1,2}>?[ \t]*(?:[|>][-+]?[ \t]*\n[ \t]+)?`,
  'g',
)
/** So much of a value tells whether it is a secret; judging more of each would not be linear. */
const HEAD = new RegExp(String.raw`(${QUOTE})(?:(?!(?<!\\)\1)[^\n]){0,96}|(?:${INSIDE}){1,96}`, 'y')
const VALUE = new RegExp(String.raw`(${QUOTE})(?:(?!(?<!\\)\1)[^\n])*(\1)?|(?:${INSIDE})+`, 'y')
/** Of a variable everything up to the next space is its value, also `a&b;c`. */
const SHELL_VALUE = new RegExp(
  String.raw`(${QUOTE})(?:(?!(?<!\\)\1)[^\n])*(\1)?|[^\s"'](?:(?!\\{1,15}["'])[^\s"'])*`,
  'y',
)

/** `HF_TOKEN=` in a shell or an environment: in capitals, after a space. */
function isVariable(name: string, text: string, separator: number): boolean {
  const before = text[separator - name.length - 1] ?? '\n'
  return /^[A-Z_][A-Z0-9_]*$/.test(name) && /\s/.test(before) && text[separator] === '='
}

const HARMLESS = /^(?:true|false|none|null|undefined|<[^>]*>?|\[redacted.*)?$/i

function isSecret(name: string, text: string, from: number): boolean {
  if (!namesSecret(name)) return false
  const [head, quote] = readAt(HEAD, text, from)
  const value = head.slice(quote.length)
  if (HARMLESS.test(value) || isPath(value)) return false
  if (/^(?:token|key|auth)(?:[_-]?\d{1,3})?$/i.test(name)) return /^(?=\D*\d)[^\s:]{16,}$/.test(value)
  if (/(?:token|key)$/i.test(name) && /^[\d.]+$/.test(value)) return false
  return value.length >= 4
}

/** `/etc/ssl/key.pem`, `~/.ssh/id`; not `/aB3xY…`, as one in sixty-four random keys begins. */
function isPath(value: string): boolean {
  if (!/^(?:~|\.{1,2})?\//.test(value)) return false
  const parts = value.match(/[A-Za-z0-9+=]{8,}/g) ?? []
  return !parts.some((part) => /[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part))
}

/** What a sticky pattern finds at a place, and its quotes. */
function readAt(pattern: RegExp, text: string, from: number): readonly [found: string, open: string, close: string] {
  pattern.lastIndex = from
  const [found = '', open = '', close = ''] = pattern.exec(text) ?? []
  return [found, open, close]
}
