import { once } from 'node:events'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Connection, Session, TcpipRequestInfo } from 'ssh2'
import ssh2 from 'ssh2'

import type { HostSettings } from '../../src/domain/target.ts'
import type { Listening } from './http-server.ts'
import { serveTcp } from './http-server.ts'

/** A key pair in OpenSSH format. */
export function keyPair(type: 'ed25519' | 'ecdsa' | 'rsa' = 'ed25519') {
  if (type === 'rsa') return ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 })
  if (type === 'ecdsa') return ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
  return wellFormed(() => ssh2.utils.generateKeyPairSync('ed25519'), null)
}

/** A private key in OpenSSH format, locked where there is a passphrase. */
export function lockedKey(passphrase: string | null): string {
  if (passphrase === null) return keyPair().private
  const lock = { passphrase, cipher: 'aes256-cbc', rounds: 4 } as const
  return wellFormed(() => ssh2.utils.generateKeyPairSync('ed25519', lock), passphrase).private
}

/** ssh2 makes a malformed ed25519 key now and then (9 of 1,500); only one that it can read again counts. */
function wellFormed<T extends { readonly private: string }>(make: () => T, passphrase: string | null): T {
  const pair = make()
  const read = ssh2.utils.parseKey(pair.private, passphrase ?? undefined)
  return read instanceof Error ? wellFormed(make, passphrase) : pair
}

export const userKey = keyPair()

export interface Sshd extends Listening {
  readonly logins: number
  /** Connections that were accepted so far. */
  readonly connections: Connection[]
}

interface SshdOptions {
  readonly hostKeys?: readonly string[]
  /** public key lines that may log in; the user key where nothing is said */
  readonly authorized?: readonly string[]
  /** what to do with a forward; it is piped where nothing is said */
  readonly forward?: 'pipe' | 'refuse' | 'prohibit' | 'never'
  /** what to do with a session; there are none where nothing is said */
  readonly session?: (accept: () => Session, reject: () => void, client: Connection) => void
}

/** ssh2's own server on 127.0.0.1: public keys only, forwards TCP. */
export async function sshd(options: SshdOptions = {}): Promise<Sshd> {
  const { hostKeys = [hostKey.private], authorized = [userKey.public], forward = 'pipe', session } = options
  const connections: Connection[] = []
  let logins = 0
  const server = new ssh2.Server({ hostKeys: [...hostKeys] }, (client) => {
    connections.push(client)
    client.on('error', () => {})
    client.on('authentication', (context) => {
      if (context.method !== 'publickey') return context.reject(['publickey'])
      logins += context.signature === undefined ? 0 : 1
      const known = authorized.some((line) => isKey(line, context.key.data))
      return known ? context.accept() : context.reject(['publickey'])
    })
    if (session !== undefined) client.on('session', (accept, reject) => session(accept, reject, client))
    if (forward !== 'prohibit') client.on('tcpip', (accept, reject, info) => forwards[forward](accept, reject, info))
  })
  const place = await serveTcp((socket) => server.injectSocket(socket.setNoDelay(true)))
  return {
    ...place,
    connections,
    get logins() {
      return logins
    },
  }
}

type Forward = (accept: () => Duplex, reject: () => void, info: TcpipRequestInfo) => void

const forwards: Record<'pipe' | 'refuse' | 'never', Forward> = {
  never() {},
  refuse: (_accept, reject) => reject(),
  pipe(accept, reject, info) {
    const socket = connect({ port: info.destPort, host: info.destIP, noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => {
      const channel = accept()
      channel.on('error', () => socket.destroy())
      channel.on('close', () => socket.destroy())
      socket.once('close', () => channel.end())
      channel.pipe(socket).pipe(channel)
    })
  },
}

export const hostKey = keyPair()

export interface HostOptions extends Partial<HostSettings> {
  readonly port: number
}

/** Settings of a host at 127.0.0.1 that know the test's host key and use its user key. */
export function hostAt(options: HostOptions): HostSettings {
  return {
    name: 'box',
    address: '127.0.0.1',
    user: 'pilot',
    key: { from: 'text', text: userKey.private, passphrase: null },
    trust: { from: 'pinned', keys: [hostKey.public] },
    jump: null,
    gate: null,
    ...options,
  }
}

function isKey(line: string, data: Buffer): boolean {
  return Buffer.from(line.split(' ')[1] ?? '', 'base64').equals(data)
}

export async function closed(stream: NodeJS.EventEmitter): Promise<void> {
  await once(stream, 'close')
}
