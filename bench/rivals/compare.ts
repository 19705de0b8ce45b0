import { readDocument } from '../../src/app/diagnose/document.ts'
import type { Verdict } from '../../src/domain/verdict.ts'
import type { Case } from './cases.ts'
import { isHealthy, KINDS, textOf } from './cases.ts'
import { hasKeyword } from './keywords.ts'
import { markdown } from './table.ts'

/** What one way to judge says of a case: a verdict, or only that something is wrong. */
export type Judge = (given: Case) => Verdict | 'unhealthy'

/** The cases, how each judge did on them, and the table of it for the README. */
export function compare(cases: readonly Case[]) {
  const healthy = cases.filter(({ verdict }) => isHealthy(verdict))
  const [ours, always, words] = [scoreOf(diagnosed, cases), scoreOf(alwaysHealthy, cases), scoreOf(byWords, cases)]
  const titles = KINDS.map(({ kind, name }) => `${name} (${cases.filter((given) => given.kind === kind).length})`)
  const row = (name: string, { right, exact, falseAlarms }: Score): readonly string[] => {
    const kinds = KINDS.map(({ kind }) => right.filter((given) => given.kind === kind).length)
    return [name, ...[...kinds, right.length, exact, falseAlarms].map(String)]
  }
  const table = markdown([
    [
      'rightly told healthy or not',
      ...titles,
      `all (${cases.length})`,
      'exact verdict',
      `false alarms (of ${healthy.length})`,
    ],
    row('Pilotflame', ours),
    row('always healthy', always),
    row('a list of 40 words', words),
  ])
  return { table, healthy, ours, always, words }
}

/** How one judge did. */
export interface Score {
  /** the cases of which it said rightly that they are healthy, or that they are not */
  readonly right: readonly Case[]
  /** of how many it gave the very verdict */
  readonly exact: number
  /** of how many healthy ones it said that something is wrong; to say that it cannot tell is no alarm */
  readonly falseAlarms: number
}

export function scoreOf(judge: Judge, cases: readonly Case[]): Score {
  const judged = cases.map((given) => ({ given, said: judge(given) }))
  return {
    right: judged.filter(({ given, said }) => isFine(said) === isHealthy(given.verdict)).map(({ given }) => given),
    exact: judged.filter(({ given, said }) => said === given.verdict).length,
    falseAlarms: judged.filter(
      ({ given, said }) => isHealthy(given.verdict) && !isFine(said) && said !== 'inconclusive',
    ).length,
  }
}

function isFine(said: ReturnType<Judge>): boolean {
  return said !== 'unhealthy' && isHealthy(said)
}

/** The product's own diagnosis. */
const diagnosed: Judge = ({ id, kind, input }) => {
  const read = readDocument(JSON.stringify({ id, kind, input }))
  if (!read.ok) throw new Error(`${id} was not read: ${read.problem}`)
  return read.document.finding.verdict
}

const alwaysHealthy: Judge = () => 'healthy'

/** What a list of words says. */
export const byWords: Judge = (given) => (hasKeyword(textOf(given)) ? 'unhealthy' : 'healthy')
