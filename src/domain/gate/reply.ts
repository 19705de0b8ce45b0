import { excerpt } from '../excerpt.ts'
import type { Failure } from '../failure.ts'
import type { GateReply } from '../gate.ts'
import { LARGEST_SECTION } from '../gate.ts'
import { lineReader } from '../line-reader.ts'
import type { Outcome } from '../outcome.ts'
import { failed, ok } from '../outcome.ts'
import type { Frame } from './frame.ts'
import { emptyFrame, sectionSoFar, takeLine } from './frame.ts'

/**
 * Takes the gate's answer to `op` out of all that an account printed. Only a whole answer is a success; what came of one
 * that is not whole is `partial`. Whether the verb was refused is asked of `refusalOf`.
 */
export function readReply(stdout: string, op: string, thing = 'the gate'): Outcome<GateReply> {
  const reader = gateReader(op, null, thing)
  for (let at = 0; at < stdout.length; at += PIECE) reader.push(stdout.slice(at, at + PIECE))
  return reader.finish()
}

/** So many characters are cut into lines at a time: 2 MB of lines of one character would be millions of them at once. */
const PIECE = 16 * 1024

/** The same, piece by piece as it comes; `followed` names a section whose lines are handed on at once. */
export function gateReader(op: string, followed: string | null, thing = 'the gate'): GateReader {
  const frame = emptyFrame(op, followed)
  const lines = lineReader(LARGEST_SECTION + 1)
  return {
    push: (chunk) => lines.push(chunk).flatMap((line) => takeLine(frame, line)),
    finish() {
      if (frame.delivery === null) takeLine(frame, lines.rest())
      return outcomeOf(frame, thing)
    },
  }
}

export interface GateReader {
  /** The lines of the followed section that this piece completed; they are in no reply. */
  push(chunk: string): readonly string[]
  /** Once nothing more comes. */
  finish(): Outcome<GateReply>
}

function outcomeOf(frame: Frame, thing: string): Outcome<GateReply> {
  const noise = frame.noise.join('\n')
  const { delivery, rc, broken, sections } = frame
  if (delivery === null && broken === null) return failed(noFrame(frame.refused, noise, thing))
  if (delivery !== null && rc !== null && broken === null) return ok({ rc, delivery, sections, noise })
  const last = sectionSoFar(frame)
  const observed = broken === null ? 'the answer stops in the middle' : `the answer is no answer of the gate: ${broken}`
  const failure: Failure = { kind: 'gate-garbled', thing, observed, next: broken === null ? LOOK : UPDATE }
  return failed<GateReply>(failure, { sections: last === null ? sections : [...sections, last], noise })
}

const LOOK = 'ask again; if it stops again, see on the host whether something ends the programs of this account'
const UPDATE = 'install the gate that came with this version (deploy/host/setup)'

function noFrame(refused: string | null, noise: string, thing: string): Failure {
  if (refused !== null) {
    return {
      kind: 'gate-refused',
      thing,
      observed: `the gate refused the line (${excerpt(refused, 200)})`,
      next: UPDATE,
    }
  }
  const said = excerpt(noise.replace(/\s+/g, ' ').trim(), 200)
  return {
    kind: 'gate-missing',
    thing,
    observed:
      said === '' ? 'the account printed nothing at all' : `the account printed no answer of the gate but: ${said}`,
    next: 'let the account run /bin/sh, or make the gate its forced command (deploy/host/setup)',
  }
}
