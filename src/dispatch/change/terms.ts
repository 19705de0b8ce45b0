import type { RawArgs } from '../../domain/command.ts'
import type { Terms } from '../../domain/plan.ts'
import { LONGEST_REASON, reasonOf } from '../../domain/reason.ts'

/** The terms of a change, and the arguments without them; or what is wrong with them, in one sentence. */
export type ReadTerms =
  | { readonly ok: true; readonly terms: Terms; readonly rest: RawArgs }
  | { readonly ok: false; readonly problem: string }

/** Reads what every change may be given besides its own arguments. Secrets never stay in a reason. */
export function termsOf(raw: RawArgs, redact: (text: string) => string): ReadTerms {
  const { reason: said, force, 'break-glass': glass, ...flags } = raw.flags
  const reason = reasonOf(redact(glass ?? said ?? ''))
  const terms = { reason: reason === '' ? null : reason, force: force !== undefined, breakGlass: glass !== undefined }
  const problem = glass !== undefined && said !== undefined ? TWICE : problemOf(terms, said !== undefined)
  return problem === null ? { ok: true, terms, rest: { ...raw, flags } } : { ok: false, problem }
}

const TWICE = '--break-glass has the reason already. Next: leave --reason out.'

function problemOf({ reason, force, breakGlass }: Terms, given: boolean): string | null {
  if (reason === null && force) return '--force needs a reason. Next: add --reason "TEXT".'
  if (reason === null && breakGlass) return '--break-glass needs a reason. Next: write --break-glass "REASON".'
  if (reason === null) return given ? 'The reason is empty. Next: write --reason "TEXT", or leave it out.' : null
  if (reason.length <= LONGEST_REASON) return null
  return `The reason has ${reason.length} characters. Next: shorten it to ${LONGEST_REASON}.`
}

/** The command line that asks for the same on the same terms. */
export function lineWith(line: string, { reason, force, breakGlass }: Terms): string {
  const why = reason === null ? [] : [breakGlass ? `--break-glass "${reason}"` : `--reason "${reason}"`]
  return [line, ...why, ...(force ? ['--force'] : [])].join(' ')
}
