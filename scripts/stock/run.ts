import type { Text } from './collect.ts'
import { collect } from './collect.ts'
import type { Judged } from './judge.ts'
import { judgeAnswer, judgeLog, WAYS } from './judge.ts'
import { ANSWERS, MACHINE_LOGS, PACKAGED_LOGS } from './kinds.ts'
import { requestedRepeats } from './requested.ts'

/** The harmless stock of this machine: texts to judge as answers, and others to judge as logs. */
export interface Stock {
  readonly answers: readonly Text[]
  readonly logs: readonly Text[]
}

/** At least so many of each where the machine has them; what lacks in logs is any other text, as somebody pastes it. */
export function stockOf(answers: number, logs: number, more: readonly Text[] = []): Stock {
  const texts = collect(ANSWERS, answers)
  const real = [...more, ...collect(PACKAGED_LOGS, logs)]
  const step = Math.max(1, Math.floor(texts.length / Math.max(1, logs - real.length)))
  return { answers: texts, logs: [...real, ...texts.filter((_, at) => at % step === 0)] }
}

/** The logs that this machine wrote itself. */
export function ownLogs(): readonly Text[] {
  return collect(MACHINE_LOGS, MOST_OWN)
}

const MOST_OWN = 500

/** Every text in one of the ways in turn, or in all of them; every requested repeat in all of them. */
export function judgeAnswers(texts: readonly Text[], ways: 'in turn' | 'all'): readonly Judged[] {
  const inAll = (text: Text) => ALL_WAYS.map((way) => judgeAnswer(text, way))
  const inTurn = (text: Text, at: number) => [judgeAnswer(text, WAYS[at % WAYS.length] ?? 'content')]
  return [...texts.flatMap(ways === 'all' ? inAll : inTurn), ...requestedRepeats().flatMap(inAll)]
}

const ALL_WAYS = [...new Set(WAYS)]

export function judgeLogs(texts: readonly Text[]): readonly Judged[] {
  return texts.map(judgeLog)
}
