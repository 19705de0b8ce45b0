import type { Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import type { AuthContext, Connection, ParsedKey } from 'ssh2'
import ssh2 from 'ssh2'
import type { BoxExec } from './box-exec.ts'
import { serveExec } from './box-exec.ts'
import { listen } from './listen.ts'

/** A machine that speaks SSH on 127.0.0.1 and forwards to model ports; keys are made at each start. */
export interface Box {
  readonly port: number
  readonly user: string
  /** `ssh-ed25519 AAAA…`: the line to pin */
  readonly hostKeyLine: string
  /** OpenSSH text of the only key that may log in */
  readonly privateKey: string
  /** how many clients are connected now */
  connections(): number
  /** cuts every connection, as a pulled cable does */
  drop(): void
  close(): Promise<void>
}

export interface BoxOptions {
  /** 0 or absent: a free one */
  readonly port?: number
  /** `no` refuses every forward with reason 1, as sshd's `AllowTcpForwarding no` does */
  readonly forwarding?: 'yes' | 'no'
  /** what a command prints and how it ends; absent: nothing is run, status 127 */
  readonly exec?: BoxExec
  /** shown before the login */
  readonly banner?: string
  /** how many commands at once a connection may run, as sshd's MaxSessions; absent: as many as are asked for */
  readonly sessions?: number
  /** which forwards the key permits; others are prohibited with reason 1, as by sshd's `permitopen`. Absent: all */
  readonly permit?: (address: string, port: number) => boolean
  /** where a forward may lead; others fail with reason 2. Absent: this machine only */
  readonly allow?: (address: string, port: number) => boolean
  /** which port of this machine stands for a port of the box; null: nobody listens there, reason 2. Absent: the same */
  readonly led?: (port: number) => number | null
}

const USER = 'pilotflame'

export async function startBox(options: BoxOptions = {}): Promise<Box> {
  const hostKey = newKey()
  const clientKey = newKey()
  const sockets = new Set<Socket>()
  const { banner = '' } = options
  const listener = createServer((socket) => {
    sockets.add(socket.setNoDelay(true))
    socket.on('close', () => sockets.delete(socket))
    const server = new ssh2.Server({ hostKeys: [hostKey.text], banner })
    server.on('connection', (client) => serve(client, clientKey.parsed, options, cutting(socket)))
    server.injectSocket(socket)
  })
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  const port = await listen(listener, options.port ?? 0)
  return {
    port,
    user: USER,
    hostKeyLine: `${hostKey.parsed.type} ${hostKey.parsed.getPublicSSH().toString('base64')}`,
    privateKey: clientKey.text,
    connections: () => sockets.size,
    drop,
    close() {
      drop()
      return new Promise((resolve) => listener.close(() => resolve()))
    },
  }
}

/** ssh2 makes a malformed ed25519 key now and then (9 of 1,500): only one that it can read again counts. */
function newKey(): { text: string; parsed: ParsedKey } {
  for (let attempt = 0; attempt < 100; attempt++) {
    const text = ssh2.utils.generateKeyPairSync('ed25519').private
    const parsed = ssh2.utils.parseKey(text)
    if (!(parsed instanceof Error)) return { text, parsed }
  }
  throw new Error('ssh2 made a hundred malformed keys in a row')
}

function cutting(socket: Socket) {
  return (reset: boolean) => void (reset ? socket.resetAndDestroy() : socket.end())
}

type Cut = ReturnType<typeof cutting>

function serve(client: Connection, key: ParsedKey, options: BoxOptions, cut: Cut): void {
  client.on('error', () => {})
  client.on('authentication', (context) => {
    if (mayEnter(context, key)) context.accept()
    else context.reject(['publickey'])
  })
  const { exec = null, sessions = Number.POSITIVE_INFINITY } = options
  let running = 0
  client.on('session', (accept, reject) => {
    if (running >= sessions) return reject()
    running += 1
    const session = accept()
    session.on('close', () => {
      running -= 1
    })
    session.on('exec', (acceptExec, _reject, { command }) => void serveExec(acceptExec(), command, exec, cut))
  })
  if (options.forwarding !== 'no') forward(client, options)
}

function mayEnter(context: AuthContext, key: ParsedKey): boolean {
  if (context.method !== 'publickey' || context.username !== USER) return false
  if (!context.key.data.equals(key.getPublicSSH())) return false
  if (context.signature === undefined || context.blob === undefined) return true
  return key.verify(context.blob, context.signature, context.hashAlgo)
}

/** ssh2 rejects with reason 2, and with reason 1 where nobody listens for `tcpip`. */
function forward(
  client: Connection,
  { allow = (address) => address === '127.0.0.1', permit = () => true, led = (port) => port }: BoxOptions,
): void {
  client.on('tcpip', (accept, reject, info) => {
    if (!permit(info.destIP, info.destPort)) return refuse(client, reject, PROHIBITED)
    const port = led(info.destPort)
    if (port === null) return refuse(client, reject, REFUSED)
    if (!allow(info.destIP, info.destPort)) return reject()
    const socket = connect({ host: info.destIP, port, noDelay: true })
    socket.once('error', () => reject())
    socket.once('connect', () => {
      const channel = accept()
      channel.on('error', () => socket.destroy()).on('close', () => socket.destroy())
      socket.on('error', () => channel.destroy())
      socket.pipe(channel).pipe(socket)
    })
  })
}

/** In sshd's words: a forward that the key does not permit, and one to a port where nobody listens. */
const PROHIBITED = { reason: 1, words: 'open failed' } as const
const REFUSED = { reason: 2, words: 'Connection refused' } as const

/** The library knows one reason, without words, for a forward that somebody listens for; this one rejection gets its own. */
function refuse(client: Connection, reject: () => void, { reason, words }: typeof PROHIBITED | typeof REFUSED): void {
  const protocol = Reflect.get(client, '_protocol')
  const fail = protocol.channelOpenFail
  protocol.channelOpenFail = (sender: number) => fail.call(protocol, sender, reason, words)
  reject()
  delete protocol.channelOpenFail
}
