import type { Client, ClientChannel } from 'ssh2'

import type { Outcome } from '../domain/outcome.ts'
import type { RemoteEnd } from '../domain/remote.ts'
import type { Ask, Executed } from './ssh-listen.ts'
import { listening } from './ssh-listen.ts'

/** A command that was asked for. */
export interface Execution {
  /** Fails with `stopped`, and with `lost` where the host does not even say whether it takes the command. */
  readonly executed: Promise<Outcome<Executed>>
  /** Resolves when the host has let go of the channel, maybe long after we did: until then it is a session there. */
  readonly freed: Promise<void>
}

/** Runs one command until its `close`: an exit status may come before the output is complete, or never (trust.md D5). */
export function execute(client: Client, ask: Ask): Execution {
  const listener = listening(ask)
  const { promise: freed, resolve: free } = Promise.withResolvers<void>()
  const refused = (error: Error) => {
    free()
    listener.end(ask.broke() ?? refusal(error), error.message === NO_EXEC)
  }
  const taken = (channel: ClientChannel) => {
    listener.taken()
    channel.on('close', (code: unknown, signal: unknown) => {
      free()
      listener.end(ask.broke() ?? endOf(code, signal), true)
    })
    channel.on('data', listener.out)
    channel.stderr.on('data', listener.err)
    channel.end(ask.command.stdin)
    // what still comes after this is read and dropped, until the host lets go
    void listener.executed.then(() => channel.close())
  }
  try {
    if (ask.signal.aborted) free()
    else client.exec(ask.command.line, (error, channel) => (error === undefined ? taken(channel) : refused(error)))
  } catch {
    // not connected any more, and not told yet
    free()
    listener.end(ask.broke() ?? { how: 'lost' }, false)
  }
  return { executed: listener.executed, freed }
}

/** What ssh2 says of a channel that opened and did not take the command, or ended before its answer. */
const NO_EXEC = 'Unable to exec'

function refusal(error: Error): RemoteEnd {
  const reason = 'reason' in error && typeof error.reason === 'number' ? { reason: error.reason } : {}
  return { how: 'error', message: error.message, ...reason }
}

/** ssh2 gives the exit status, or null and the signal, or nothing where neither came. */
function endOf(code: unknown, signal: unknown): RemoteEnd {
  if (typeof code === 'number') return { how: 'exited', code }
  return typeof signal === 'string' ? { how: 'signalled', signal } : { how: 'lost' }
}
