import { lineOf } from '../domain/gate/line.ts'
import { refusalOf } from '../domain/gate/refusal.ts'
import { readReply } from '../domain/gate/reply.ts'
import type { Host, Ran } from '../domain/host.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Clock, Log } from '../domain/ports.ts'
import type { Verb } from '../domain/verb.ts'
import type { Question } from './ssh-ask.ts'
import { gates } from './ssh-ask.ts'
import type { VerbCall } from './ssh-follow.ts'
import { follow } from './ssh-follow.ts'
import type { SshPool } from './ssh-pool.ts'
import type { MakeSlots } from './ssh-sessions.ts'
import { sessions } from './ssh-sessions.ts'

/** What verbs on hosts need besides connections. */
export interface HostDeps {
  /** text of deploy/host/pilotflame-gate */
  readonly gate: string
  /** 32 hex digits that nobody can guess */
  newOp(): string
  readonly slots: MakeSlots
  readonly clock: Clock
  readonly log: Log
}

/** The hosts of a pool by name: verbs over its connections, whichever way the gate gets there. */
export function hostsOf(pool: SshPool, deps: HostDeps): (name: string) => Host {
  const ask = gates(pool, deps.gate, sessions(deps.slots))
  return (name) => ({
    name,
    async run(verb, args, call) {
      const began = deps.clock.monotonic()
      const op = call.op ?? deps.newOp()
      const ran = await run({ name, ask, op, signal: call.signal }, verb, args)
      const tookMs = deps.clock.monotonic() - began
      if (!ran.ok) deps.log.info('verb failed', { host: name, verb: verb.name, tookMs, failure: ran.failure })
      return ran.ok ? ok({ ...ran.value, tookMs }) : failed(ran.failure)
    },
    follow: (verb, args, onLine, signal) => follow({ name, ask, op: deps.newOp(), signal }, verb, args, onLine),
  })
}

type Untimed<Result> = Omit<Ran<Result>, 'tookMs'>

async function run<Args, Result>(
  call: VerbCall,
  verb: Verb<Args, Result>,
  args: Args,
): Promise<Outcome<Untimed<Result>>> {
  const { name, ask, op, signal } = call
  const line = lineOf(verb.name, op, verb.words(args))
  if (!line.ok) return failed(line.failure)
  const question: Question = {
    line: line.value,
    deadlineMs: verb.deadlineMs,
    repeatable: () => verb.access === 'read',
    reading: (thing) => ({ reply: (stdout) => readReply(stdout, op, thing) }),
  }
  const answer = await ask(name, question, signal)
  if (!answer.ok) return failed(answer.failure)
  const { thing, reply, shellMs } = answer.value
  const refusal = refusalOf(thing, reply)
  if (refusal !== null) return failed(refusal)
  const read = verb.parse(reply, args)
  return read.ok ? ok({ value: read.value, shellMs, noise: reply.noise }) : failed(read.failure)
}
