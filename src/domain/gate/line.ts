import type { Failure } from '../failure.ts'
import type { Outcome } from '../outcome.ts'
import { failed, ok } from '../outcome.ts'
import { isWord, LONGEST_LINE } from '../verb.ts'

/** The command line that asks the gate for a verb: constant but for checked words. `op` is 32 hex digits. */
export function lineOf(name: string, op: string, words: readonly string[]): Outcome<string> {
  const wrong = [name, ...words].find((word) => !isWord(word))
  if (wrong !== undefined) {
    return failed(refused(name, `${JSON.stringify(wrong)} is no word that may be sent to a host`, WORDS))
  }
  if (!/^[0-9a-f]{32}$/.test(op)) return failed(refused(name, `${JSON.stringify(op)} is no operation id`, IDS))
  if (words.length > MOST_WORDS) return failed(refused(name, `${words.length} words are too many`, FEWER))
  const line = `/bin/sh -s -- ${[name, op, ...words].join(' ')}`
  if (line.length <= LONGEST_LINE) return ok(line)
  return failed(refused(name, `the line has ${line.length} characters, more than ${LONGEST_LINE}`, FEWER))
}

/** With the verb and the operation id these are the 16 that the gate takes. */
const MOST_WORDS = 14

const WORDS = 'use 1 to 200 letters, digits, `_`, `.` and `-`, with no `-` in front'
const IDS = 'report this: an operation id has 32 hex digits'
const FEWER = 'leave some of the wishes out: a shorter text to search for, no cursor'

function refused(name: string, observed: string, next: string): Failure {
  return { kind: 'gate-refused', thing: `verb ${name}`, observed, next }
}
