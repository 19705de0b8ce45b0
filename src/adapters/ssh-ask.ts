import type { Failure } from '../domain/failure.ts'
import type { GateReply } from '../domain/gate.ts'
import { GATE_MARK } from '../domain/gate.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import { shellFailure } from '../domain/remote/shell.ts'
import type { RemoteEnd } from '../domain/remote.ts'
import { hostThing, lost } from '../domain/ssh/failure.ts'
import type { GateDelivery, HostSettings } from '../domain/target.ts'
import type { Executed } from './ssh-listen.ts'
import type { SshPool } from './ssh-pool.ts'
import type { RunInTurn } from './ssh-sessions.ts'

/** One question for the gate of a host. */
export interface Question {
  /** the command line */
  readonly line: string
  readonly deadlineMs: number
  /** whether it may be asked again where nobody knows what the host did with it */
  repeatable(): boolean
  /** Begins to read what `thing` prints; called for each time that it is asked. */
  reading(thing: string): Reading
}

export interface Reading {
  /** takes the output as it comes */
  readonly onOutput?: (piece: Buffer) => void
  /** the gate's reply, once nothing more comes; `stdout` is all that was printed, or its head where `onOutput` took it */
  reply(stdout: string): Outcome<GateReply>
}

export interface Answer {
  /** who answered: `host gpu-box-1 (10.0.0.5:22)` */
  readonly thing: string
  readonly reply: GateReply
  readonly shellMs: number | null
}

/** Asks once, and once more where nothing came of it: a question that never got there, or one that may be repeated. */
export type AskGate = (host: string, question: Question, signal: AbortSignal) => Promise<Outcome<Answer>>

/** Asks the gates of all hosts: the script goes along until one is known to be installed. */
export function gates(pool: SshPool, script: string, runInTurn: RunInTurn): AskGate {
  const seen = new Map<string, GateDelivery>()

  async function once(name: string, question: Question, signal: AbortSignal): Promise<Asked> {
    const connection = await pool.connect(name, signal)
    if (!connection.ok) return { outcome: failed(connection.failure), got: 'certain' }
    const { host } = connection.value
    const installed = (seen.get(name) ?? host.gate) === 'installed'
    const reading = question.reading(hostThing(host))
    const { line, deadlineMs } = question
    const command = { line, deadlineMs, stdin: installed ? '' : script, opening: GATE_MARK, ...reading }
    const executed = await runInTurn(connection.value, command, signal)
    if (!executed.ok) return unheard(executed.failure)
    const { run, shellMs } = executed.value
    const reply = reading.reply(run.stdout)
    if (reply.ok) {
      seen.set(name, reply.value.delivery)
      return { outcome: ok({ thing: hostThing(host), reply: reply.value, shellMs }), got: 'certain' }
    }
    if (!installed || !isPlainShell(run.end, reply.failure)) return unanswered(host, executed.value, reply.failure)
    seen.delete(name)
    return { outcome: failed(noGate(host)), got: host.gate === 'installed' ? 'certain' : 'unknown' }
  }

  return async (name, question, signal) => {
    const first = await once(name, question, signal)
    const repeat = first.got === 'nothing' || (first.got === 'unknown' && question.repeatable())
    return repeat ? (await once(name, question, signal)).outcome : first.outcome
  }
}

interface Asked {
  readonly outcome: Outcome<Answer>
  /** what became of it: an end that stays as it is, no sign of what the host did, or certainly nothing at all */
  readonly got: 'certain' | 'unknown' | 'nothing'
}

/** A shell that got no script ends well and has nothing to say. */
function isPlainShell(end: RemoteEnd, unread: Failure): boolean {
  return unread.kind === 'gate-missing' && end.how === 'exited' && end.code === 0
}

function noGate(host: HostSettings): Failure {
  return {
    kind: 'gate-missing',
    thing: hostThing(host),
    observed: 'the account has a plain shell, and no gate as its forced command',
    next: `run deploy/host/setup there, or take \`gate: installed\` out of hosts.${host.name} in pilotflame.yml`,
  }
}

/** Nothing is known but why we stopped listening. */
function unheard(failure: Failure): Asked {
  return { outcome: failed(failure), got: failure.kind === 'lost' ? 'unknown' : 'certain' }
}

/** The command ended, or its way broke, before there was an answer. */
function unanswered(host: HostSettings, { run, broken }: Executed, unread: Failure): Asked {
  const why = run.end.how === 'error' ? run.end.message : 'closed by the other side'
  if (broken && run.command === null) return { outcome: failed(lost(host, why)), got: 'nothing' }
  return { outcome: failed(shellFailure(hostThing(host), run, unread)), got: broken ? 'unknown' : 'certain' }
}
