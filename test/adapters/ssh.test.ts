import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { failureOf } from '../../src/adapters/failure-error.ts'
import { sshPool } from '../../src/adapters/ssh.ts'
import type { HostSettings } from '../../src/domain/target.ts'
import { bodyOf, serve, serveTcp, silent } from './http-server.ts'
import { closed, hostAt, hostKey, keyPair, sshd, userKey } from './ssh-server.ts'
import { closeLater, failureIn, keep, kindOf, never, valueIn } from './tidy.ts'

let now = 0
const clock = { now: () => now, monotonic: () => now }

function pool(hosts: readonly HostSettings[], limits = {}) {
  const made = sshPool(hosts, { clock, log: silent, limits })
  closeLater(made)
  return made
}

const echo = () => keep(serveTcp((socket) => socket.pipe(socket)))

test('forwards a stream through one pooled connection that concurrent dials share', async () => {
  const far = await echo()
  const box = await keep(sshd())
  const ssh = pool([hostAt({ port: box.port })])
  const dials = await Promise.all([1, 2, 3].map(() => ssh.dial('box', '127.0.0.1', far.port, never)))
  for (const dial of dials) {
    const stream = valueIn(dial)
    stream.end('grüße')
    expect(await allOf(stream)).toBe('grüße')
  }
  expect(box.connections).toHaveLength(1)
  expect(box.logins).toBe(1)
})

async function allOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('carries megabytes both ways unharmed', async () => {
  const far = await echo()
  const box = await keep(sshd())
  const stream = valueIn(await pool([hostAt({ port: box.port })]).dial('box', '127.0.0.1', far.port, never))
  const sent = '€'.repeat(1_500_000)
  stream.end(sent)
  const got = await allOf(stream)
  expect(got === sent).toBe(true)
})

test('has the methods of a socket, and keeps the error it is destroyed with', async () => {
  const far = await echo()
  const box = await keep(sshd())
  const stream = valueIn(await pool([hostAt({ port: box.port })]).dial('box', '127.0.0.1', far.port, never))
  for (const method of ['setNoDelay', 'setKeepAlive', 'setTimeout', 'ref', 'unref']) expect(method in stream).toBe(true)
  const seen = new Promise((resolve) => stream.once('error', resolve))
  const error = new Error('enough')
  stream.destroy(error)
  expect(await seen).toBe(error)
})

test('check tells who answered', async () => {
  const box = await keep(sshd())
  const facts = valueIn(await pool([hostAt({ port: box.port })]).check('box', never))
  expect(facts.fingerprint).toMatch(/^SHA256:[\w+/]{43}$/)
  expect(facts.keyType).toBe('ssh-ed25519')
  expect(facts.server).toMatch(/^SSH server ssh2js/)
})

test.for([
  ['refuse', 'forward-refused'],
  ['prohibit', 'forward-prohibited'],
] as const)('a forward that the host answers with %s is %s', async ([forward, expected]) => {
  const box = await keep(sshd({ forward }))
  const outcome = await pool([hostAt({ port: box.port })]).dial('box', '127.0.0.1', 30_000, never)
  expect(kindOf(outcome)).toBe(expected)
})

test('a port on which nobody listens is told apart from a host that is down', async () => {
  const box = await keep(sshd())
  expect(kindOf(await pool([hostAt({ port: box.port })]).dial('box', '127.0.0.1', 1, never))).toBe('forward-refused')
  expect(kindOf(await pool([hostAt({ port: 1 })]).dial('box', '127.0.0.1', 1, never))).toBe('refused')
})

test('a channel that does not open has its own deadline, and the next dial gets a fresh connection', async () => {
  const box = await keep(sshd({ forward: 'never' }))
  const ssh = pool([hostAt({ port: box.port })], { openMs: 60 })
  const outcome = await ssh.dial('box', '127.0.0.1', 30_000, never)
  expect(outcome).toMatchObject({ failure: { kind: 'connect-timeout', observed: expect.stringContaining('0.06 s') } })
  await ssh.dial('box', '127.0.0.1', 30_000, never)
  expect(box.connections).toHaveLength(2)
})

