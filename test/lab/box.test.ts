import { once } from 'node:events'
import { createServer } from 'node:net'
import type { ClientChannel, ConnectConfig } from 'ssh2'
import ssh2 from 'ssh2'
import { afterEach, expect, test } from 'vitest'
import type { Box } from '../../src/lab/box.ts'
import { startBox } from '../../src/lab/box.ts'
import type { BoxEnd } from '../../src/lab/box-exec.ts'
import { listen } from '../../src/lab/listen.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function box(options?: Parameters<typeof startBox>[0]): Promise<Box> {
  const made = await startBox(options)
  closing.push(() => made.close())
  return made
}

async function login(to: Box, config: ConnectConfig = {}): Promise<ssh2.Client> {
  const client = new ssh2.Client()
  closing.push(() => client.destroy())
  client.on('error', () => {})
  client.connect({ host: '127.0.0.1', port: to.port, username: to.user, privateKey: to.privateKey, ...config })
  await once(client, 'ready')
  return client
}

function forward(client: ssh2.Client, port: number, address = '127.0.0.1'): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.forwardOut('127.0.0.1', 0, address, port, (error, channel) => (error ? reject(error) : resolve(channel)))
  })
}

async function echo(): Promise<number> {
  const server = createServer((socket) => socket.pipe(socket))
  closing.push(() => server.close())
  return listen(server, 0)
}

test('shows the host key that it names, and lets its own key in', async () => {
  const made = await box()
  const shown: string[] = []
  await login(made, { hostVerifier: (key: Buffer) => shown.push(`ssh-ed25519 ${key.toString('base64')}`) > 0 })
  expect(shown).toEqual([made.hostKeyLine])
  expect(made.connections()).toBe(1)
})

test.each<[string, () => Promise<ConnectConfig>]>([
  ['another key', async () => ({ privateKey: (await box()).privateKey })],
  ['another user', async () => ({ username: 'root' })],
  ['a password', async () => ({ authHandler: ['password'], password: 'pilotflame' })],
])('refuses %s', async (_, config) => {
  const made = await box()
  await expect(login(made, await config())).rejects.toThrow('All configured authentication methods failed')
})

test('carries bytes to a port of this machine and back', async () => {
  const channel = await forward(await login(await box()), await echo())
  channel.end('ping')
  const [said] = await once(channel, 'data')
  expect(String(said)).toBe('ping')
})

test.each([
  ['forwarding is off', { forwarding: 'no' } as const, '127.0.0.1', 1],
  ['the port is not allowed', { allow: () => false }, '127.0.0.1', 2],
  ['the address is not this machine', {}, '192.0.2.1', 2],
])('rejects a forward where %s', async (_, options, address, reason) => {
  const client = await login(await box(options))
  await expect(forward(client, await echo(), address)).rejects.toMatchObject({ reason })
})

test('rejects a forward to a closed port with reason 2', async () => {
  const server = createServer()
  const port = await listen(server, 0)
  server.close()
  await expect(forward(await login(await box()), port)).rejects.toMatchObject({ reason: 2 })
})

test('closes the far socket when the client closes its channel', async () => {
  const server = createServer((socket) => socket.resume())
  closing.push(() => server.close())
  const accepted = once(server, 'connection')
  const channel = await forward(await login(await box()), await listen(server, 0))
  const [socket] = await accepted
  channel.destroy()
  await once(socket, 'close')
})

test('runs nothing', async () => {
  const client = await login(await box())
  const code = await new Promise((resolve, reject) => {
    client.exec('id', (error, channel) => (error ? reject(error) : channel.on('exit', resolve).resume()))
  })
  expect(code).toBe(127)
})

