import { randomUUID } from 'node:crypto'

import type { Client, ClientChannel } from 'ssh2'

import type { Door, DoorName } from '../domain/door.ts'
import { DOORS } from '../domain/door.ts'

/**
 * Tries every way in beside the verbs, one after the other. Nothing there is changed, but that an open way to listen on
 * sockets leaves an empty one in /tmp. Only a definite no counts as shut: what could not be asked is not known.
 */
export async function tryDoors(client: Client, sshPort: number, limitMs: number): Promise<readonly Door[]> {
  let alive = true
  client.once('close', () => {
    alive = false
  })
  const doors: Door[] = []
  for (const name of DOOR_NAMES) {
    const { promise, resolve } = Promise.withResolvers<Door['state']>()
    const timer = setTimeout(() => resolve('unknown'), limitMs)
    const no = (error?: Error) => resolve(alive && isNo(name, error) ? 'shut' : 'unknown')
    try {
      ATTEMPTS[name](client, { open: () => resolve('open'), no, sshPort })
    } catch {
      // ssh2 throws where the connection is gone
      resolve('unknown')
    }
    doors.push({ name, state: await promise })
    clearTimeout(timer)
  }
  return doors
}

const DOOR_NAMES = Object.keys(DOORS).filter((name): name is DoorName => name in DOORS)

interface Attempt {
  open(): void
  /** An error, or nothing where what was opened led nowhere. */
  no(error?: Error): void
  /** a port on which something surely listens there */
  readonly sshPort: number
}

/**
 * A channel that did not open: reason 1 is a prohibition, 3 no such thing there; 2 and 4 come of a full or busy host, or of
 * what was tried (testbed.md 3.1). For sockets sshd has 2 for all of them. Any other error is the host's answer.
 */
function isNo(name: DoorName, error?: Error): boolean {
  const reason = error !== undefined && 'reason' in error ? error.reason : undefined
  return reason === undefined || reason === 1 || reason === 3 || (reason === 2 && name === 'sockets')
}

/** What only a shell makes of it is the proof: a forced command answers too. */
const SUM = 'expr 6007 \\* 7001'
const PROOF = '42055007'

/** A socket that everybody may use where systemd runs: sshd does not tell a refusal of its own from the system's. */
const JOURNAL = '/run/systemd/journal/stdout'

const ATTEMPTS: Readonly<Record<DoorName, (client: Client, attempt: Attempt) => void>> = {
  shell: (client, attempt) =>
    client.shell(false, (error, channel) => {
      if (error !== undefined) return attempt.no(error)
      proves(channel, attempt)
      channel.end(`${SUM}\nexit\n`)
    }),
  command: (client, attempt) =>
    client.exec(SUM, (error, channel) => {
      if (error !== undefined) return attempt.no(error)
      proves(channel, attempt)
      channel.end()
    }),
  terminal: (client, attempt) =>
    client.exec(SUM, { pty: true }, (error, channel) => {
      if (error !== undefined) return attempt.no(error)
      channel.resume()
      channel.close()
      attempt.open()
    }),
  sftp: (client, attempt) =>
    client.subsys('sftp', (error, channel) => {
      if (error !== undefined) return attempt.no(error)
      greets(channel, attempt)
      channel.write(SFTP_INIT)
    }),
  ports: (client, attempt) =>
    client.forwardOut('127.0.0.1', 0, '127.0.0.1', attempt.sshPort, (error, channel) => {
      // only what was let through can be refused by the port itself
      if (error !== undefined && !/refused/i.test(error.message)) return attempt.no(error)
      channel?.destroy()
      attempt.open()
    }),
  sockets: (client, attempt) =>
    client.openssh_forwardOutStreamLocal(JOURNAL, (error, channel) => {
      if (error !== undefined) return attempt.no(error)
      channel.destroy()
      attempt.open()
    }),
  listening: (client, attempt) =>
    client.forwardIn('127.0.0.1', 0, (error, port) => {
      if (error !== undefined) return attempt.no(error)
      client.unforwardIn('127.0.0.1', port, () => {})
      attempt.open()
    }),
  listeningSockets: (client, attempt) => {
    const path = `/tmp/.pilotflame-door-${randomUUID()}`
    client.openssh_forwardInStreamLocal(path, (error) => {
      if (error instanceof Error) return attempt.no(error)
      client.openssh_unforwardInStreamLocal(path, () => {})
      attempt.open()
    })
  },
}

/** SSH_FXP_INIT of version 3, and the type of its answer, SSH_FXP_VERSION. */
const SFTP_INIT = Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3])
const SFTP_VERSION = 2

/** Read here: over the text of a forced command, ssh2's own client of sftp ends the whole connection. */
function greets(channel: ClientChannel, { open, no }: Attempt): void {
  let said = Buffer.alloc(0)
  channel.on('data', (piece: Buffer) => {
    if (said.length >= 5) return
    said = Buffer.concat([said, piece.subarray(0, 5)])
    if (said.length < 5) return
    channel.close()
    if (said[0] === 0 && said[4] === SFTP_VERSION) open()
    else no()
  })
  channel.stderr.resume()
  channel.on('close', () => no())
}

function proves(channel: ClientChannel, { open, no }: Attempt): void {
  let said = ''
  channel.on('data', (piece: Buffer) => {
    said = (said + piece.toString('latin1')).slice(-4096)
    if (said.includes(PROOF)) open()
  })
  channel.stderr.resume()
  channel.on('close', () => no())
}
