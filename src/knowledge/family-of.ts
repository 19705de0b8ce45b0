import type { Family } from '../domain/knowledge.ts'
import { families } from './families.ts'

/**
 * The family of a model, by the class in its config.json and its name or path; null where they do not tell. Where several
 * families share a class the name decides; a class that no family has is none of ours, whatever the name says.
 */
export function familyOf(name: string | null, architecture: string | null): Family | null {
  const named = name === null ? null : familyLike(name)
  if (architecture === null || isNameOnly(named)) return named
  const sharing = families.filter(({ architectures }) => architectures.includes(architecture))
  if (named !== null && sharing.includes(named)) return named
  const [only, another] = sharing
  return only === undefined || another !== undefined ? null : only
}

/** A family by its own name: `qwen3.5-dense`. */
export function familyNamed(name: string): Family | null {
  return families.find((one) => one.name === name) ?? null
}

/** Families whose class many other models have. */
function isNameOnly(family: Family | null): boolean {
  return family !== null && family.architectures.length === 0
}

/** By the last part of a path that says something: `/models/Qwen3.6-27B/fp8` is a Qwen3.6. */
function familyLike(name: string): Family | null {
  for (const part of partsOf(name)) {
    const found = families.find(({ pattern, except }) => pattern.test(part) && except?.test(part) !== true)
    if (found !== undefined) return found
  }
  return null
}

/** Innermost first. The cache of Hugging Face writes `models--Qwen--Qwen3.6-27B/snapshots/<sha>`. */
function partsOf(name: string): readonly string[] {
  const parts = name
    .slice(-LONGEST)
    .replace(/\/snapshots\/.*$/, '')
    .split(/\/|--/)
  return parts
    .filter((part) => part !== '')
    .toReversed()
    .slice(0, 3)
}

const LONGEST = 400
