import type { z } from 'zod'
import { nearest } from '../domain/nearest.ts'
import { namesSecret, redactor } from '../domain/redact.ts'
import { sanitise } from '../domain/sanitise.ts'
import type { ConfigDocument } from './document.ts'
import type { Problem } from './problem.ts'
import { ConfigFile, schemaAt } from './schema.ts'

/** Makes a problem about a place in the file. */
export type Blame = (path: readonly PropertyKey[], found: string, next: string, nearest?: string | null) => Problem

export function blamer(file: string, document: ConfigDocument): Blame {
  return (path, found, next, near = null) => ({
    file,
    ...document.locate(path),
    key: path.map(String).join('.'),
    found,
    nearest: near,
    next,
  })
}

export type Shaped =
  | { readonly ok: true; readonly value: ConfigFile }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Holds a document to the schema. A value that may be a secret is never repeated. */
export function shaped({ value }: ConfigDocument, blame: Blame): Shaped {
  const read = ConfigFile.safeParse(value)
  if (read.success) return { ok: true, value: read.data }
  return { ok: false, problems: read.error.issues.flatMap((issue) => inWords(issue, value, blame)) }
}

function inWords(issue: z.core.$ZodIssue, whole: unknown, blame: Blame): readonly Problem[] {
  const { path } = issue
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key, blame))
  const { what } = schemaAt(path)
  const found = issue.code === 'custom' ? String(issue.params?.['found'] ?? '') : seen(valueAt(whole, path), path)
  return [
    blame(path, found, issue.code === 'custom' ? issue.message : `write ${what ?? 'it as in pilotflame.example.yml'}`),
  ]
}

function unknownKey(path: readonly PropertyKey[], key: string, blame: Blame): Problem {
  const { keys } = schemaAt(path)
  if (namesSecret(key)) return blame([...path, key], 'a secret in the file (not shown here)', SECRET_GOES_TO)
  const meant = nearest(key, keys, Math.max(2, Math.floor(key.length / 3)))
  return blame([...path, key], 'an unknown key', `use one of ${keys.join(', ')}`, meant)
}

const SECRET_GOES_TO =
  'take it out, put it into the environment, and write only the variable’s name: api_key_env or key_env (Slack tokens: SLACK_BOT_TOKEN, SLACK_APP_TOKEN)'

const redact = redactor([])
const LONGEST = 60

function seen(value: unknown, path: readonly PropertyKey[]): string {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object') return 'a map'
  if (typeof value !== 'string') return `${typeof value === 'number' ? 'the number ' : ''}${String(value)}`
  // `api_key_env: <the key itself>` is the mistake that must not be repeated
  if (/_env$/.test(String(path.at(-1)))) return 'something that is no variable’s name (not shown here)'
  const shown = redact(sanitise(value))
  return `"${shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown}"`
}

function valueAt(whole: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null) return undefined
    return Object.entries(value).find(([name]) => name === String(key))?.[1]
  }, whole)
}
