import type { random } from '../random.ts'

type Random = ReturnType<typeof random>

/** One document, changed as broken disks, careless people and hostile ones change it: its bytes, its JSON, or the JSON inside it. */
export function mutate(text: string, draw: Random): string {
  switch (draw.below(8)) {
    case 0:
      return flipped(text, draw)
    case 1:
      return text.slice(0, draw.below(text.length))
    case 2:
      return doubled(text, draw)
    case 3:
      return inserted(text, draw)
    default:
      return exchanged(text, draw)
  }
}

function flipped(text: string, draw: Random): string {
  const bytes = Buffer.from(text)
  for (let left = 1 + draw.below(6); left > 0; left -= 1) {
    const at = draw.below(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << draw.below(8))
  }
  return bytes.toString('utf8')
}

/** A stretch comes again, up to 200 times. */
function doubled(text: string, draw: Random): string {
  const from = draw.below(text.length)
  const part = text.slice(from, from + 1 + draw.below(200))
  return text.slice(0, from) + part.repeat(2 + draw.below(200)) + text.slice(from)
}

const PIECES = [
  '\ud800',
  '\udfff',
  '\u0000',
  '\u202e',
  '\ufeff',
  '\\u0000',
  '\n',
  '\r\n',
  '"',
  '\\',
  '{',
  '[[',
  '😀',
  'ﬁ',
  '\\ud83d',
]

function inserted(text: string, draw: Random): string {
  const at = draw.below(text.length)
  return text.slice(0, at) + (draw.pick(PIECES) ?? '').repeat(1 + draw.below(40)) + text.slice(at)
}

const DEEP = '['.repeat(500) + ']'.repeat(500)
const LONG = 'ab '.repeat(20_000)
const STRANGE: readonly string[] = [
  'null',
  'true',
  '0',
  '-1',
  '1e999',
  '1e308',
  '123456789012345678901234567890',
  '0.1',
  '""',
  '" "',
  '"x"',
  '"\\ud800"',
  '[]',
  '{}',
  '[null]',
  '[[{}]]',
  '{"__proto__":{"polluted":1}}',
  '{"constructor":null}',
  '"{\\"error\\":1}"',
  '"data: {}\\n\\n"',
  DEEP,
  JSON.stringify(LONG),
  JSON.stringify('!'.repeat(50_000)),
  JSON.stringify('a:'.repeat(20_000)),
  JSON.stringify('\n'.repeat(20_000)),
]

/** The value of a random key becomes another; a body that is JSON in itself is changed inside, every other time. */
function exchanged(text: string, draw: Random): string {
  const values = [...text.matchAll(/"(\w+)":/g)]
  const key = draw.pick(values)
  if (key === undefined) return draw.pick(STRANGE) ?? ''
  const start = key.index + key[0].length
  const end = endOfValue(text, start)
  const value = text.slice(start, end)
  const inner = value.startsWith('"{') && draw.below(2) === 0 ? innerOf(value, draw) : null
  return text.slice(0, start) + (inner ?? draw.pick(STRANGE) ?? '') + text.slice(end)
}

function innerOf(value: string, draw: Random): string {
  const inner: unknown = JSON.parse(value)
  return JSON.stringify(exchanged(String(inner), draw))
}

function endOfValue(json: string, start: number): number {
  const first = json[start] ?? ''
  if (first === '"') return endOfText(json, start)
  if (first !== '{' && first !== '[') return start + (/^[^,\]}]*/.exec(json.slice(start))?.[0].length ?? 0)
  let depth = 0
  let at = start
  do {
    depth += STEPS[json[at] ?? ''] ?? 0
    at = json[at] === '"' ? endOfText(json, at) : at + 1
  } while (depth > 0 && at < json.length)
  return at
}

const STEPS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 }

/** behind the closing quote */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === '\\') at += 1
    else if (json[at] === '"') return at + 1
  }
  return json.length
}
