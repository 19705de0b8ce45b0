import type { Document } from 'yaml'
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml'
import { sanitise } from '../domain/sanitise.ts'
import type { Problem } from './problem.ts'

/** A YAML file as a value, with the place of everything in it. */
export interface ConfigDocument {
  readonly value: unknown
  /** Line and column of a key, or of the nearest thing around it that exists. */
  locate(path: readonly PropertyKey[]): Place
}

interface Place {
  readonly line: number | null
  readonly column: number | null
}

export type DocumentRead =
  | { readonly ok: true; readonly document: ConfigDocument }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Reads YAML: syntax, duplicate keys, unknown tags and runaway aliases are problems with their place. */
export function readDocument(text: string, file: string): DocumentRead {
  const lines = new LineCounter()
  const yaml = parseDocument(text, { lineCounter: lines, logLevel: 'error', stringKeys: true })
  const complaints = [...yaml.errors, ...yaml.warnings]
  if (complaints.length > 0) {
    const problems = complaints.map(({ code, message, linePos }) => {
      const place = { line: linePos?.[0].line ?? null, column: linePos?.[0].col ?? null }
      return { file, ...place, key: '', nearest: null, ...inWords(code, message) }
    })
    return { ok: false, problems }
  }
  if (hasPrototypeKey(yaml)) {
    const next = 'use another name'
    return {
      ok: false,
      problems: [
        { file, line: null, column: null, key: '__proto__', nearest: null, found: 'a key of this name', next },
      ],
    }
  }
  const value = plain(yaml)
  if (value.ok) return { ok: true, document: { value: value.value, locate: (path) => locate(yaml, lines, path) } }
  const next = 'write the values out instead of using & and *'
  return { ok: false, problems: [{ file, line: null, column: null, key: '', nearest: null, found: value.found, next }] }
}

function inWords(code: string, message: string): { readonly found: string; readonly next: string } {
  const said = sanitise(message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')
  if (code === 'DUPLICATE_KEY') return { found: 'the same key twice', next: 'keep one of them' }
  if (code === 'TAB_AS_INDENT') return { found: 'a tab as indentation', next: 'indent with spaces' }
  return {
    found: `broken YAML (${said})`,
    next: 'correct the line, or the one before it; mind colons, quotes and indentation',
  }
}

/** Validators pass over this key in silence, and what is not seen must not be accepted. */
function hasPrototypeKey(yaml: Document): boolean {
  let found = false
  visit(yaml, {
    Pair(_, { key }) {
      if (isScalar(key) && key.value === '__proto__') found = true
    },
  })
  return found
}

/** The library throws on aliases without anchor, and on those that would grow without end. */
function plain(
  yaml: Document,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly found: string } {
  try {
    const value: unknown = yaml.toJS({ maxAliasCount: 20 })
    return { ok: true, value: value ?? {} }
  } catch (error) {
    return {
      ok: false,
      found: `an alias that cannot be used (${error instanceof Error ? error.message : 'unknown reason'})`,
    }
  }
}

function locate(yaml: Document, lines: LineCounter, path: readonly PropertyKey[]): Place {
  let [node, offset]: [unknown, number] = [yaml.contents, 0]
  for (const key of path) {
    const child = childOf(isAlias(node) ? node.resolve(yaml) : node, key)
    if (child === null) break
    node = child.node
    offset = child.offset ?? offset
  }
  const { line, col } = lines.linePos(offset)
  return { line, column: col }
}

function childOf(node: unknown, key: PropertyKey): { readonly node: unknown; readonly offset: number | null } | null {
  if (isMap(node)) {
    const pair = node.items.find((one) => isScalar(one.key) && one.key.value === key)
    return pair === undefined ? null : { node: pair.value, offset: startOf(pair.key) }
  }
  if (!isSeq(node) || typeof key !== 'number') return null
  const item: unknown = node.items[key]
  return item === undefined ? null : { node: item, offset: startOf(item) }
}

function startOf(node: unknown): number | null {
  return isNode(node) ? (node.range?.[0] ?? null) : null
}
