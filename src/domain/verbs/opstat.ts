import { failed, ok } from '../outcome.ts'
import type { Verb } from '../verb.ts'
import { garbled, linesOf, READ_DEADLINE_MS, readSection, wholeNumber } from './reading.ts'

/** What the host knows of an operation whose answer was lost. One that never came is closed by this: it cannot come late. */
export const opstat: Verb<OpstatArgs, OperationFate> = {
  name: 'opstat',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words: ({ target }) => [target],
  parse: (reply) =>
    readSection(reply, 'op', (section) => {
      const fate = readFate(linesOf(section)[0]?.trim() ?? '')
      return fate === null ? failed(garbled('section op', 'it does not say what became of the operation')) : ok(fate)
    }),
}

export interface OpstatArgs {
  /** the id of the operation */
  readonly target: string
}

export type OperationFate =
  /** it never came there and cannot come any more: it may be asked for again under another id */
  | { readonly state: 'never' }
  /** begun; whether it was done the state of the unit must tell */
  | { readonly state: 'issued'; readonly verb: string; readonly unit: string; readonly at: number }
  | {
      readonly state: 'done'
      readonly verb: string
      readonly unit: string
      /** ms since 1970, the host's clock */
      readonly at: number
      readonly rc: number
    }

function readFate(line: string): OperationFate | null {
  const [state, verb = '', unit = '', at, rcText, ...more] = line.split(' ')
  if (line === 'never') return { state: 'never' }
  const seconds = wholeNumber(at)
  const rc = wholeNumber(rcText)
  if (verb === '' || unit === '' || seconds === null || more.length > 0) return null
  if (state === 'issued') return rcText === undefined ? { state, verb, unit, at: seconds * 1000 } : null
  return state === 'done' && rc !== null ? { state, verb, unit, at: seconds * 1000, rc } : null
}
