import { lineOf } from '../domain/gate/line.ts'
import { refusalOf } from '../domain/gate/refusal.ts'
import { gateReader } from '../domain/gate/reply.ts'
import type { FollowEnd } from '../domain/host.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { FollowVerb } from '../domain/verb.ts'
import type { AskGate, Question, Reading } from './ssh-ask.ts'

/** One call of a verb on a host. */
export interface VerbCall {
  /** of the host */
  readonly name: string
  readonly ask: AskGate
  readonly op: string
  readonly signal: AbortSignal
}

/** The gate lets it grow in a section of this name. */
const FOLLOWED = 'log'

/** Hands on line by line. It is asked for once more only while nothing was handed on yet. */
export async function follow<Args, Line>(
  { name, ask, op, signal }: VerbCall,
  verb: FollowVerb<Args, Line>,
  args: Args,
  onLine: (line: Line) => void,
): Promise<Outcome<FollowEnd>> {
  const asked = lineOf(verb.name, op, verb.words(args))
  if (!asked.ok) return failed(asked.failure)
  let lines = 0
  const take = (text: string) => {
    const line = verb.readLine(text, args)
    if (line === null) return
    lines += 1
    onLine(line)
  }
  const bug = new AbortController()
  const question: Question = {
    line: asked.value,
    deadlineMs: verb.deadlineMs,
    repeatable: () => lines === 0,
    reading: (thing) => growing(op, thing, take, (error) => bug.abort(error)),
  }
  const answer = await ask(name, question, AbortSignal.any([signal, bug.signal]))
  bug.signal.throwIfAborted()
  if (signal.aborted) return ok({ lines, why: 'stopped' })
  if (!answer.ok) return failed<FollowEnd>(answer.failure, { lines })
  const refusal = refusalOf(answer.value.thing, answer.value.reply)
  return refusal === null ? ok({ lines, why: 'over' }) : failed<FollowEnd>(refusal, { lines })
}

/** The reply as it grows. What `take` throws is a bug of the one who follows, and must not end the connection of all. */
function growing(op: string, thing: string, take: (text: string) => void, onBug: (error: unknown) => void): Reading {
  const reader = gateReader(op, FOLLOWED, thing)
  const decoder = new TextDecoder()
  return {
    onOutput(piece) {
      try {
        for (const text of reader.push(decoder.decode(piece, { stream: true }))) take(text)
      } catch (error) {
        onBug(error)
      }
    },
    reply: () => reader.finish(),
  }
}
