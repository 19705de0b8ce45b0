import type { Finding } from '../../domain/finding.ts'
import type { JsonProblem } from '../../domain/json.ts'
import { readJson } from '../../domain/json.ts'
import { answerDocument } from './answer-document.ts'
import { logDocument } from './log-document.ts'
import { recordOf } from './record.ts'
import { remoteDocument } from './remote-document.ts'
import { slackDocument } from './slack-document.ts'
import { toolDocument } from './tool-document.ts'

/** A judged document. */
export interface Document {
  readonly id: string | number | null
  readonly kind: string
  /** it was no wire format, and its kind was found by what it holds */
  readonly isPlain: boolean
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
const KINDS: Readonly<Record<string, (input: unknown) => Judged>> = {
  A: answerDocument,
  B: logDocument,
  C: toolDocument,
  D: remoteDocument,
  E: slackDocument,
}

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
  if (Array.isArray(json.value) && json.value.length === 0) return { ok: false, problem: EMPTY_LIST }
  if (fields === null) return { ok: false, problem: 'is no JSON object; write {"id": …, "kind": "D", "input": {…}}' }
  const { id: given, kind, input } = fields
  if (typeof kind !== 'string') return { ok: false, problem: `"kind" is missing; write one of ${known()}` }
  if (input === undefined) return { ok: false, problem: '"input" is missing; write what was recorded' }
  const judge = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (judge === undefined)
    return { ok: false, problem: `kind "${kind.slice(0, 40)}" is not known; write one of ${known()}` }
  const judged = judge(input)
  if (!judged.ok) return judged
  const id = typeof given === 'string' || typeof given === 'number' ? given : null
  return { ok: true, document: { id, kind, isPlain: false, finding: judged.finding, parsed: judged.parsed } }
}

const EMPTY_LIST =
  'is an empty list, and holds nothing to judge; give the whole answer of the server, or a log, or one document a line'

/** How plain text becomes a document. */
const WRAP =
  'plain text is wrapped: {"kind":"D","input":{"command":"THE COMMAND","event":{"type":"close","code":255},"stdout":"","stderr":"THE TEXT"}}'

const UNREADABLE: Readonly<Record<JsonProblem, string>> = {
  'not-json': 'is no JSON; write one document a line, without line breaks inside',
  'too-deep': 'is nested deeper than 64 levels, and not read',
  'too-many': 'holds more than 100,000 values, and is not read',
}

function known(): string {
  return Object.keys(KINDS).join(', ')
}
