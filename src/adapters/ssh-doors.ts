import type { Duplex } from 'node:stream'

import type { Client, ClientChannel } from 'ssh2'

import type { Door, DoorName } from '../domain/door.ts'
import { DOORS } from '../domain/door.ts'

/** Tries every way in beside the verbs, one after the other, and leaves each as it found it. Nothing there is changed. */
export async function tryDoors(client: Client, sshPort: number, limitMs: number): Promise<readonly Door[]> {
  const doors: Door[] = []
  for (const name of DOOR_NAMES) {
    const state = await answered((answer) => ATTEMPTS[name](client, { ...answer, sshPort }), limitMs)
    doors.push({ name, state })
  }
  return doors
}

const DOOR_NAMES = Object.keys(DOORS).filter((name): name is DoorName => name in DOORS)

interface Attempt {
  open(): void
  shut(): void
  /** nobody knows */
  lost(): void
  /** a port on which something surely listens there */
  readonly sshPort: number
}

type Try = (client: Client, attempt: Attempt) => void

/** What only a shell makes of it is the proof: a forced command answers too. */
const SUM = 'expr 6007 \\* 7001'
const PROOF = '42055007'

/** A socket that everybody may use where systemd runs: sshd does not tell a refusal of its own from the system's. */
const JOURNAL = '/run/systemd/journal/stdout'

const ATTEMPTS: Readonly<Record<DoorName, Try>> = {
  shell: (client, attempt) =>
    client.shell(false, (error, channel) => {
      if (error !== undefined) return attempt.shut()
      proves(channel, attempt)
      channel.end(`${SUM}\nexit\n`)
    }),
  command: (client, attempt) =>
    client.exec(SUM, (error, channel) => {
      if (error !== undefined) return attempt.shut()
      proves(channel, attempt)
      channel.end()
    }),
  terminal: (client, attempt) =>
    client.exec(SUM, { pty: true }, (error, channel) =>
      error === undefined ? opened(channel, attempt) : attempt.shut(),
    ),
  sftp: (client, attempt) =>
    client.sftp((error, sftp) => {
      if (error !== undefined) return attempt.shut()
      sftp.end()
      attempt.open()
    }),
  ports: (client, attempt) =>
    client.forwardOut('127.0.0.1', 0, '127.0.0.1', attempt.sshPort, (error, channel) =>
      forwarded(error, channel, attempt),
    ),
  sockets: (client, attempt) =>
    client.openssh_forwardOutStreamLocal(JOURNAL, (error, channel) => {
      if (error !== undefined) return attempt.shut()
      channel.destroy()
      attempt.open()
    }),
  listening: (client, attempt) =>
    client.forwardIn('127.0.0.1', 0, (error, port) => {
      if (error !== undefined) return attempt.shut()
      client.unforwardIn('127.0.0.1', port, () => {})
      attempt.open()
    }),
}

function proves(channel: ClientChannel, { open, shut }: Attempt): void {
  let said = ''
  channel.on('data', (piece: Buffer) => {
    said = (said + piece.toString('latin1')).slice(-4096)
    if (said.includes(PROOF)) open()
  })
  channel.stderr.resume()
  channel.on('close', shut)
}

function opened(channel: ClientChannel, { open }: Attempt): void {
  channel.resume()
  channel.close()
  open()
}

/** Only what was let through can be refused by the port itself; the host's own no has other words (testbed.md 3.1). */
function forwarded(error: Error | undefined, channel: Duplex, { open, shut, lost }: Attempt): void {
  if (error === undefined) channel.destroy()
  if (error === undefined || /refused/i.test(error.message)) open()
  else if ('reason' in error) shut()
  else lost()
}

/** The first answer, or `unknown` where none came in time; ssh2 throws where the connection is gone. */
function answered(ask: (answer: Omit<Attempt, 'sshPort'>) => void, limitMs: number): Promise<Door['state']> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('unknown'), limitMs)
    const settle = (state: Door['state']) => () => {
      clearTimeout(timer)
      resolve(state)
    }
    const lost = settle('unknown')
    try {
      ask({ open: settle('open'), shut: settle('shut'), lost })
    } catch {
      lost()
    }
  })
}
