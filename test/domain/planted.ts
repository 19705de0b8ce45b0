import { random } from '../random.ts'

/** A secret of our own making, and the text in which it stands. No secret stands whole in this file. */
export interface Planted {
  readonly carrier: string
  readonly text: string
  /** every spelling of it, or of a part of it, that must not be seen */
  readonly hidden: readonly string[]
}

interface Secret {
  readonly text: string
  /** its random part */
  readonly body: string
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const LETTERS = [...`${LOWER}${LOWER.toUpperCase()}0123456789`]
const BASE64 = [...LETTERS, '+', '/']
/** All that ASCII prints, and letters beyond it: what people take for passwords. */
const PRINTED = [...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)), 'ä', 'ß']

/** trust.md Redaction: known (1), known by the name of its key (2), known by its shape (3). */
const CLASSES: readonly ((seed: number) => Secret)[] = [
  (seed) => plain(drawn(seed, PRINTED, 12, 40)),
  (seed) => plain(`${drawn(seed, LETTERS, 8, 40)}7`),
  (seed) => plain(`${drawn(seed, BASE64, 30, 50)}=`),
  ...['hf_', 'ghp_', 'gho_', 'ghs_', 'github_pat_', 'glpat-', 'sk-', 'sk-ant-api03-', 'sk-proj-', 'nvapi-'].map(
    (prefix) => (seed: number) => shaped(prefix, `${drawn(seed, LETTERS, 34, 34)}8`),
  ),
  ...['xoxb-1234567890-', 'xoxp-1234567890-', 'xapp-1-', 'AKIA', 'ASIA'].map(
    (prefix) => (seed: number) => shaped(prefix, drawn(seed, LETTERS, 16, 16).toUpperCase()),
  ),
  (seed) => {
    const part = (at: number) => drawn(seed * 3 + at, LETTERS, 30, 30)
    return shaped('eyJ', `${part(0)}.eyJ${part(1)}.${part(2)}`)
  },
]

/** The secrets: each class in turn. Those of the first class are the ones that a redactor is told. */
export function secrets(count: number): readonly Secret[] {
  return Array.from({ length: count }, (_, at) => CLASSES[at % CLASSES.length]?.(at + 1) ?? plain(''))
}

export function toldOf(all: readonly Secret[]): readonly string[] {
  return all.filter((_, at) => at % CLASSES.length === 0).map(({ text }) => text)
}

type Carry = (secret: string, seed: number) => string

/** The twelve carriers of trust.md. */
const CARRIERS: Readonly<Record<string, Carry>> = {
  env: (s, seed) => `${picked(seed, ['export ', '', 'Environment="A=b" '])}${picked(seed, NAMES)}=${s}`,
  'command line': (s, seed) =>
    `python -m sglang.launch_server --tp 2 --${picked(seed, FLAGS)}${picked(seed, [`=${s}`, ` ${s}`, ` "my ${s}"`])} --port 30000`,
  JSON: (s, seed) => {
    const value = { model: 'qwen', env: { [picked(seed, NAMES)]: s }, n: 1 }
    return seed % 2 === 0 ? JSON.stringify(value) : JSON.stringify({ inner: JSON.stringify(value) })
  },
  traceback: (s, seed) =>
    `Traceback (most recent call last):\n  File "/srv/x.py", line 31, in go\n    Client(url, ${picked(seed, ['api_key', 'hf_token_1', 'db_password'])}='${s}')\nValueError: refused`,
  URL: (s, seed) =>
    seed % 2 === 0
      ? `GET http://10.0.0.5:30000/v1?a=1&api_key=${encodeURIComponent(s)}&b=2 failed`
      : `pulling https://bot:${encodeURIComponent(s)}@mirror.example:8443/models failed`,
  YAML: (s, seed) =>
    picked(seed, [
      `env:\n  - name: HF_TOKEN\n    value: ${s}\n  - name: B\n    value: c`,
      `server:\n  api_key: "${s}"\n  tp: 2`,
      `admin_api_key: >-\n  ${s}\nport: 1`,
      `admin_api_key: |\n  first line\n  ${s}\nport: 1`,
      `env:\n  API_KEY:\n    - "${s}"\n    - other\n  B: c`,
      `API_KEYS:\n- other\n- ${s}\nport: 1`,
    ]),
  'multi-line PEM': (s, seed) => {
    const lines = [0, 1, 2].map((at) => drawn(seed * 5 + at, BASE64, 64, 64))
    return `-----BEGIN ${picked(seed, KEYS)}-----\n${lines.join('\n')}\n${Buffer.from(s).toString('base64')}\n-----END ${picked(seed, KEYS)}-----`
  },
  ANSI: (s, seed) =>
    `\u001b[32m${picked(seed, NAMES)}\u001b[0m=\u001b[1m${split(s, seed, '\u001b[31;1m')}\u001b[0m done`,
  CR: (s, seed) => `loading 10%\rloading 20%\r${picked(seed, NAMES)}=${split(s, seed, '\r')} done`,
  base64: (s, seed) => `data: ${Buffer.from(`${picked(seed, NAMES)}=${s}`).toString('base64')}`,
  'upper-case key': (s, seed) =>
    picked(seed, [
      ...['API_KEY: ', 'AUTHORIZATION: BEARER ', 'DB.PASSWORD = ', 'X-API-KEY: ', 'MYSQL_PWD='].map((key) => key + s),
      `AUTHORIZATION: Digest username="anna", realm="r", nonce="dcd98b", uri="/v1", response="${s}"`,
      `AUTHORIZATION: AWS4-HMAC-SHA256 Credential=A/2015/s3, SignedHeaders=host;x-amz-date, Signature=${s}`,
    ]),
  'look-alike key': (s, seed) => `${disguised(picked(seed, NAMES), seed)}=${split(s, seed, '\u200b')} done`,
}

