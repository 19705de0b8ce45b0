import type { Finding } from '../../domain/finding.ts'
import type { JsonProblem } from '../../domain/json.ts'
import { readJson } from '../../domain/json.ts'
import { recordOf } from './record.ts'
import { remoteDocument } from './remote-document.ts'
import { slackDocument } from './slack-document.ts'

/** A judged document. */
export interface Document {
  readonly id: string | number | null
  readonly kind: string
  readonly finding: Finding
  /** what was read besides the cause */
  readonly parsed: unknown
}

export type Read = { readonly ok: true; readonly document: Document } | { readonly ok: false; readonly problem: string }

/** What the input of one kind becomes. */
export type Judged =
  | { readonly ok: true; readonly finding: Finding; readonly parsed: unknown }
  | { readonly ok: false; readonly problem: string }

/** Every kind that is judged. A new one is one entry. */
const KINDS: Readonly<Record<string, (input: unknown) => Judged>> = { D: remoteDocument, E: slackDocument }

/** Kinds of the same format that this version takes and does not judge. */
const LATER: readonly string[] = ['A', 'B', 'C']

/** One document of the input: `{"id", "kind", "input"}`; other fields are not looked at. */
export function readDocument(text: string): Read {
  const json = readJson(text)
  if (!json.ok) return { ok: false, problem: UNREADABLE[json.problem] }
  const fields = recordOf(json.value)
  if (fields === null) return { ok: false, problem: 'is no JSON object; write {"id": …, "kind": "D", "input": {…}}' }
  const { id: given, kind, input } = fields
  if (typeof kind !== 'string') return { ok: false, problem: `"kind" is missing; write one of ${known()}` }
  if (input === undefined) return { ok: false, problem: '"input" is missing; write what was recorded' }
  const judge = Object.hasOwn(KINDS, kind) ? KINDS[kind] : later(kind)
  if (judge === undefined)
    return { ok: false, problem: `kind "${kind.slice(0, 40)}" is not known; write one of ${known()}` }
  const judged = judge(input)
  if (!judged.ok) return judged
  const id = typeof given === 'string' || typeof given === 'number' ? given : null
  return { ok: true, document: { id, kind, finding: judged.finding, parsed: judged.parsed } }
}

const UNREADABLE: Readonly<Record<JsonProblem, string>> = {
  'not-json': 'is no JSON; write one document a line, without line breaks inside',
  'too-deep': 'is nested deeper than 64 levels, and not read',
  'too-many': 'holds more than 100,000 values, and is not read',
}

function known(): string {
  return [...LATER, ...Object.keys(KINDS)].toSorted().join(', ')
}

function later(kind: string): (() => Judged) | undefined {
  if (!LATER.includes(kind)) return undefined
  const finding: Finding = {
    code: 'log.need-more',
    verdict: 'inconclusive',
    cause: `Documents of kind ${kind} are not judged yet.`,
    because: [],
    remedy: ['Update Pilotflame: a later version judges this kind.'],
    confidence: 'certain',
  }
  return () => ({ ok: true, finding, parsed: {} })
}
