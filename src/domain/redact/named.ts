import type { Span } from './exact.ts'
import { matchesIn } from './matches.ts'
import { QUOTE } from './shapes.ts'

/**
 * Finds the values of keys that are named like secrets: `NAME=value`, `name: value`, `"name": "value"`, `:name => 'value'`,
 * and all the lines and items that YAML and JSON put under one name.
 */
export function named(text: string): readonly Span[] {
  const spans: Span[] = []
  let at = 0
  for (const { 0: separator, 1: name = '', 2: opening = '', index } of matchesIn(text, NAMED)) {
    const from = index + separator.length
    // a name that is no secret's hides nothing behind it: `config: password=…` is read on from its separator
    if (from < at || !isSecret(name, text, from, isBlock(opening) ? LINE_HEAD : HEAD)) continue
    const value = isVariable(name, text, index) ? SHELL_VALUE : VALUE
    const read = opening === '' ? valueAt(text, from, value) : valuesAt(text, from, opening)
    at = read.end
    spans.push(...read.spans)
  }
  return spans
}

/** Whether a key is named like one that holds a secret: `api_key`, `HF_TOKEN`, `adminPassword`; not `eos_token`. */
export function namesSecret(name: string): boolean {
  return SECRET_NAME.test(name) && !MODEL_TOKEN.test(name)
}

const SECRET_NAME = new RegExp(
  [
    String.raw`(?:token|key|secret|passwd|passwords?|passphrase|auth|cookie|credentials?)(?:[_-]?\d{1,3})?$`,
    // PWD alone is where a shell stands
    String.raw`(?<=[A-Za-z0-9])[_.-](?:pass|pwd)(?:[_-]?\d{1,3})?$`,
    '(?:access|admin|api|auth|client|encryption|hf|master|private|secret|service|signing)[_-]?(?:keys|tokens|secrets)$',
    '(?:secret|secret[_-]?key|api[_-]?key|password|passwd)[_-](?:base|base64|b64|current|hash|new|old|previous|value)$',
    '(?:^|[_-])amz[_-]signature$',
  ].join('|'),
  'i',
)

/** `eos_token: …`, `cache_key=…`, `forward_pass: …`: words of the trade, no secrets. */
const MODEL_TOKEN =
  /(?:^|[_.-])(?:(?:eos|bos|pad|unk|sep|cls|mask|stop|start|end|image|audio|video|vision|think|first|last|next|new|per|special|added|max|min|num|top|cache|host|pub|public|primary|foreign|sort|map|input|output)[_-]?(?:token|key)|(?:forward|backward|first|second|third|last|next|one|two|single|multi|by|test|dry|warm[_-]?up|prefill|decode|full|per)[_-]?pass)(?:[_-]?\d{1,3})?$/i

/** A character of a value without quotes; a backslash before a quote belongs to that quote. */
const INSIDE = String.raw`(?!\\{1,15}["'])[^\s"',;&(){}\]]`
/**
 * A separator, and the name before it. In YAML the value may stand on the next lines, or be a list there; a list may also
 * stand in brackets.
 */
const NAMED = new RegExp(
  [
    String.raw`(?=[\\"' \t=:])(?<=([A-Za-z0-9_.-]{2,64}))(?:${QUOTE})?[ \t]*[=:]{1,2}>?[ \t]*`,
    String.raw`([|>][-+0-9]{0,2}[ \t]*\r?\n[ \t]+`,
    // a list of single words; what has more of them is a sentence about such a thing
    String.raw`|(?<=:[ \t]*)\r?\n[ \t]*-[ \t]+(?=["']|[^\s:]+[ \t]*(?:[\r\n]|$))`,
    String.raw`|\[(?!redacted)\s{0,40})?`,
  ].join(''),
  'g',
)
/** So much of a value tells whether it is a secret; judging more of each would not be linear. */
const HEAD = new RegExp(String.raw`(${QUOTE})(?:(?!(?<!\\)\1)[^\n]){0,96}|(?:${INSIDE}){1,96}`, 'y')
const LINE_HEAD = /()[^\n]{1,96}/y
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

function isSecret(name: string, text: string, from: number, beginning: RegExp): boolean {
  if (!namesSecret(name)) return false
  const [head, quote] = readAt(beginning, text, from)
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

interface Read {
  readonly spans: readonly Span[]
  /** where reading goes on */
  readonly end: number
}

function valueAt(text: string, from: number, pattern: RegExp): Read {
  const [value, open, close] = readAt(pattern, text, from)
  const end = from + value.length
  return { spans: [[from + open.length, end - close.length]], end }
}

/** All that stands under a name; `opening` is what comes before the first. */
function valuesAt(text: string, from: number, opening: string): Read {
  const indent = opening.slice(opening.lastIndexOf('\n') + 1)
  if (opening.startsWith('[')) return itemsAt(text, from, VALUE, (at) => found(COMMA, text, at))
  if (isBlock(opening)) return blockAt(text, from, indent)
  return itemsAt(text, from, SHELL_VALUE, (at) => {
    const [between, dash] = [found(LINE_END, text, at), indent]
    return between !== '' && text.startsWith(dash, at + between.length) ? between + dash : ''
  })
}

function isBlock(opening: string): boolean {
  return /^[|>]/.test(opening)
}

const COMMA = /\s{0,40},\s{0,40}/y
const LINE_END = /[ \t]*\r?\n/y

function itemsAt(text: string, from: number, pattern: RegExp, between: (at: number) => string): Read {
  const spans: Span[] = []
  let [start, end] = [from, from]
  do {
    const one = valueAt(text, start, pattern)
    spans.push(...one.spans)
    end = one.end
    const gap = between(end)
    start = end === start || gap === '' ? -1 : end + gap.length
  } while (start >= 0)
  return { spans, end }
}

/** A block of YAML goes on as long as its lines stand as far to the right as its first, or are empty. */
function blockAt(text: string, from: number, indent: string): Read {
  let [at, end] = [from, from]
  for (let goesOn = true; goesOn; ) {
    const line = found(LINE, text, at)
    if (line.trim() !== '') end = at + line.trimEnd().length
    at += line.length + 1
    goesOn = at < text.length && (text.startsWith(indent, at) || found(LINE, text, at).trim() === '')
  }
  return { spans: [[from, end]], end }
}

const LINE = /[^\n]*/y

/** What a sticky pattern finds at a place. */
function found(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

/** The same of a value, and its quotes. */
function readAt(pattern: RegExp, text: string, from: number): readonly [found: string, open: string, close: string] {
  pattern.lastIndex = from
  const [found = '', open = '', close = ''] = pattern.exec(text) ?? []
  return [found, open, close]
}
