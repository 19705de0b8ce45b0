import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, vi } from 'vitest'
import { sshPool } from '../../src/adapters/ssh.ts'
import { systemClock } from '../../src/app/clock.ts'
import type { HostSettings } from '../../src/domain/target.ts'
import { test } from './far-test.ts'

const run = promisify(execFile)

/** As ssh-keygen names them, with the algorithms of sshd that show such a key. */
const TYPES = {
  'ssh-ed25519': ['ed25519', 'ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa', 'ecdsa-sha2-nistp256'],
  'ssh-rsa': ['rsa', 'rsa-sha2-512,rsa-sha2-256'],
} as const
const types = Object.entries(TYPES)

let folder: string
/** the key that the host has of each type, and another */
const lines = new Map<string, { readonly own: string; readonly other: string }>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pilotflame-keys-'))
  for (const [type, [name]] of types) {
    const [own, other] = await Promise.all([newKey(name, name), newKey(name, `other-${name}`)])
    lines.set(type, { own, other })
  }
})
afterAll(() => rm(folder, { recursive: true }))

/** What came of a login where this known_hosts text is all that is known. NAME is the host. */
async function login(host: HostSettings, text: string): Promise<string> {
  const path = join(folder, 'known_hosts')
  await writeFile(path, text.replaceAll('NAME', `[${host.address}]:${host.port}`))
  return outcomeOf({ ...host, trust: { from: 'files', paths: [path] } })
}

/** The type of the key that was shown, or the kind of the failure. */
async function outcomeOf(host: HostSettings): Promise<string> {
  const ssh = sshPool([host], { clock: systemClock, log: SILENT })
  const outcome = await ssh.check(host.name, AbortSignal.timeout(25_000))
  await ssh.close()
  return outcome.ok ? outcome.value.keyType : outcome.failure.kind
}

const ownTrust = (type: string) => ({ trust: { from: 'pinned', keys: [own(type)] } }) as const
const strangeKey = async () =>
  ({ from: 'text', text: await readFile(join(folder, 'other-ed25519'), 'utf8'), passphrase: null }) as const
const own = (type: string) => lines.get(type)?.own ?? ''
const other = (type: string) => lines.get(type)?.other ?? ''
const hostKeys = () => types.map(([, [name]]) => `HostKey ${join(folder, name)}`)

describe('a host with keys of three types', () => {
  test('shows the one that is known, whichever it is', async ({ sshd }) => {
    const { host } = await sshd(hostKeys())
    for (const [type] of types) expect(await login(host, `NAME ${own(type)}\n`)).toBe(type)
    const all = types.map(([type]) => `NAME ${own(type)}\n`).join('')
    expect(await login(host, all)).toBe('ssh-ed25519')
  })

  test('is found in what ssh-keyscan -H writes', async ({ sshd }) => {
    const { host } = await sshd(hostKeys())
    const { stdout } = await run('ssh-keyscan', ['-H', '-t', 'ecdsa', '-p', String(host.port), host.address])
    expect(stdout).toMatch(/^\|1\|/m)
    expect(await login(host, stdout)).toBe('ecdsa-sha2-nistp256')
  })
})

test.for(types)(
  'a host with a key of type %s only: right for each stored type',
  async ([shown, [, algorithms]], { sshd }) => {
    const { host, log } = await sshd([...hostKeys(), `HostKeyAlgorithms ${algorithms}`])
    for (const [stored] of types.filter(([type]) => type !== shown)) {
      expect(await login(host, `NAME ${own(stored)}\n`), stored).toBe('hostkey-unknown')
    }
    expect(await login(host, `NAME ${other(shown)}\n`)).toBe('hostkey-changed')
    expect(await login(host, `NAME ${own(shown)}\n@revoked * ${own(shown)}\n`)).toBe('hostkey-revoked')
    expect(await login(host, `!NAME,* ${own(shown)}\n`)).toBe('hostkey-unknown')
    expect(await login(host, `NAME ${own(shown)}\nNAME ${shown} AAAA\n`)).toBe('hostkey-file')
    const gone = () => log().match(/^Connection (?:closed|reset) by .*\[preauth\]/gm)?.length ?? 0
    await vi.waitUntil(() => gone() === 5)
    expect(log(), 'sshd names the user once one was named to it').not.toMatch(/user|publickey/)
    expect(await login(host, `* ${own(shown)}\n`)).toBe(shown)
    expect(log()).toContain('Accepted publickey')
    expect(await outcomeOf({ ...host, ...ownTrust(shown), key: await strangeKey() })).toBe('ssh-auth')
    await vi.waitUntil(() => log().includes('closed by authenticating user'))
  },
)

test.for([
  ['chacha20 only, which Terrapin can cut', ['Ciphers chacha20-poly1305@openssh.com'], 'kex'],
  ['etm with a cipher of its own, too', ['Ciphers aes256-ctr', 'MACs hmac-sha2-256-etm@openssh.com'], 'kex'],
  ['SHA-1', ['Ciphers aes256-ctr', 'MACs hmac-sha1'], 'kex'],
  ['a post-quantum exchange only', ['KexAlgorithms sntrup761x25519-sha512@openssh.com'], 'kex'],
  [
    'etm beside a cipher that needs none',
    ['Ciphers aes256-gcm@openssh.com', 'MACs hmac-sha2-256-etm@openssh.com'],
    'ssh-ed25519',
  ],
  ['plain counter mode', ['Ciphers aes256-ctr', 'MACs hmac-sha2-256'], 'ssh-ed25519'],
  ['a strict group exchange', ['KexAlgorithms diffie-hellman-group16-sha512'], 'ssh-ed25519'],
] as const)('sshd with %s', async ([, settings, outcome], { sshd }) => {
  const { host } = await sshd(settings)
  expect(await outcomeOf(host)).toBe(outcome)
})

test('of an agent with many keys only the named one is offered', async ({ sshd }) => {
  const { host } = await sshd()
  if (host.key.from !== 'text') throw new Error('the key of the fixture is a text')
  const socket = await agent()
  const right = join(folder, 'right')
  await writeFile(right, host.key.text, { mode: 0o600 })
  const others = Array.from({ length: 7 }, (_, index) => `many-${index}`)
  for (const name of others) await newKey('ed25519', name)
  const env = { ...process.env, SSH_AUTH_SOCK: socket }
  await run('ssh-add', ['-q', ...others.map((name) => join(folder, name)), right], { env })
  const { stdout } = await run('ssh-keygen', ['-y', '-f', right])
  await writeFile(`${right}.pub`, stdout)
  expect(await outcomeOf({ ...host, key: { from: 'agent', socket } })).toBe('ssh-auth')
  expect(await outcomeOf({ ...host, key: { from: 'agent', socket, only: `${right}.pub` } })).toBe('ssh-ed25519')
  const wrong = { from: 'agent', socket, only: join(folder, 'other-ed25519.pub') } as const
  expect(await outcomeOf({ ...host, key: wrong })).toBe('agent')
})

async function agent(): Promise<string> {
  const socket = join(folder, 'agent')
  const program = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' })
  onTestFinished(async () => {
    program.kill()
    await once(program, 'exit')
  })
  await vi.waitUntil(() => existsSync(socket))
  return socket
}

/** Makes a key pair in the folder, and gives its public line. */
async function newKey(type: string, name: string): Promise<string> {
  await run('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', '', '-f', join(folder, name)])
  return (await readFile(join(folder, `${name}.pub`), 'utf8')).trim()
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
