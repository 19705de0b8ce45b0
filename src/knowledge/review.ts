import type { Fact, Origin } from '../domain/knowledge.ts'
import { isEmptyRange, readRange } from '../judge/specifier.ts'
import { readVersion } from '../judge/version.ts'
import { families } from './families.ts'
import { faults } from './faults.ts'
import { minimums } from './minimums.ts'
import { parsers } from './parsers.ts'
import { capabilities, pins, platforms } from './platforms.ts'
import { endTokens, neededFlags, samplings } from './settings.ts'
import { firstTags, firstTagsFrom } from './sglang-classes.ts'

/** What a look at the data itself found. */
export interface Review {
  readonly facts: number
  /** what is wrong with a fact, in a sentence that names it */
  readonly faults: readonly string[]
  /** facts that nobody has looked at for `STALE_DAYS` */
  readonly stale: readonly string[]
}

/** A fact that is older than this should be looked at again. */
export const STALE_DAYS = 180

interface Entry extends Origin {
  /** as people find it: `fault qwen3.5-dense sglang >=0.5.9,<0.5.10rc0` */
  readonly name: string
  readonly family: string | null
  readonly version: string | null
  readonly versions: string | null
}

/** Looks at every fact: that its versions can be read, its range is not empty, its source and its day are there. */
export function review(taught: readonly Fact[], now: number): Review {
  const entries = [...taught.map((one) => entryOf('taught', one)), ...ours()]
  return {
    facts: entries.length,
    faults: entries.flatMap((entry) => wrongIn(entry, now).map((what) => `${entry.name}: ${what}`)),
    stale: entries.filter((entry) => ageOf(entry, now) > STALE_DAYS).map(({ name, date }) => `${name}: of ${date}`),
  }
}

function ours(): readonly Entry[] {
  return [
    ...faults.map((one) => entryOf('fault', one)),
    ...minimums.map((one) => entryOf('minimum', one)),
    ...parsers.map((one) => entryOf(`${one.of} parser`, one)),
    ...samplings.map((one) => entryOf(`sampling (${one.mode})`, one)),
    ...endTokens.map((one) => entryOf('end tokens', one)),
    ...neededFlags.map((one) => entryOf('flag', one)),
    ...capabilities.map((one) => entryOf(`capability for ${one.quantisation}`, one)),
    ...platforms.map((one) => entryOf('platform', one)),
    ...pins.map((one) => entryOf('pins', one)),
    ...Array.from(firstTags, ([name, version]) => entryOf(`class ${name}`, { ...firstTagsFrom, version })),
  ]
}

interface Named extends Origin {
  readonly family?: string | null
  readonly engine?: string
  readonly version?: string
  readonly versions?: string
}

function entryOf(kind: string, { family, engine, version, versions, source, date, standing }: Named): Entry {
  const name = [kind, family, engine, version ?? versions].filter((part) => part != null && part !== '').join(' ')
  return { name, family: family ?? null, version: version ?? null, versions: versions ?? null, source, date, standing }
}

function wrongIn(entry: Entry, now: number): readonly string[] {
  const { family, version, source, date } = entry
  return [
    ...(family !== null && families.every(({ name }) => name !== family) ? [`there is no family ${family}`] : []),
    ...(version !== null && readVersion(version) === null ? [`${version} is no version of PEP 440`] : []),
    ...wrongRange(entry),
    ...(source.trim() === '' ? ['it names no source'] : []),
    ...(isDay(date) ? [] : [`“${date}” is no day; write it as 2026-08-20`]),
    ...(ageOf(entry, now) < -1 ? [`its day, ${date}, is yet to come`] : []),
  ]
}

function wrongRange({ versions }: Entry): readonly string[] {
  if (versions === null) return []
  const range = readRange(versions)
  if (range === null) return [`${versions} is no range of PEP 440`]
  return isEmptyRange(range) ? [`no version lies in ${versions}`] : []
}

/** Whether it is a day of the calendar, written as 2026-08-20. */
export function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

const DAY_MS = 86_400_000

/** In days; 0 where the day cannot be read. */
function ageOf({ date }: Pick<Origin, 'date'>, now: number): number {
  return isDay(date) ? (now - Date.parse(`${date}T00:00:00Z`)) / DAY_MS : 0
}

/** The names of all families. */
export const familyNames: readonly string[] = families.map(({ name }) => name)
