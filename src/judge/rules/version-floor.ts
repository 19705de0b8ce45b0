import type { Evidence, Rule } from '../../domain/finding.ts'
import type { Minimum } from '../../domain/knowledge.ts'
import type { EngineKind } from '../../domain/target.ts'
import type { Least } from '../../knowledge/index.ts'
import { minimumOf } from '../../knowledge/index.ts'
import { quoted } from '../answer.ts'
import { titleOf } from '../engine-names.ts'
import type { Served } from '../served.ts'
import { servedOf } from '../served.ts'
import { quotedTold, toldLine } from '../told.ts'
import { compareVersions } from '../version.ts'

/** The engine is older than the sources ask for this model. It serves all the same, so that is a remark, never the cause. */
export const versionFloor: Rule = {
  codes: ['version.too-old'],
  check(evidence) {
    const served = evidence.smoke === undefined ? null : servedOf(evidence)
    if (served === null || served.version === null) return []
    const { version, engine } = served
    const says = statements(evidence, served).filter((one) => isOlder(version, one.version))
    const [first] = says.toSorted((one, other) => compareVersions(other.version, one.version) ?? 0)
    if (first === undefined) return []
    const title = titleOf(engine)
    return [
      {
        code: 'version.too-old',
        verdict: 'misconfigured',
        cause: `${title} ${version}${served.versionFrom === 'installed' ? ', as it is installed,' : ''} is older than this model asks for: ${first.version} or newer.`,
        because: says.map(({ words }) => words),
        remedy: [
          `Upgrade ${title} ${version} to ${first.version} or newer, and leave transformers to it; then run a smoke.`,
        ],
        confidence: 'possible',
        unless: 'smokes of several prompts are sound: a version that is older than asked for may still do.',
      },
    ]
  },
}

interface Statement {
  readonly version: string
  readonly words: string
}

/** What the card beside the weights asks for, what somebody told of it, and what we know. */
function statements(evidence: Evidence, served: Served): readonly Statement[] {
  const least = minimumOf(served.engine, served.family, served.architecture)
  return [
    ...cardSays(evidence, served.engine),
    ...toldSays(evidence),
    ...(least === null ? [] : known(least, served.engine)),
  ]
}

function cardSays({ files }: Evidence, engine: EngineKind): readonly Statement[] {
  const wanted = new RegExp(
    String.raw`\b${engine}(?:\[[\w,]{1,40}\])?["']?\s{0,3}(?:>=|==|~=)\s{0,3}v?(\d[\w.]{0,30})`,
    'i',
  )
  return (files?.card ?? []).flatMap((line) => {
    const version = wanted.exec(line)?.[1]?.replace(/\.$/, '')
    return version === undefined ? [] : [{ version, words: `the model card: ${quoted(line, 200)}` }]
  })
}

/** `model_card_min_engine: 0.5.10`, `min_sglang_version: 0.5.10` */
const TOLD = /^(?=[\w.]{0,60}min)(?=[\w.]{0,60}(?:engine|sglang|vllm))[\w.]{1,60}: v?(\d+\.\d[\w.]{0,30})$/i

function toldSays(evidence: Evidence): readonly Statement[] {
  const line = toldLine(evidence, TOLD)
  const version = line === null ? undefined : TOLD.exec(line)?.[1]
  return line === null || version === undefined ? [] : [{ version, words: quotedTold(line) }]
}

function known({ isAskedFor, says }: Least, engine: EngineKind): readonly Statement[] {
  if (!isAskedFor) return []
  const asked = says.filter(({ means }) => means !== 'tested')
  return asked.map((one) => ({ version: one.version, words: inWords(one, engine) }))
}

/** `SGLang 0.5.11 or newer: https://… (2026-08-20)` */
function inWords({ version, means, source, date }: Minimum, engine: EngineKind): string {
  const what = means === 'loads' ? 'is the first that loads it' : 'or newer'
  return `${titleOf(engine)} ${version} ${what}: ${source} (${date})`
}

function isOlder(version: string, than: string): boolean {
  return (compareVersions(version, than) ?? 0) < 0
}
