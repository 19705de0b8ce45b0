import type { Span } from './exact.ts'
import { matchesIn } from './matches.ts'

/**
 * Where the pieces of a streamed answer stand in its raw text, for each field that is streamed: what one event says of a
 * secret is no secret's shape any more. Server-sent events and JSON lines; nothing where there are no two of them.
 */
export function piecesIn(text: string): readonly (readonly Span[])[] {
  const fields = new Map<string, Span[]>()
  for (const { 0: event, index } of matchesIn(text, EVENT)) {
    for (const { 1: before = '', 2: name = '', 3: said = '', index: at } of matchesIn(event, FIELD)) {
      const from = index + at + before.length
      const pieces = fields.get(name) ?? []
      pieces.push([from, from + said.length])
      fields.set(name, pieces)
    }
  }
  return [...fields.values()].filter((pieces) => pieces.length > 1)
}

const EVENT = /^(?:data: ?)?\{.*$/gm
const FIELD = /("(content|reasoning|reasoning_content|thinking|arguments|text|response)":[ \t]?")((?:[^"\\]|\\.)*)"/g