/** Runs a command as ssh2 reports it. */
async function ran(to: Box, stdin = ''): Promise<readonly [end: readonly unknown[], stdout: string, stderr: string]> {
  const client = await login(to)
  const channel = await new Promise<ClientChannel>((resolve, reject) => {
    client.exec('sh', (error, opened) => (error ? reject(error) : resolve(opened)))
  })
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  channel.on('data', (piece: Buffer) => out.push(piece)).stderr.on('data', (piece: Buffer) => err.push(piece))
  channel.end(stdin)
  const end = await once(channel, 'close')
  return [end, Buffer.concat(out).toString(), Buffer.concat(err).toString()]
}

test.each<[BoxEnd, readonly unknown[]]>([
  [{ how: 'exited', code: 0 }, [0]],
  [{ how: 'exited', code: 255 }, [255]],
  [{ how: 'signalled', signal: 'KILL' }, [null, 'SIGKILL', false, '']],
  [{ how: 'signalled', signal: 'SIGTERM' }, [null, 'SIGTERM', false, '']],
  [{ how: 'lost' }, [undefined]],
  [{ how: 'cut', reset: false }, [undefined]],
  [{ how: 'cut', reset: true }, [undefined]],
])('replays an end by %o', async (end, seen) => {
  const made = await box({ exec: (command, stdin) => ({ stdout: `${command} ${stdin}`, end }) })
  const [got, stdout] = await ran(made, 'grüße')
  expect(got).toEqual(seen)
  // a reset may overtake what was sent before it
  if (end.how !== 'cut') expect(stdout).toBe('sh grüße')
})

test('replays bytes as they are given, of both streams', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
  async function* twice() {
    yield bytes
    yield bytes
  }
  const made = await box({ exec: () => ({ stdout: twice(), stderr: bytes, end: { how: 'exited', code: 0 } }) })
  const text = Buffer.from(bytes).toString()
  expect(await ran(made)).toEqual([[0], Buffer.concat([bytes, bytes]).toString(), text])
})

test('tells a command that never ends when its channel is closed', async () => {
  const begun = Promise.withResolvers<AbortSignal>()
  const made = await box({
    exec(_command, _stdin, closed) {
      begun.resolve(closed)
      return { end: { how: 'never' } }
    },
  })
  const running = ran(made)
  const closed = await begun.promise
  expect(closed.aborted).toBe(false)
  const told = once(closed, 'abort')
  made.drop()
  await Promise.all([told, running])
})

test('allows as many sessions at once as it is told', async () => {
  const made = await box({ sessions: 1, exec: () => ({ end: { how: 'never' } }) })
  const client = await login(made)
  const open = () =>
    new Promise<ClientChannel>((resolve, reject) => {
      client.exec('sh', (error, channel) => (error ? reject(error) : resolve(channel.resume())))
    })
  const first = await open()
  await expect(open()).rejects.toMatchObject({ reason: 2 })
  first.destroy()
  await once(first, 'close')
  await open()
})

test('shows its banner before the login', async () => {
  const made = await box({ banner: 'Authorised use only\n' })
  const client = new ssh2.Client()
  closing.push(() => client.destroy())
  const shown = once(client, 'banner')
  client.connect({ host: '127.0.0.1', port: made.port, username: made.user, privateKey: made.privateKey })
  expect(String((await shown)[0])).toContain('Authorised use only')
})

test('drops live connections and takes new ones', async () => {
  const made = await box()
  const client = await login(made)
  const closed = once(client, 'close')
  made.drop()
  await closed
  await login(made)
  expect(made.connections()).toBe(1)
})

test('prohibits what its key does not permit with reason 1, and carries the rest', async () => {
  const port = await echo()
  const client = await login(await box({ permit: (_address, asked) => asked === port }))
  await expect(forward(client, port + 1)).rejects.toMatchObject({ reason: 1 })
  const channel = await forward(client, port)
  channel.end('ping')
  expect(String(await once(channel, 'data').then(([data]) => data))).toBe('ping')
  await expect(forward(client, port + 1)).rejects.toMatchObject({ reason: 1 })
})
