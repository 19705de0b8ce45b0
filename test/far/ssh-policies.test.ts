import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { sentence } from '../../src/domain/failure.ts'
import { listening } from '../adapters/http-server.ts'
import { closeLater, failureIn, kindOf, never, valueIn } from '../adapters/tidy.ts'
import { test } from './far-test.ts'
import { act, look } from './little-gate.ts'
import { hangingGate, killed, LEAN, over, served } from './over-sshd.ts'
import { freePort } from './process.ts'
import { newKey } from './sshd.ts'
import type { Verbs } from './verbs-over.ts'

const call = { signal: never }

/** A port on which somebody listens and greets. */
async function greeter(): Promise<number> {
  const place = await listening(createServer((socket) => void socket.end('hello')))
  closeLater(place)
  return place.port
}

async function dialled({ pool }: Verbs, host: string, port: number, address = '127.0.0.1'): Promise<string> {
  const outcome = await pool.dial(host, address, port, never)
  if (!outcome.ok) return sentence(outcome.failure)
  outcome.value.destroy()
  return 'ok'
}

test.for([
  ['AllowTcpForwarding no'],
  ['AllowTcpForwarding remote'],
  ['DisableForwarding yes'],
  ['PermitOpen 127.0.0.1:1'],
])('%s: no tunnel, and verbs', async ([line = ''], { sshd }) => {
  const { host } = await sshd([line])
  const verbs = over([host])
  const port = await greeter()
  const said = await dialled(verbs, host.name, port)
  expect(said).toContain('the host does not allow this forward (Channel open failure: open failed)')
  expect(said).toContain(`AllowTcpForwarding and PermitOpen in sshd_config, or permitopen="127.0.0.1:${port}"`)
  expect(valueIn(await verbs.host(host.name).run(look, {}, call)).value).toBe('here')
})

test('PermitOpen of this port: a tunnel to it, and to no other', async ({ sshd }) => {
  const [port, other] = [await greeter(), await greeter()]
  const { host } = await sshd([`PermitOpen 127.0.0.1:${port}`])
  const verbs = over([host])
  expect(await dialled(verbs, host.name, port)).toBe('ok')
  expect(await dialled(verbs, host.name, other)).toContain('does not allow this forward')
})

test('nobody listens there, no such name there', async ({ sshd }) => {
  const { host } = await sshd()
  const verbs = over([host])
  const port = await freePort()
  const said = await dialled(verbs, host.name, port)
  expect(said).toContain(`tunnel through host real-sshd (127.0.0.1:${host.port}) to 127.0.0.1:${port}:`)
  expect(said).toMatch(/Connection refused\. Next: see on the host whether the server runs and listens there/)
  expect(await dialled(verbs, host.name, 80, 'no-such-host.invalid')).toMatch(/not known|name resolution/)
})

test('MaxSessions 0: tunnels, and no verb', async ({ sshd }) => {
  const { host } = await sshd(['MaxSessions 0'])
  const verbs = over([host])
  expect(await dialled(verbs, host.name, await greeter())).toBe('ok')
  const failure = failureIn(await verbs.host(host.name).run(look, {}, call))
  expect(failure).toMatchObject({ kind: 'max-sessions', next: expect.stringContaining('raise MaxSessions') })
  expect(failure.observed).toContain('sshd opens no more sessions on this connection')
})

test.for([1, 2, 10])('MaxSessions %i: 50 of 50 reads at once', async (most, { sshd }) => {
  const { host } = await sshd([`MaxSessions ${most}`, LEAN])
  const verbs = over([host])
  const reads = Array.from({ length: 50 }, () => verbs.host(host.name).run(look, {}, call))
  const kinds = (await Promise.all(reads)).map(kindOf)
  expect(kinds).toEqual(kinds.map(() => 'ok'))
  expect(kinds).toHaveLength(50)
})

test('MaxStartups 2:100:2: 20 of 20 hosts behind one sshd, each with a login of its own', async ({ sshd }) => {
  const { host, log } = await sshd(['MaxStartups 2:100:2', 'LogLevel INFO', LEAN])
  const hosts = Array.from({ length: 20 }, (_, index) => ({ ...host, name: `host-${index}` }))
  const verbs = over(hosts)
  const kinds = await Promise.all(hosts.map(async ({ name }) => kindOf(await verbs.host(name).run(look, {}, call))))
  expect(kinds).toEqual(kinds.map(() => 'ok'))
  await vi.waitFor(() => expect(log().match(/Accepted publickey/g)).toHaveLength(20))
})

test('MaxStartups 2:100:2: 20 of 20 tunnels to one host are one login', async ({ sshd }) => {
  const { host, log } = await sshd(['MaxStartups 2:100:2'])
  const verbs = over([host])
  const port = await greeter()
  const all = await Promise.all(Array.from({ length: 20 }, () => dialled(verbs, host.name, port)))
  expect(all).toEqual(all.map(() => 'ok'))
  expect(log().match(/Accepted publickey/g)).toHaveLength(1)
})

