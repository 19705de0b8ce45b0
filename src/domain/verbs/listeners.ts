import { sectionOf } from '../gate.ts'
import type { ProcessFacts } from '../process.ts'
import type { Verb } from '../verb.ts'
import { processesOf } from './process-line.ts'
import { linesOf, READ_DEADLINE_MS, readSection, wholeNumber } from './reading.ts'
import { answerOf } from './tool-failure.ts'

/** Who listens on which TCP port of the host, or on one port. */
export const listeners: Verb<ListenersArgs, Listeners> = {
  name: 'listeners',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words: ({ port }) => (port === undefined ? [] : [String(port)]),
  parse: (reply) =>
    readSection(reply, 'listeners', (section) => {
      const reading = {
        listeners: linesOf(section).flatMap((line) => readListener(line) ?? []),
        processes: processesOf(sectionOf(reply, 'processes')),
      }
      return answerOf('ss', section, reading)
    }),
}

export interface ListenersArgs {
  readonly port?: number
}

export interface Listeners {
  readonly listeners: readonly Listener[]
  readonly processes: readonly ProcessFacts[]
}

export interface Listener {
  /** `127.0.0.1`, `::1`, `*` for all of both kinds */
  readonly address: string
  readonly port: number
  /** empty where the account may not see whose it is */
  readonly pids: readonly number[]
}

/** Reads `LISTEN 0 128 127.0.0.1:30000 0.0.0.0:* users:(("sglang",pid=12,fd=3))`. */
function readListener(line: string): Listener | null {
  const [state, , , local = ''] = line.trim().split(/ +/)
  const at = local.lastIndexOf(':')
  const port = wholeNumber(local.slice(at + 1))
  if (state !== 'LISTEN' || at < 1 || port === null || port > 65_535) return null
  return { address: addressOf(local.slice(0, at)), port, pids: pidsOf(line) }
}

/** `[fe80::1]%eth0`, `127.0.0.53%lo` */
function addressOf(text: string): string {
  return text.replace(/%[^%\]]*$/, '').replace(/^\[([^[\]]*)\]$/, '$1')
}

function pidsOf(line: string): readonly number[] {
  const users = line.slice(Math.max(line.indexOf('users:(('), 0))
  const pids = [...users.matchAll(/",pid=(\d{1,10}),fd=/g)].map(([, pid]) => wholeNumber(pid))
  return [...new Set(pids.filter((pid) => pid !== null))]
}
