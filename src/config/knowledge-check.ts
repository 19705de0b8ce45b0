import { CODES } from '../domain/code.ts'
import { nearest } from '../domain/nearest.ts'
import { isEmptyRange, readRange } from '../judge/specifier.ts'
import { readVersion } from '../judge/version.ts'
import { familyNames, isDay } from '../knowledge/review.ts'
import type { KnownFault } from './knowledge.ts'
import { codeNamed } from './knowledge.ts'
import type { Problem } from './problem.ts'
import type { Blame } from './shape.ts'

/** What a team teaches must be usable: a range that holds nothing would never be heard of again. */
export function checkKnowledge(entries: readonly KnownFault[], blame: Blame): readonly Problem[] {
  return entries.flatMap((entry, index) => checkEntry(entry, ['knowledge', index], blame))
}

function checkEntry(entry: KnownFault, path: readonly PropertyKey[], blame: Blame): readonly Problem[] {
  const { family, model, fixed, date } = entry
  const at = (key: string, found: string, next: string, near: string | null = null) =>
    blame([...path, key], found, next, near)
  return [
    ...(family === undefined && model === undefined
      ? [
          blame(
            path,
            'neither family nor model',
            'write one of them: a family such as qwen3.5-dense, or a part of the model’s name',
          ),
        ]
      : []),
    ...(family === undefined || familyNames.includes(family)
      ? []
      : [at('family', `the unknown family "${family}"`, FAMILIES, nearest(family, familyNames, 3))]),
    ...checkCode(entry.code, at),
    ...checkRange('versions', entry.versions, at),
    ...(typeof entry.tensor_parallel === 'string' ? checkRange('tensor_parallel', entry.tensor_parallel, at) : []),
    ...(fixed === undefined || readVersion(fixed) !== null
      ? []
      : [at('fixed', `"${fixed}"`, 'write a version such as "0.5.10"')]),
    ...(isDay(date) ? [] : [at('date', `"${date}", which is no day`, 'write it as 2026-08-20')]),
  ]
}

type At = (key: string, found: string, next: string, near?: string | null) => Problem

const FAMILIES = `use one of ${familyNames.join(', ')}; for any other model leave family out and write model: and a part of its name`
const FAULTS = Object.keys(CODES).filter((code) => codeNamed(code) !== null)

function checkCode(code: string, at: At): readonly Problem[] {
  if (codeNamed(code) !== null) return []
  const isFine = Object.hasOwn(CODES, code)
  const found = isFine ? `"${code}", which is no fault` : `the unknown code "${code}"`
  return [at('code', found, 'use the name of a page in docs/problems, without .md', nearest(code, FAULTS, 4))]
}

function checkRange(key: string, text: string, at: At): readonly Problem[] {
  const range = readRange(text)
  if (range === null) return [at(key, `"${text}"`, 'write it as PEP 440 does, such as ">=0.5.9,<0.5.10"')]
  return isEmptyRange(range) ? [at(key, `"${text}", in which nothing lies`, 'correct one of its ends')] : []
}