test('aborting closes an open stream at once, and an unfinished dial', async () => {
  const ends: Socket[] = []
  const far = await keep(serveTcp((socket) => void ends.push(socket)))
  const box = await keep(sshd())
  const ssh = pool([hostAt({ port: box.port })])
  const stop = new AbortController()
  const stream = valueIn(await ssh.dial('box', '127.0.0.1', far.port, stop.signal))
  stream.write('x')
  while (ends.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const farEnd = ends[0]
  farEnd?.resume()
  const began = performance.now()
  stop.abort()
  await Promise.all([closed(stream), farEnd === undefined ? null : closed(farEnd)])
  expect(performance.now() - began).toBeLessThan(100)
  expect(kindOf(await ssh.dial('box', '127.0.0.1', far.port, stop.signal))).toBe('stopped')
})

test('a lost connection ends its streams with the reason, and the next dial logs in anew', async () => {
  const far = await echo()
  const box = await keep(sshd())
  const ssh = pool([hostAt({ port: box.port })])
  const stream = valueIn(await ssh.dial('box', '127.0.0.1', far.port, never))
  const seen = new Promise((resolve) => stream.once('error', resolve))
  box.connections[0]?.end()
  expect(failureOf(await seen)).toMatchObject({ kind: 'lost', thing: expect.stringContaining('host box') })
  valueIn(await ssh.dial('box', '127.0.0.1', far.port, never))
  expect(box.connections).toHaveLength(2)
})

test('a connection that died unnoticed costs one more login and no failure', async () => {
  const far = await echo()
  const box = await keep(sshd())
  const ssh = pool([hostAt({ port: box.port })])
  valueIn(await ssh.check('box', never))
  box.connections[0]?.end()
  valueIn(await ssh.dial('box', '127.0.0.1', far.port, never))
  expect(box.logins).toBe(2)
})

test('a host that stops answering is found by keepalive', async () => {
  const box = await keep(sshd())
  const relay = await keep(relayTo(box.port))
  const ssh = pool([hostAt({ port: relay.port })], { keepaliveMs: 40 })
  const far = await echo()
  const stream = valueIn(await ssh.dial('box', '127.0.0.1', far.port, never))
  const seen = new Promise((resolve) => stream.once('error', resolve))
  relay.freeze()
  expect(failureOf(await seen)).toMatchObject({ kind: 'lost', observed: expect.stringContaining('Keepalive') })
})

/** A TCP relay that can stop passing bytes on while it keeps the connection open. */
async function relayTo(port: number) {
  const ends: Socket[] = []
  const place = await serveTcp((near) => {
    const far = connect(port, '127.0.0.1')
    ends.push(near, far)
    far.on('error', () => {})
    near.on('close', () => far.destroy())
    near.pipe(far).pipe(near)
  })
  return { ...place, freeze: () => ends.forEach((socket) => void socket.unpipe().pause()) }
}

test('a refused key is tried once, and not again for ten minutes', async () => {
  const box = await keep(sshd({ authorized: [] }))
  const ssh = pool([hostAt({ port: box.port })])
  const dial = () => ssh.dial('box', '127.0.0.1', 30_000, never)
  expect(await dial()).toMatchObject({
    failure: { kind: 'ssh-auth', next: expect.stringMatching(/authorized_keys.*`pilotflame doctor` tries at once/) },
  })
  now += 9 * 60_000
  expect(await dial()).toMatchObject({ failure: { observed: expect.stringContaining('not tried again') } })
  expect(box.connections).toHaveLength(1)
  now += 60_001
  await dial()
  expect(box.connections).toHaveLength(2)
})

test('a check tries a refused key again at once, though only once a minute', async () => {
  const box = await keep(sshd({ authorized: [] }))
  const ssh = pool([hostAt({ port: box.port })])
  await ssh.dial('box', '127.0.0.1', 30_000, never)
  const seen: (string | number)[] = []
  for (const wait of [1_000, 1_000, 58_999, 1]) {
    now += wait
    seen.push(kindOf(await ssh.check('box', never)), box.connections.length)
  }
  expect(seen).toEqual(['ssh-auth', 2, 'ssh-auth', 2, 'ssh-auth', 2, 'ssh-auth', 3])
})

test.for([[null], ['gate']] as const)(
  'a check that succeeds ends the pause for everybody (jump: %s)',
  async ([jump]) => {
    const authorized: string[] = []
    const far = await echo()
    const first = await keep(sshd({ authorized }))
    const inner = await keep(sshd())
    const box = jump === null ? first : inner
    const ssh = pool([hostAt({ name: 'gate', port: first.port }), hostAt({ port: box.port, jump })])
    const dial = () => ssh.dial('box', '127.0.0.1', far.port, never)
    expect(kindOf(await dial())).toBe('ssh-auth')
    authorized.push(userKey.public)
    expect(kindOf(await dial())).toBe('ssh-auth')
    valueIn(await ssh.check('box', never))
    valueIn(await dial())
  },
)

test('goes through a jump host, and says when that way is closed', async () => {
  const far = await echo()
  const inner = await keep(sshd())
  const outer = await keep(sshd())
  const hosts = [hostAt({ name: 'gate', port: outer.port }), hostAt({ port: inner.port, jump: 'gate' })]
  const ssh = pool(hosts)
  const stream = valueIn(await ssh.dial('box', '127.0.0.1', far.port, never))
  stream.end('through')
  expect(await allOf(stream)).toBe('through')
  const dead = pool([hostAt({ name: 'gate', port: outer.port }), hostAt({ port: 1, jump: 'gate' })])
  expect(kindOf(await dead.check('box', never))).toBe('forward-refused')
})

test('jump hosts in a circle and hosts that nobody configured are refused', async () => {
  const ssh = pool([hostAt({ name: 'a', port: 1, jump: 'b' }), hostAt({ name: 'b', port: 1, jump: 'a' })])
  expect(await ssh.check('a', never)).toMatchObject({ failure: { observed: expect.stringContaining('a → b → a') } })
  expect(kindOf(await ssh.check('c', never))).toBe('config')
})

test.for(['ed25519', 'ecdsa', 'rsa'] as const)(
  'a host with three key types shows the one we know: %s',
  async (type) => {
    const keys = { ed25519: hostKey, ecdsa: keyPair('ecdsa'), rsa: keyPair('rsa') }
    const box = await keep(sshd({ hostKeys: Object.values(keys).map((pair) => pair.private) }))
    const facts = await pool([hostAt({ port: box.port, trust: { from: 'pinned', keys: [keys[type].public] } })]).check(
      'box',
      never,
    )
    expect(valueIn(facts).keyType).toContain(type === 'ecdsa' ? 'nistp256' : type)
  },
)

test.for([
  ['closes at once', 'banned', (socket: Socket) => socket.end()],
  ['speaks HTTP', 'not-ssh', (socket: Socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\nno\r\n'.repeat(300))],
  ['says nothing', 'connect-timeout', () => {}],
] as const)('a peer that %s is %s', async ([, expected, behave]) => {
  const peer = await keep(serveTcp((socket) => void behave(socket)))
  expect(kindOf(await pool([hostAt({ port: peer.port })], { dialMs: 150 }).check('box', never))).toBe(expected)
})

test('a port that takes us and says nothing is told as an open port, not as a machine that is down', async () => {
  const peer = await keep(serveTcp(() => {}))
  const failure = failureIn(await pool([hostAt({ port: peer.port })], { dialMs: 150 }).check('box', never))
  expect(failure.observed).toContain('the port is open, and the SSH server behind it is silent')
  expect(failure.next).not.toContain('firewall')
})

test('a name that does not resolve', async () => {
  expect(kindOf(await pool([hostAt({ port: 22, address: 'no-such-host.invalid' })]).check('box', never))).toBe('dns')
})

test('close ends what is open and refuses what comes after', async () => {
  const box = await keep(sshd())
  const ssh = pool([hostAt({ port: box.port })])
  valueIn(await ssh.check('box', never))
  await ssh.close()
  expect(kindOf(await ssh.check('box', never))).toBe('stopped')
})

test('small packets are not held back: many round trips through the tunnel are quick', async () => {
  const far = await keep(serve((request, response) => void bodyOf(request).then((body) => response.end(body))))
  const box = await keep(sshd())
  const stream = valueIn(await pool([hostAt({ port: box.port })]).dial('box', '127.0.0.1', far.port, never))
  const began = performance.now()
  for (let round = 0; round < 20; round += 1) {
    stream.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n')
    stream.write('ok')
    await new Promise((resolve) => stream.once('data', resolve))
  }
  // with Nagle each round waits some 40 ms for an acknowledgement
  expect(performance.now() - began).toBeLessThan(400)
  stream.destroy()
})

test('known_hosts files are read at each login', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'known_hosts')
  await writeFile(path, '# nobody yet\n')
  const box = await keep(sshd())
  const ssh = pool([hostAt({ port: box.port, trust: { from: 'files', paths: [path, join(folder, 'none')] } })])
  expect(kindOf(await ssh.check('box', never))).toBe('hostkey-unknown')
  await writeFile(path, `[127.0.0.1]:${box.port} ${hostKey.public}\n`)
  expect(kindOf(await ssh.check('box', never))).toBe('ok')
  expect(box.logins).toBe(1)
  expect(userKey.public).toContain('ssh-ed25519')
})
