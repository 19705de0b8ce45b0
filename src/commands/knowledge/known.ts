import type { Fact, Family, Origin, Serving } from '../../domain/knowledge.ts'
import type { EngineKind } from '../../domain/target.ts'
import { titleOf } from '../../judge/engine-names.ts'
import { compareVersions } from '../../judge/version.ts'
import type { Least } from '../../knowledge/index.ts'
import {
  capabilityFor,
  endTokensOf,
  faultsWith,
  flagsFor,
  knownBad,
  minimumOf,
  parserOf,
  pinsOf,
  platformOf,
  samplingOf,
} from '../../knowledge/index.ts'

/** One thing that is known, as it is shown and as --json prints it. */
export interface Known extends Pick<Origin, 'source' | 'date'> {
  /** whether it is a fault that what was asked for has */
  readonly holds: boolean
  /** what it is about: `SGLang >=0.5.9,<0.5.10rc0, tensor parallel >=2` */
  readonly about: string
  readonly known: string
  /** what to do, or to set; empty: nothing */
  readonly take: string
}

/** All that is known of serving it so: faults that hold first, then what to install and to set, then other versions' faults. */
export function knownOf(serving: Serving, taught: readonly Fact[]): readonly Known[] {
  const { engine, family, version } = serving
  const hit = version === null ? [] : knownBad(serving, taught)
  const facts = faultsWith(serving, taught)
  return [
    ...hit.map((fact) => faultIn(fact, true)),
    ...minimumsIn(serving, minimumOf(engine, family)),
    ...settingsIn(engine, family, version),
    ...platformIn(serving),
    ...facts.filter((fact) => !hit.includes(fact)).map((fact) => faultIn(fact, false)),
  ]
}

function one(about: string, known: string, take: string, { source, date }: Origin): Known {
  return { holds: false, about, known, take, source, date }
}

/** What each source says; where they disagree, all of it, and the newest counts. */
function minimumsIn({ engine, version }: Serving, least: Least | null): readonly Known[] {
  const says = least?.says ?? []
  const known = says.map((said) => {
    const counts = least?.isAskedFor === true && said.version === least.version
    const isOlder = version !== null && (compareVersions(version, said.version) ?? 0) < 0
    const take = counts ? `${said.version} or newer` : ''
    return { ...one(`${titleOf(engine)} ${said.version}`, MEANS[said.means], take, said), holds: counts && isOlder }
  })
  return [...known.filter(({ take }) => take !== ''), ...known.filter(({ take }) => take === '')]
}

const MEANS = {
  loads: 'the first that loads it',
  serves: 'the oldest that this source asks for',
  tested: 'tested with; older ones may do',
} as const

function faultIn(fact: Fact, holds: boolean): Known {
  const known = `${fact.cause}${fact.standing === 'reported' ? ' (reported, not confirmed)' : ''}`
  const about = [`${titleOf(fact.engine)} ${fact.versions}`, ...conditionsOf(fact)].join(', ')
  return { ...one(about, known, doOf(fact), fact), holds }
}

function conditionsOf({ tensorParallel, quantisation, flags, model }: Fact): readonly string[] {
  return [
    ...(tensorParallel === null ? [] : [`tensor parallel ${tensorParallel}`]),
    ...quantisation,
    ...flags.map((flag) => `--${flag}`),
    ...(model === null ? [] : [`name with ${model}`]),
  ]
}

function doOf({ fixed, fix }: Fact): string {
  return [...(fixed === null ? [] : [`upgrade to ${fixed} or newer`]), ...(fix === null ? [] : [fix])].join('; ')
}

/** Parsers, flags and the tokens that end an answer. */
function settingsIn(engine: EngineKind, family: Family | null, version: string | null): readonly Known[] {
  const name = titleOf(engine)
  const ends = endTokensOf(family)
  const parsers = (['reasoning', 'tool'] as const).flatMap((of) => parserOf(engine, family, of) ?? [])
  const flags = flagsFor(engine, family, version).filter(({ flag }) => !flag.startsWith('--reasoning-parser'))
  return [
    ...parsers.map((parser) => {
      const [best, ...others] = parser.names
      const since = parser.since === null ? [] : [`since ${parser.since}`]
      const fits = others.length === 0 ? [] : [`${others.join(', ')} fit too`]
      const flag = parser.of === 'reasoning' ? '--reasoning-parser' : '--tool-call-parser'
      return one(`${name}, ${parser.of} parser`, [...since, ...fits].join('; '), `${flag} ${best}`, parser)
    }),
    ...flags.map((needed) => one(`${name} ${needed.versions}`, needed.when, needed.flag, needed)),
    ...(ends === null
      ? []
      : [one('end tokens', `${ends.ids.join(', ')}: the first ends every healthy answer`, '', ends)]),
  ]
}

/** CUDA, driver and packages of a version; what the quantisation asks of the GPU. */
function platformIn({ engine, version, quantisation }: Serving): readonly Known[] {
  const platform = version === null ? null : platformOf(engine, version)
  const pins = version === null ? null : pinsOf(engine, version)
  const capability = capabilityFor(engine, quantisation)
  const name = `${titleOf(engine)}${version === null ? '' : ` ${version}`}`
  return [
    ...(platform === null
      ? []
      : [
          one(`${name}, GPU driver`, `built for CUDA ${platform.cuda}`, `driver ${platform.driver} or newer`, platform),
        ]),
    ...(pins === null ? [] : [one(`${name}, packages`, `tested with ${packagesIn(pins.packages)}`, '', pins)]),
    ...(capability === null
      ? []
      : [
          one(
            `${name}, ${capability.quantisation}`,
            'asks for a newer GPU',
            `compute capability ${capability.least / 10} or newer`,
            capability,
          ),
        ]),
  ]
}

function packagesIn(packages: Readonly<Record<string, string>>): string {
  return Object.entries(packages)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')
}

/** Sampling and budget as the maker wants them. */
export function samplingIn(family: Family | null): readonly Known[] {
  return samplingOf(family).map((said) => {
    const { temperature, topP, topK, minP, presencePenalty, budget } = said
    const values = [
      `temperature ${temperature}`,
      `top_p ${topP}`,
      `top_k ${topK}`,
      `min_p ${minP}`,
      ...(presencePenalty === null ? [] : [`presence_penalty ${presencePenalty}`]),
    ]
    return one(`sampling, ${said.mode}`, values.join(', '), budget === null ? '' : `max_tokens ${budget}`, said)
  })
}