test('RekeyLimit 1M: 60 MB come to the byte', async ({ sshd }) => {
  const { host, log } = await sshd(['RekeyLimit 1M', 'LogLevel DEBUG1'])
  const connection = valueIn(await over([host]).pool.connect(host.name, never))
  const bytes = 60 * 1024 * 1024
  const hash = createHash('sha256')
  let count = 0
  const onOutput = (piece: Buffer) => {
    count += piece.length
    hash.update(piece)
  }
  const line = `yes 'no piece of this line is lost' | head -c ${bytes}`
  const executed = await connection.exec({ line, stdin: '', deadlineMs: 28_000, onOutput }, never).executed
  expect(valueIn(executed).run.end).toEqual({ how: 'exited', code: 0 })
  expect(count).toBe(bytes)
  const wanted = createHash('sha256')
  const text = Buffer.from('no piece of this line is lost\n'.repeat(bytes / 30 + 1)).subarray(0, bytes)
  expect(hash.digest('hex')).toBe(wanted.update(text).digest('hex'))
  expect(log().match(/rekeying/g)?.length).toBeGreaterThan(5)
})

test.for([
  ['SIGKILL', 'lost', 'whether it did its work is not known', 2000],
  ['SIGSTOP', 'keepalive', 'the other side stopped answering', 5000],
] as const)(
  '%s for the sshd of a change that runs: it is %s and never done again',
  async ([signal, kind, words, limitMs], { sshd }) => {
    const { host } = await sshd()
    const { script, calls, begun } = await hangingGate()
    const verbs = over([host], { keepaliveMs: 300 }, script)
    const pid = await served(verbs, host.name)
    onTestFinished(() => void killed(pid, 'SIGKILL'))
    const running = verbs.host(host.name).run(act, {}, call)
    await begun()
    const at = performance.now()
    killed(pid, signal)
    const failure = failureIn(await running)
    expect(performance.now() - at).toBeLessThan(limitMs)
    expect(failure).toMatchObject({ kind, observed: expect.stringContaining(words) })
    expect(failure.next).toMatch(/look before/)
    // the next one is a new connection
    expect(kindOf(await verbs.host(host.name).run(look, {}, call))).toBe('ok')
    expect(await calls()).toEqual(['act', 'look'])
  },
)

test.for(['SIGKILL', 'SIGSTOP'] as const)(
  '%s for the sshd of a read that runs: it is asked again',
  async (signal, { sshd }) => {
    const { host } = await sshd()
    const { script, calls, begun } = await hangingGate()
    const verbs = over([host], { keepaliveMs: 300 }, script)
    const pid = await served(verbs, host.name)
    onTestFinished(() => void killed(pid, 'SIGKILL'))
    const running = verbs.host(host.name).run(look, {}, call)
    await begun()
    killed(pid, signal)
    expect(valueIn(await running).value).toBe('here')
    expect(await calls()).toEqual(['look', 'look'])
  },
)

test('a wrong key is offered once, whoever asks and however often', async ({ sshd }) => {
  const { host, log } = await sshd()
  const other = await sshd()
  const stranger = { ...host, key: other.host.key }
  const verbs = over([stranger])
  const asking = [1, 2, 3, 4].map(() => verbs.host(host.name).run(look, {}, call))
  for (const outcome of await Promise.all(asking)) {
    expect(failureIn(outcome)).toMatchObject({ kind: 'ssh-auth', observed: `refuses our key for user ${host.user}` })
  }
  expect(failureIn(await verbs.host(host.name).run(look, {}, call)).observed).toContain('not tried again yet')
  await vi.waitFor(() => expect(log()).toMatch(/Connection (?:closed|reset) by .*\[preauth\]/))
  expect(log().match(/Failed publickey/g)).toHaveLength(1)
  expect(log().match(/Connection from/g)).toHaveLength(2)
})

test.for([
  ['changed', 'hostkey-changed', 'its host key changed: now ssh-ed25519 SHA256:'],
  ['revoked', 'hostkey-revoked', 'shows a revoked host key'],
  ['unknown', 'hostkey-unknown', 'its host key is not known'],
] as const)('a host key that is %s: not one byte of a login', async ([state, kind, words], { sshd }) => {
  const { host, log } = await sshd()
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-known-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const other = await newKey(join(folder, 'other'))
  const [line = ''] = host.trust.from === 'pinned' ? host.trust.keys : []
  const place = `[127.0.0.1]:${host.port}`
  const lines = { changed: `${place} ${other}`, revoked: `${place} ${line}\n@revoked * ${line}`, unknown: '# nobody' }
  await writeFile(join(folder, 'known_hosts'), `${lines[state]}\n`)
  const verbs = over([{ ...host, trust: { from: 'files', paths: [join(folder, 'known_hosts')] } }])
  const failure = failureIn(await verbs.host(host.name).run(look, {}, call))
  expect(failure).toMatchObject({ kind, observed: expect.stringContaining(words) })
  await vi.waitFor(() => expect(log()).toMatch(/Connection (?:closed|reset) by .*\[preauth\]/))
  expect(log()).not.toMatch(/publickey|Failed|Accepted|user root/)
})

test('a banner before the login is no noise of the account', async ({ sshd }) => {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-banner-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'banner'), `${'Authorised use only. '.repeat(100)}\nGATE x end 0\n`)
  const { host } = await sshd([`Banner ${folder}/banner`])
  const ran = valueIn(await over([host]).host(host.name).run(look, {}, call))
  expect(ran).toMatchObject({ value: 'here', noise: '' })
})
