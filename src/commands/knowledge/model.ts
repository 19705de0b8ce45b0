import type { Tools } from '../../domain/command.ts'
import type { Fact, Family, Serving } from '../../domain/knowledge.ts'
import type { Report } from '../../domain/report.ts'
import { counted, refusal, report } from '../../domain/report.ts'
import type { EngineKind } from '../../domain/target.ts'
import { titleOf } from '../../judge/engine-names.ts'
import { quantisationIn } from '../../judge/served.ts'
import { compareVersions } from '../../judge/version.ts'
import { familyNamed, familyOf, knownBad, minimumOf } from '../../knowledge/index.ts'
import { familyNames } from '../../knowledge/review.ts'
import { knownOf, samplingIn } from './known.ts'
import { knownTables } from './tables.ts'

/** What was asked of which model. */
export interface Question {
  readonly model: string
  readonly engine: EngineKind | undefined
  readonly version: string | undefined
  readonly tp: number | undefined
  readonly quantisation: string | undefined
}

/** The engines that something is known of. */
const ENGINES: readonly EngineKind[] = ['sglang', 'vllm']

/** What is known of a model: known faults, minimum, parsers, settings, sampling, budget, each with its source. */
export function aboutModel(question: Question, { taught, ask }: Pick<Tools, 'taught' | 'ask'>): Report {
  const { model, engine, version } = question
  const family = familyNamed(model) ?? familyOf(model, null)
  const engines = engine === undefined ? ENGINES : [engine]
  const found = engines.flatMap((one) => knownOf(servingOf(one, family, question), taught))
  const known = [...found.filter(({ holds }) => holds), ...found.filter(({ holds }) => !holds), ...samplingIn(family)]
  if (known.length === 0) return unknown(question)
  const problems = engines.flatMap((one) => problemsOf(servingOf(one, family, question), taught))
  const wrong = problems.length > 0
  return report({
    tone: wrong ? 'bad' : 'neutral',
    status: wrong ? 'misconfigured' : 'done',
    title: wrong
      ? `${counted(problems.length, 'thing')} ${problems.length === 1 ? 'speaks' : 'speak'} against it: ${shortOf(question, family)}`
      : titleFor(question, family),
    summary: version === undefined ? cannotTell(question) : problems.join(' '),
    facts: [
      { label: 'Family', value: family === null ? 'none of those that we know' : `${family.title} (${family.name})` },
      ...(version === undefined ? [] : [{ label: 'Version', value: `${engines.map(titleOf).join(', ')} ${version}` }]),
      ...(ask.how === 'terminal'
        ? [{ label: 'Sources', value: '--json prints them, each with the day of the last look' }]
        : []),
    ],
    ...knownTables(known, ask.how === 'terminal'),
    json: { model, family: family?.name ?? null, engines, problems, known },
  })
}

function titleFor(question: Question, family: Family | null): string {
  const what = shortOf(question, family)
  return question.version === undefined ? `What is known of ${what}` : `Nothing that we know speaks against it: ${what}`
}

/** `Qwen3.5/3.6/3.8 (dense) on SGLang 0.5.9, tensor parallel 2, fp8` */
function shortOf({ model, engine, version, tp, quantisation }: Question, family: Family | null): string {
  const where = engine === undefined ? '' : ` on ${titleOf(engine)}${version === undefined ? '' : ` ${version}`}`
  const parts = [
    `${family?.title ?? model}${where}`,
    ...(tp === undefined ? [] : [`tensor parallel ${tp}`]),
    ...(quantisation === undefined ? [] : [quantisation]),
  ]
  return parts.join(', ')
}

/** A fault belongs to versions: of an unknown one nobody can say that it has none. */
function cannotTell({ engine }: Question): string {
  return `Whether a known fault holds cannot be told without a version. Next: add ${engine === undefined ? '--engine KIND ' : ''}--version V.`
}

function unknown({ model, engine }: Question): Report {
  const where = engine === undefined ? '' : ` on ${titleOf(engine)}`
  return {
    ...refusal(`Nothing is known of “${model.slice(0, 80)}”${where}.`, 'usage'),
    status: 'inconclusive',
    sections: [
      {
        kind: 'text',
        title: 'Next',
        body: `Give the name that its maker gives it, or a family: ${familyNames.join(', ')}. What you know yourselves goes under knowledge: in pilotflame.yml.`,
        folded: false,
      },
    ],
  }
}

function servingOf(engine: EngineKind, family: Family | null, question: Question): Serving {
  const { model, version = null, tp = null, quantisation } = question
  const quantised = quantisation ?? quantisationIn(model)
  return { engine, version, family, model, tensorParallel: tp, quantisation: quantised, flags: [] }
}

/** What speaks against serving it so; empty where no version was given. */
export function problemsOf(
  serving: Serving,
  taught: readonly Fact[],
  architecture: string | null = null,
): readonly string[] {
  const { engine, version, family } = serving
  if (version === null) return []
  const least = minimumOf(engine, family, architecture)
  const isOld = least?.isAskedFor === true && (compareVersions(version, least.version) ?? 0) < 0
  return [
    ...knownBad(serving, taught)
      .filter(({ standing }) => standing !== 'reported')
      .map(({ cause }) => `${titleOf(engine)} ${version}: ${cause}.`),
    ...(isOld ? [`${titleOf(engine)} ${version} is older than ${least.version}, which this model asks for.`] : []),
  ]
}
