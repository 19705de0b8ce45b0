import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { RemoteEnd, RemoteRun } from '../domain/remote.ts'
import { hostThing, stopped } from '../domain/ssh/failure.ts'
import type { HostSettings } from '../domain/target.ts'
import type { Limits } from './ssh-limits.ts'
import { output } from './ssh-output.ts'
import { phases } from './ssh-phases.ts'

/** One command line for a host. It gets no terminal, no agent and no environment. */
export interface Command {
  readonly line: string
  /** its standard input, which ends after it */
  readonly stdin: string
  /** what its answer begins with, whatever login scripts print before; any byte at all where it is not given */
  readonly opening?: string
  /** for the whole run, from asking for it, in ms */
  readonly deadlineMs: number
  /** Takes the output as it comes. Then only its head is kept, and it is never cut. */
  readonly onOutput?: (piece: Buffer) => void
}

/** How a command went, as far as we saw it. */
export interface Executed {
  readonly run: RemoteRun
  /** from the host's yes to the beginning of the answer, in ms; null where none came */
  readonly shellMs: number | null
  /** The way broke: the command may go on there, and no output of it will reach us. */
  readonly broken: boolean
}

/** What is asked, of whom, and for how long we listen. */
export interface Ask {
  readonly host: HostSettings
  readonly command: Command
  readonly limits: Limits
  readonly signal: AbortSignal
  /** what the host showed before the login; '' where it did not */
  readonly banner: string
  /** how the connection ended; null while it is there */
  broke(): RemoteEnd | null
}

/** One command as it goes on. What is called after it ended does nothing. */
export interface Listening {
  /** Fails with `stopped`, and with `lost` where the host does not even say whether it takes the command. */
  readonly executed: Promise<Outcome<Executed>>
  /** The host takes the command. */
  taken(): void
  out(piece: Buffer): void
  err(piece: Buffer): void
  /** `begun`: whether the host may have got the command */
  end(how: RemoteEnd, begun: boolean): void
}

/** Keeps what a command prints, within its limits, until it ends or we end it. */
export function listening(ask: Ask): Listening {
  const { host, command, limits } = ask
  const { promise: executed, resolve } = Promise.withResolvers<Outcome<Executed>>()
  const [stdout, stderr] = [output(limits.stdoutBytes), output(limits.stderrBytes)]
  let over = false
  const settle = (outcome: Outcome<Executed>) => {
    over = true
    phase.close()
    resolve(outcome)
  }
  const end = (how: RemoteEnd, begun: boolean) => {
    if (over) return
    const banner = ask.banner === '' ? {} : { banner: ask.banner }
    const line = begun ? command.line : null
    const run: RemoteRun = { command: line, end: how, stdout: stdout.text(), stderr: stderr.text(), ...banner }
    settle(ok({ run, shellMs: phase.shellMs(), broken: how.how === 'lost' || ask.broke() !== null }))
  }
  const stop = () => settle(failed(stopped(hostThing(host))))
  const phase = phases(limits, command.deadlineMs, ask.signal, {
    stopped: stop,
    unanswered: () => settle(failed(unanswered(host, limits.openMs))),
    late: (afterMs) => end({ how: 'timeout', afterMs }, true),
  })
  if (ask.signal.aborted) stop()
  const begins = beginning(command.opening ?? '')
  return {
    executed,
    end,
    taken() {
      if (!over) phase.taken()
    },
    out(piece) {
      if (over) return
      if (phase.shellMs() === null && begins(piece)) phase.heard()
      const all = stdout.add(piece)
      if (command.onOutput !== undefined) command.onOutput(piece)
      else if (!all) end({ how: 'cut', bytes: limits.stdoutBytes }, true)
    },
    err(piece) {
      if (over) return
      if (command.opening === undefined) phase.heard()
      if (!stderr.add(piece)) end({ how: 'cut', bytes: limits.stderrBytes }, true)
    },
  }
}

/** Whether a text has come, wherever it was cut into pieces. */
function beginning(text: string): (piece: Buffer) => boolean {
  let tail = ''
  return (piece) => {
    const seen = tail + piece.toString('latin1')
    tail = seen.slice(-text.length)
    return seen.includes(text)
  }
}

/** Of kind `lost`, since nobody knows whether the host got the command. */
function unanswered(host: HostSettings, ms: number): Failure {
  return {
    kind: 'lost',
    thing: hostThing(host),
    observed: `it did not say within ${ms / 1000} s whether it takes a command`,
    next: 'see whether the host hangs (ssh to it by hand): a full disk, no memory, a login script that waits',
  }
}
