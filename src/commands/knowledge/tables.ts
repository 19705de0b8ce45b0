import type { Fact, Family, Origin, Serving } from '../../domain/knowledge.ts'
import type { Table } from '../../domain/report.ts'
import type { EngineKind } from '../../domain/target.ts'
import { titleOf } from '../../judge/engine-names.ts'
import type { Least } from '../../knowledge/index.ts'
import {
  capabilityFor,
  endTokensOf,
  flagsFor,
  knownBad,
  parserOf,
  pinsOf,
  platformOf,
  samplingOf,
} from '../../knowledge/index.ts'

type Tables = readonly Table[]
const WHENCE = ['Source', 'Looked at'] as const

function table(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): Tables {
  return rows.length === 0 ? [] : [{ title, columns: [...columns, ...WHENCE], rows }]
}

function whence({ source, date }: Origin): readonly [string, string] {
  return [source, date]
}

/** What each source says; where they disagree, all of it. */
export function minimumTable(engine: EngineKind, least: Least | null): Tables {
  const says = least?.says ?? []
  return table(
    `Oldest ${titleOf(engine)} that serves it: ${least?.version ?? ''}${least?.isAskedFor === false ? ' (tested; older ones may do)' : ''}`,
    ['Version', 'Means'],
    says.map((one) => [one.version, MEANS[one.means], ...whence(one)]),
  )
}

const MEANS = { loads: 'the first that loads it', serves: 'asked for', tested: 'tested with' } as const

/** Every known fault of the engine with it; which of them hold for what was asked is marked. */
export function faultTable(facts: readonly Fact[], serving: Serving, taught: readonly Fact[]): Tables {
  const hit = serving.version === null ? [] : knownBad(serving, taught)
  return table(
    `Known faults of ${titleOf(serving.engine)} with it`,
    ['Versions', 'Where', 'What', 'Do', 'Code'],
    facts.map((fact) => [
      `${hit.includes(fact) ? '→ ' : ''}${fact.versions}`,
      whereOf(fact),
      `${fact.cause}${fact.standing === 'reported' ? ' (reported, not confirmed)' : ''}`,
      doOf(fact),
      fact.code,
      ...whence(fact),
    ]),
  )
}

function whereOf({ tensorParallel, quantisation, flags, model }: Fact): string {
  const parts = [
    ...(tensorParallel === null ? [] : [`tensor parallel ${tensorParallel}`]),
    ...quantisation,
    ...flags.map((flag) => `--${flag}`),
    ...(model === null ? [] : [`name with ${model}`]),
  ]
  return parts.length === 0 ? 'everywhere' : parts.join(', ')
}

function doOf({ fixed, fix }: Fact): string {
  return [...(fixed === null ? [] : [`upgrade to ${fixed} or newer`]), ...(fix === null ? [] : [fix])].join('; ')
}

/** Parsers, flags and the tokens that end an answer. */
export function settingTable(engine: EngineKind, family: Family | null, version: string | null): Tables {
  const ends = endTokensOf(family)
  const parsers = (['reasoning', 'tool'] as const).flatMap((of) => parserOf(engine, family, of) ?? [])
  return table(
    `Settings of ${titleOf(engine)} for it`,
    ['What', 'Take', 'Besides'],
    [
      ...parsers.map((one) => {
        const [best, ...others] = one.names
        const since = one.since === null ? [] : [`since ${one.since}`]
        const flag = one.of === 'reasoning' ? '--reasoning-parser' : '--tool-call-parser'
        const fits = others.length === 0 ? [] : [`${others.join(', ')} fit too`]
        return [`${one.of} parser`, `${flag} ${best}`, [...since, ...fits].join('; '), ...whence(one)]
      }),
      ...flagsFor(engine, family, version)
        .filter(({ flag }) => !flag.startsWith('--reasoning-parser'))
        .map((one) => [one.when, one.flag, one.versions, ...whence(one)]),
      ...(ends === null
        ? []
        : [['end tokens', ends.ids.join(', '), 'the first ends every healthy answer', ...whence(ends)]]),
    ],
  )
}

/** Sampling and budget as the maker wants them. */
export function samplingTable(family: Family | null): Tables {
  return table(
    'Sampling',
    ['Mode', 'temperature', 'top_p', 'top_k', 'min_p', 'presence_penalty', 'max_tokens'],
    samplingOf(family).map((one) => [
      one.mode,
      String(one.temperature),
      String(one.topP),
      String(one.topK),
      String(one.minP),
      one.presencePenalty === null ? 'not said' : String(one.presencePenalty),
      one.budget === null ? 'not said' : String(one.budget),
      ...whence(one),
    ]),
  )
}

/** CUDA, driver and packages of a version; what the quantisation asks of the GPU. */
export function platformTable({ engine, version, quantisation }: Serving): Tables {
  const platform = version === null ? null : platformOf(engine, version)
  const pins = version === null ? null : pinsOf(engine, version)
  const capability = capabilityFor(engine, quantisation)
  return table(
    `What ${titleOf(engine)}${version === null ? '' : ` ${version}`} runs on`,
    ['What', 'Needs'],
    [
      ...(platform === null
        ? []
        : [
            ['CUDA', platform.cuda, ...whence(platform)],
            ['NVIDIA driver', `${platform.driver} or newer`, ...whence(platform)],
          ]),
      ...(pins === null ? [] : [['packages', packagesIn(pins.packages), ...whence(pins)]]),
      ...(capability === null
        ? []
        : [
            [
              'GPU',
              `compute capability ${capability.least / 10} or newer for ${capability.quantisation}`,
              ...whence(capability),
            ],
          ]),
    ],
  )
}

function packagesIn(packages: Readonly<Record<string, string>>): string {
  return Object.entries(packages)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')
}
