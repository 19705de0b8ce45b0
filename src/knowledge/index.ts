import type {
  Capability,
  EndTokens,
  Fact,
  Family,
  Minimum,
  NeededFlag,
  ParserKind,
  Parsers,
  Pins,
  Platform,
  Sampling,
  Serving,
} from '../domain/knowledge.ts'
import type { EngineKind } from '../domain/target.ts'
import { isWithin } from '../judge/specifier.ts'
import { compareVersions } from '../judge/version.ts'
import { faults } from './faults.ts'
import { minimums } from './minimums.ts'
import { parsers } from './parsers.ts'
import { capabilities, pins, platforms } from './platforms.ts'
import { endTokens, neededFlags, samplings } from './settings.ts'
import { firstTags, firstTagsFrom } from './sglang-classes.ts'

export { familyNamed, familyOf } from './family-of.ts'

/** What is said of the oldest version that serves a model. The sources need not agree, so all of them are given. */
export interface Least {
  /** the newest of the versions that they ask for: it satisfies all of them; of one that was only tested where none is asked for */
  readonly version: string
  /** whether an older one is known, or said, not to do */
  readonly isAskedFor: boolean
  readonly says: readonly [Minimum, ...Minimum[]]
}

/** Null where nothing is known of this pair. `architecture`: the class in config.json, where it is known. */
export function minimumOf(engine: EngineKind, family: Family | null, architecture: string | null = null): Least | null {
  const [first, ...more] = [...loads(engine, family, architecture), ...said(engine, family)]
  if (first === undefined) return null
  const says = [first, ...more] as const
  const asked = says.filter(({ means }) => means !== 'tested')
  const isAskedFor = asked.length > 0
  return { version: (isAskedFor ? asked : says).map(({ version }) => version).reduce(newer), isAskedFor, says }
}

function said(engine: EngineKind, family: Family | null): readonly Minimum[] {
  return minimums.filter((one) => one.engine === engine && one.family === family?.name)
}

/** From which release on the architecture is known; of a family the earliest of its classes. */
function loads(engine: EngineKind, family: Family | null, architecture: string | null): readonly Minimum[] {
  if (engine !== 'sglang') return []
  const classes = architecture === null ? (family?.architectures ?? []) : [architecture]
  const tags = classes.flatMap((name) => firstTags.get(name) ?? [])
  const [first] = tags.toSorted((one, other) => compareVersions(one, other) ?? 0)
  if (first === undefined) return []
  return [{ family: family?.name ?? '', engine, version: first, means: 'loads', ...firstTagsFrom }]
}

function newer(one: string, other: string): string {
  return (compareVersions(one, other) ?? 0) < 0 ? other : one
}

/**
 * The faults that this version is known to have with this model, those that ask for most first. What is not known accuses
 * nobody: a fact that asks for the number of GPUs does not hold where nobody knows it.
 */
export function knownBad(serving: Serving, taught: readonly Fact[] = []): readonly Fact[] {
  const known = [...taught, ...faults].filter((fact) => applies(fact, serving))
  return known.toSorted((one, other) => conditionsOf(other) - conditionsOf(one))
}

function conditionsOf({ family, model, quantisation, flags, tensorParallel }: Fact): number {
  const set = [family !== null, model !== null, quantisation.length > 0, flags.length > 0, tensorParallel !== null]
  return set.filter(Boolean).length
}

/** Every fault that an engine is known to have with a model, whatever its version and setting. */
export function faultsWith(about: About, taught: readonly Fact[]): readonly Fact[] {
  return [...taught, ...faults].filter((fact) => fact.engine === about.engine && isAbout(fact, about))
}

type About = Pick<Serving, 'engine' | 'family' | 'model'>

function isAbout(fact: Fact, { family, model }: About): boolean {
  if (fact.family !== null && fact.family !== family?.name) return false
  return fact.model === null || (model ?? '').toLowerCase().includes(fact.model.toLowerCase())
}

function applies(fact: Fact, serving: Serving): boolean {
  const { engine, version, tensorParallel, quantisation, flags } = serving
  if (fact.engine !== engine || version === null || isWithin(version, fact.versions) !== true) return false
  if (!isAbout(fact, serving)) return false
  if (fact.quantisation.length > 0 && !fact.quantisation.includes(quantisation ?? '')) return false
  if (!fact.flags.every((flag) => flags.includes(flag))) return false
  return fact.tensorParallel === null || isWithin(String(tensorParallel ?? ''), fact.tensorParallel) === true
}

/** The parsers of an engine that fit a family; null where nothing is known. */
export function parserOf(engine: EngineKind, family: Family | null, of: ParserKind): Parsers | null {
  return parsers.find((one) => one.engine === engine && one.family === family?.name && one.of === of) ?? null
}

/** Whether a parser fits, however its name is spelled; `auto` finds it by itself. */
export function isFitting(name: string, { names }: Parsers): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll('-', '_')
  return plain(name) === 'auto' || names.some((one) => plain(one) === plain(name))
}

export function samplingOf(family: Family | null): readonly Sampling[] {
  return samplings.filter((one) => one.family === family?.name)
}

export function endTokensOf(family: Family | null): EndTokens | null {
  return endTokens.find((one) => one.family === family?.name) ?? null
}

/** The settings that a version wants for a family; of an unknown version all of them. */
export function flagsFor(engine: EngineKind, family: Family | null, version: string | null): readonly NeededFlag[] {
  return neededFlags.filter(
    (one) =>
      one.engine === engine &&
      one.family === family?.name &&
      (version === null || isWithin(version, one.versions) === true),
  )
}

/** CUDA and driver that the default build of a version wants. */
export function platformOf(engine: EngineKind, version: string): Platform | null {
  return platforms.find((one) => one.engine === engine && isWithin(version, one.versions) === true) ?? null
}

/** What a GPU must be able to do for a quantisation. */
export function capabilityFor(engine: EngineKind, quantisation: string | null): Capability | null {
  return capabilities.find((one) => one.engine === engine && one.quantisation === quantisation) ?? null
}

/** What a release was tested with; a post-release has the pins of its release. */
export function pinsOf(engine: EngineKind, version: string): Pins | null {
  return pins.find((one) => one.engine === engine && isWithin(version, `==${one.version}.*`) === true) ?? null
}
