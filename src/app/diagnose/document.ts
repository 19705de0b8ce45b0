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

export type Read = { readonly ok: true; readonly document: Document } | NotRead

/** `hint` is worth telling once. */
interface NotRead {
  readonly ok: false
  readonly problem: string
  readonly hint?: string
}

/** What the input of one kind becomes. */
export type Judged =
  | { readonly ok: true; readonly finding: Finding; readonly parsed: unknown }
  | { readonly ok: false; readonly problem: string }

/** Every kind that is judged. A new one is one entry. */
const KINDS: Readonly<Record<string, (input: unknown) => Judged>> = { D: remoteDocument, E: slackDocument }

/** Kinds of the same format that this version takes and does not judge. */
const LATER: readonly string[] = ['A', 'B', 'C']

/** For people. */
export function kindsJudged(): string {
  const judged = Object.keys(KINDS)
  return `this version judges ${judged.length === 1 ? 'kind' : 'kinds'} ${judged.join(', ')}`
}

/** One document of the input: `{"id", "kind", "input"}`; other fields are not looked at. */
export function readDocument(text: string): Read {
  const json = readJson(text)
  if (!json.ok) {
    const isText = json.problem === 'not-json' && !/^\s*[{[]/.test(text)
    return { ok: false, problem: UNREADABLE[json.problem], ...(isText ? { hint: WRAP } : {}) }
  }
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

/** How plain text becomes a document. */
const WRAP =
  'plain text is wrapped: {"kind":"D","input":{"command":"THE COMMAND","event":{"type":"close","code":255},"stdout":"","stderr":"THE TEXT"}}'

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
    cause: `Nothing is known of it: ${kindsJudged()}, and not ${kind}.`,
    because: [],
    remedy: ['Look into the record itself; what a command on a host did is a document of kind D.'],
    confidence: 'possible',
    missing: [`rules for kind ${kind}`],
  }
  return () => ({ ok: true, finding, parsed: {} })
}
