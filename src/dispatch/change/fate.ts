import { sentence } from '../../domain/failure.ts'
import type { Host } from '../../domain/host.ts'
import type { Operation } from '../../domain/operation.ts'
import type { Report } from '../../domain/report.ts'
import { report } from '../../domain/report.ts'
import { utc } from '../../domain/span.ts'
import { opstat } from '../../domain/verbs/index.ts'

/** What became of a change whose answer was lost. `said`: one sentence. */
export interface Fate {
  readonly state: 'done' | 'failed' | 'unknown'
  readonly said: string
  /** whether the host was heard, or no host can be asked: asking again at another time tells no more */
  readonly final: boolean
}

/** Asks the host, once. Never issues anything; what never came there cannot come any more after this. */
export async function fateOf(
  { id, host: name }: Pick<Operation, 'id' | 'host'>,
  hostNamed: (name: string) => Host | null,
  signal: AbortSignal,
): Promise<Fate> {
  const host = name === null ? null : hostNamed(name)
  if (host === null)
    return unknown(name === null ? 'No host keeps a record of it.' : `There is no host ${name} any more.`)
  const ran = await host.run(opstat, { target: id }, { signal })
  if (!ran.ok) return { ...unknown(`The host cannot be asked. ${sentence(ran.failure)}`), final: false }
  const fate = ran.value.value
  switch (fate.state) {
    case 'never':
      return { state: 'failed', said: `${host.name} says that it never came there: nothing was done.`, final: true }
    case 'issued':
      return unknown(`${host.name} says that it was begun at ${utc(fate.at)}, and not how it ended.`)
    case 'done':
      return fate.rc === 0
        ? { state: 'done', said: `${host.name} says that it was done at ${utc(fate.at)}.`, final: true }
        : {
            state: 'failed',
            said: `${host.name} says that it failed at ${utc(fate.at)} with status ${fate.rc}.`,
            final: true,
          }
  }
}

function unknown(said: string): Fate {
  return { state: 'unknown', said: `Whether it was done is not known. ${said}`, final: true }
}

/** Tells the fate in place of an answer that did not come. `why`: how the answer was lost. */
export function fateReport(title: string, why: string, { state, said }: Fate): Report {
  const next = NEXT[state]
  const summary = `${why} ${said} ${next}`
  return report({ ...TOLD[state], title: `${title}: ${WORDS[state]}`, summary, seenBy: 'channel' })
}

const WORDS: Readonly<Record<Fate['state'], string>> = { done: 'done', failed: 'not done', unknown: 'outcome unknown' }

const NEXT: Readonly<Record<Fate['state'], string>> = {
  done: 'That is no proof that the model works. Next: smoke it.',
  failed: 'Next: ask again, where it is still wanted.',
  unknown: 'It is not done again by itself. Next: ask again; the plan shows the state as it is then.',
}

const TOLD: Readonly<Record<Fate['state'], Pick<Report, 'tone' | 'status'>>> = {
  done: { tone: 'good', status: 'done' },
  failed: { tone: 'bad', status: 'failed' },
  unknown: { tone: 'warning', status: 'inconclusive' },
}
