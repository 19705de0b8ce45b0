import type { Gpu } from '../../domain/gpu.ts'
import { readJson } from '../../domain/json.ts'
import type { Named } from './names.ts'
import { cardOfNamed, INSIDE } from './names.ts'
import type { Reader } from './reader.ts'

/** JSON of amd-smi (a list with a number `gpu` in each) and of rocm-smi (`card0`, `card1`, …). */
export const readJsonText: Reader = (lines) => {
  const from = lines.findIndex((line) => /^\s*[[{]/.test(line))
  const to = lines.findLastIndex((line) => /[\]}]\s*$/.test(line))
  if (from < 0 || to < from) return { rest: lines }
  const read = readJson(lines.slice(from, to + 1).join('\n'))
  if (!read.ok) return { rest: lines }
  const cards = cardsIn(read.value)
  return cards.length === 0 ? { rest: lines } : { cards, rest: [...lines.slice(0, from), ...lines.slice(to + 1)] }
}

const MOST = 256

function cardsIn(value: unknown): readonly Gpu[] {
  if (Array.isArray(value)) return value.slice(0, MOST).flatMap(cardOfAmd)
  const fields = entriesOf(value)
  const inner = fields.find(([name]) => name === 'gpu_data')?.[1]
  if (Array.isArray(inner)) return inner.slice(0, MOST).flatMap(cardOfAmd)
  return fields.slice(0, MOST).flatMap(([name, card]) => {
    const [, index] = /^card(\d{1,4})$/.exec(name) ?? []
    return index === undefined ? [] : [{ ...cardOfNamed(namedIn(card)), index: Number(index) }]
  })
}

function cardOfAmd(value: unknown): readonly Gpu[] {
  const index = entriesOf(value).find(([name]) => name === 'gpu')?.[1]
  return typeof index === 'number' ? [{ ...cardOfNamed(namedIn(value)), index }] : []
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}

const DEEPEST = 6

/** `{"usage": {"gfx_activity": {"value": 0, "unit": "%"}}}` becomes `usage > gfx_activity` with `0 %`. */
export function namedIn(value: unknown, path = '', depth = 0): readonly Named[] {
  return entriesOf(value).flatMap(([name, inner]): readonly Named[] => {
    const at = path === '' ? name : `${path}${INSIDE}${name}`
    if (typeof inner === 'string' || typeof inner === 'number') return [[at, String(inner)]]
    const measure = measureIn(inner)
    if (measure !== null) return [[at, measure]]
    return depth < DEEPEST ? namedIn(inner, at, depth + 1) : []
  })
}

function measureIn(value: unknown): string | null {
  const fields = Object.fromEntries(entriesOf(value))
  const { value: amount, unit } = fields
  if (typeof amount !== 'number' && typeof amount !== 'string') return null
  return typeof unit === 'string' ? `${amount} ${unit}` : String(amount)
}