export const CARRIER_NAMES: readonly string[] = Object.keys(CARRIERS)

/** Every secret in every carrier. */
export function planted(all: readonly Secret[]): readonly Planted[] {
  return all.flatMap((secret, seed) =>
    Object.entries(CARRIERS).map(([carrier, carry]): Planted => {
      const text = carry(secret.text, seed)
      return { carrier, text, hidden: spellings(secret, carrier, text) }
    }),
  )
}

const NAMES = [
  'HF_TOKEN',
  'API_KEY',
  'CLIENT_SECRET',
  'DB_PASSWORD',
  'SMTP_PASSWD',
  'PROXY_AUTH',
  'SESSION_COOKIE',
  'AWS_CREDENTIAL',
  'DB_PASS',
  'MYSQL_PWD',
  'API_KEYS',
  'SECRET_KEY_BASE',
]
const FLAGS = ['api-key', 'admin-api-key', 'hf-token', 'db_password', 'client-secret']
const KEYS = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'EC PRIVATE KEY']

function spellings({ body }: Secret, carrier: string, text: string): readonly string[] {
  if (carrier === 'base64') return [body, text.replace('data: ', '')]
  if (carrier === 'multi-line PEM') return [body, ...text.split('\n').filter((line) => !line.startsWith('-'))]
  return [body, encodeURIComponent(body)]
}

/** So many neighbouring characters of a secret are a part of it; fewer are found in ordinary words too. */
const PART = 8

/** The parts of secrets that a text shows, also to whoever takes colours, line ends and unseen characters out of it. */
export function leaksIn(shown: string, all: readonly Planted[]): readonly string[] {
  const parts = new Map<string, Planted>()
  const begun = new Uint8Array(2 ** (all.length > 10 ? 20 : 12))
  for (const one of all) {
    for (const part of one.hidden.flatMap(partsOf)) {
      parts.set(part, one)
      begun[beginningAt(part, 0) % begun.length] = 1
    }
  }
  const leaks = new Set<Planted | undefined>()
  for (const text of [shown, undressed(shown)]) {
    for (let at = 0; at + PART <= text.length; at += 1) {
      if (begun[beginningAt(text, at) % begun.length] === 1) leaks.add(parts.get(text.slice(at, at + PART)))
    }
  }
  return [...leaks].flatMap((one) => (one === undefined ? [] : `${one.carrier}: ${JSON.stringify(one.text)}`))
}

function partsOf(word: string): readonly string[] {
  return Array.from({ length: Math.max(0, word.length - PART + 1) }, (_, at) => word.slice(at, at + PART))
}

/** A number for the first characters of a part, so that few places of a text are looked up. */
function beginningAt(text: string, at: number): number {
  let number = 0
  for (let next = at; next < at + 5; next += 1) number = (number * 31 + text.charCodeAt(next)) & 0xf_ff_ff
  return number
}

function undressed(text: string): string {
  return text
    .replace(/\\+u(?:\{([0-9a-f]+)\}|([0-9a-f]{4}))/g, (_, a: string | undefined, b: string | undefined) =>
      String.fromCodePoint(Number.parseInt(a ?? b ?? '0', 16)),
    )
    .replace(/\\+r/g, '')
    .replace(/\p{Cc}\[[0-9;]*m|[\p{Cc}\u200b]/gu, '')
}

/** A text in pieces of 1 to `most` characters, as a network or a model cuts it. */
export function chunks(text: string, seed: number, most: number): readonly string[] {
  const { below } = random(seed)
  const found: string[] = []
  for (let at = 0; at < text.length; at += found.at(-1)?.length ?? 1) found.push(text.slice(at, at + 1 + below(most)))
  return found
}

function plain(text: string): Secret {
  return { text, body: text }
}

function shaped(prefix: string, body: string): Secret {
  return { text: prefix + body, body }
}

function drawn(seed: number, alphabet: readonly string[], shortest: number, longest: number): string {
  const { below, pick } = random(seed)
  return Array.from({ length: shortest + below(longest - shortest + 1) }, () => pick(alphabet) ?? '').join('')
}

function picked(seed: number, from: readonly string[]): string {
  return random(seed * 7 + 3).pick(from) ?? ''
}

function split(text: string, seed: number, by: string): string {
  const at = 1 + random(seed * 11).below(text.length - 1)
  return text.slice(0, at) + by + text.slice(at)
}

/** Its letters in Cyrillic, in Greek, or as wide as Chinese ones. */
function disguised(name: string, seed: number): string {
  if (seed % 3 === 0) return name.replace(/./g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))
  const [latin, alike] = seed % 3 === 1 ? ['AEIOKTHCPSM', 'АЕІОКТНСРЅМ'] : ['AEIOKTHPMNZ', 'ΑΕΙΟΚΤΗΡΜΝΖ']
  return name.replace(/[A-Z]/g, (one) => alike[latin.indexOf(one)] ?? one)
}
