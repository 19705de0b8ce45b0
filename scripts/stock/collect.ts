import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { random } from '../../test/random.ts'
import type { Kind } from './kinds.ts'

/** A text of the stock, and the prompt that asks for such a one. */
export interface Text {
  readonly kind: Pick<Kind, 'name' | 'nature'>
  readonly prompt: string
  readonly text: string
  /** where it was found */
  readonly path: string
}

/** Characters of a text */
const LONGEST = 6_000
const SHORTEST = 100
/** A larger file is machine-made as a rule; in bytes. */
const LARGEST = 300_000
const SEED = 20_261_201

/**
 * `wanted` texts of all kinds in turn, so that a small kind gives all it has and the others as many as it lacks. The same
 * files always give the same texts.
 */
export function collect(kinds: readonly Kind[], wanted: number): readonly Text[] {
  const seen = new Set<string>()
  const found: Text[] = []
  let open = kinds.map((kind) => textsOf(kind))
  while (open.length > 0 && found.length < wanted) {
    open = open.filter((texts) => {
      const text = nextNew(texts, seen)
      if (text !== null) found.push(text)
      return text !== null
    })
  }
  return found
}

/** Many packages carry the same licence. */
function nextNew(texts: Iterator<Text>, seen: Set<string>): Text | null {
  for (let next = texts.next(); next.done !== true; next = texts.next()) {
    const mark = createHash('sha1').update(next.value.text).digest('hex')
    if (seen.has(mark)) continue
    seen.add(mark)
    return next.value
  }
  return null
}

function* textsOf(kind: Kind): Generator<Text> {
  const { below } = random(SEED)
  const files = kind.roots.flatMap((root) => filesBelow(root, kind.files))
  for (const path of shuffled(files, below)) {
    const whole = kind.read(readFileSync(path))
    if (whole === null) continue
    for (const text of piecesOf(whole, kind.pieces, below)) yield { kind, prompt: kind.prompt(path), text, path }
  }
}

/** What test runs leave behind */
const LEFT = /(?:^|\/)\.(?:vite|vitest|cache)(?:\/|$)/

function filesBelow(root: string, wanted: RegExp): readonly string[] {
  return namesBelow(root)
    .filter((name) => !LEFT.test(name))
    .map((name) => join(root, name))
    .filter((path) => wanted.test(path) && isOrdinary(path))
    .toSorted()
}

const listed = new Map<string, readonly string[]>()

/** Empty where there is no such folder. Several kinds lie in the same one. */
function namesBelow(root: string): readonly string[] {
  const names = listed.get(root) ?? (existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [])
  listed.set(root, names)
  return names
}

function isOrdinary(path: string): boolean {
  const { size, isFile } = statOf(path)
  return isFile && size <= LARGEST
}

function statOf(path: string) {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return { size: stat?.size ?? 0, isFile: stat?.isFile() === true }
}

function shuffled<T>(list: readonly T[], below: (limit: number) => number): readonly T[] {
  const keys = list.map((one) => ({ one, key: below(2 ** 31) }))
  return keys.toSorted((a, b) => a.key - b.key).map(({ one }) => one)
}

/** A long text gives pieces from random places, a short one itself. */
function piecesOf(text: string, most: number, below: (limit: number) => number): readonly string[] {
  if (text.length < SHORTEST) return []
  if (text.length <= LONGEST) return [text]
  const count = Math.min(most, Math.ceil(text.length / LONGEST))
  return Array.from({ length: count }, () => {
    const from = below(text.length - LONGEST)
    return text.slice(from, from + LONGEST)
  })
}
