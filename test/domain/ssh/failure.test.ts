import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { algorithmsFor } from '../../../src/adapters/ssh-algorithms.ts'
import type { FailureKind } from '../../../src/domain/failure.ts'
import { sentence } from '../../../src/domain/failure.ts'
import { dialFailure } from '../../../src/domain/ssh/failure.ts'
import { CIPHERS, HOST_KEYS, KEX, MACS } from '../../../src/domain/ssh/offer.ts'
import type { Stage } from '../../../src/domain/ssh/signs.ts'
import type { HostSettings } from '../../../src/domain/target.ts'

const host: HostSettings = {
  name: 'gpu-box-1',
  address: '10.0.0.5',
  port: 22,
  user: 'ops',
  key: { from: 'agent', socket: '/run/agent' },
  trust: { from: 'pinned', keys: [] },
  jump: null,
  gate: null,
}

type Row = readonly [
  message: string,
  fields: { level?: string; code?: string | number },
  stage: Stage,
  kind: FailureKind,
]

describe('a dial that failed', () => {
  const rows: readonly Row[] = [
    ['getaddrinfo ENOTFOUND gpu', { level: 'client-socket', code: 'ENOTFOUND' }, 'dialling', 'dns'],
    ['connect ECONNREFUSED', { level: 'client-socket', code: 'ECONNREFUSED' }, 'dialling', 'refused'],
    ['connect EHOSTUNREACH', { level: 'client-socket', code: 'EHOSTUNREACH' }, 'dialling', 'connect-timeout'],
    ['Timed out while waiting for handshake', { level: 'client-timeout' }, 'dialling', 'connect-timeout'],
    ['Timed out while waiting for handshake', { level: 'client-timeout' }, 'greeted', 'connect-timeout'],
    ['Timed out while waiting for handshake', { level: 'client-timeout' }, 'babbled', 'not-ssh'],
    ['Keepalive timeout', { level: 'client-timeout' }, 'greeted', 'keepalive'],
    ['Connection lost before handshake', { level: 'protocol' }, 'dialling', 'banned'],
    ['Connection lost before handshake', { level: 'protocol' }, 'greeted', 'reset'],
    ['Connection lost before handshake', { level: 'protocol' }, 'babbled', 'not-ssh'],
    ['read ECONNRESET', { level: 'client-socket', code: 'ECONNRESET' }, 'dialling', 'banned'],
    ['read ECONNRESET', { level: 'client-socket', code: 'ECONNRESET' }, 'greeted', 'reset'],
    ['Invalid identification string', { level: 'protocol' }, 'dialling', 'not-ssh'],
    ['something odd', { level: 'protocol' }, 'dialling', 'not-ssh'],
    ['something odd', {}, 'dialling', 'reset'],
    ['closed before we were logged in', {}, 'dialling', 'reset'],
    ['Handshake failed: no matching S->C cipher', { level: 'handshake' }, 'greeted', 'kex'],
    ['Handshake failed: signature verification failed', { level: 'handshake' }, 'greeted', 'kex'],
    ['Host denied (verification failed)', { level: 'handshake' }, 'greeted', 'hostkey-changed'],
    ['All configured authentication methods failed', { level: 'client-authentication' }, 'greeted', 'ssh-auth'],
    ['Too many authentication failures', { code: 2 }, 'greeted', 'ssh-auth'],
    ['Error while signing with key: unsupported', { level: 'client-authentication' }, 'greeted', 'auth-method'],
    ['Failed to sign data with agent', { level: 'agent' }, 'greeted', 'agent'],
  ]
  it.each(rows)('%s %o %s: %s', (message, fields, stage, kind) => {
    const failure = dialFailure(host, Object.assign(new Error(message), fields), stage)
    expect(failure).toMatchObject({ kind, thing: 'host gpu-box-1 (10.0.0.5:22)' })
    expect(sentence(failure)).not.toMatch(/NAME\b(?!S)|USER\b/)
  })
})

const failureOf = (message: string, level: string, stage: Stage) =>
  dialFailure(host, Object.assign(new Error(message), { level }), stage)

describe('time that ran out', () => {
  const said = (stage: Stage) => failureOf('Timed out while waiting for handshake', 'client-timeout', stage)

  test('before the port was open is told of the machine and the way', () => {
    expect(said('dialling').observed).toBe('no answer (Timed out while waiting for handshake)')
    expect(said('dialling').next).toBe('see whether the machine is up and whether a firewall lies between')
  })

  test.each<Stage>(['open', 'greeted'])('at the stage %s is told of the SSH server', (stage) => {
    expect(said(stage)).toMatchObject({ kind: 'connect-timeout' })
    expect(said(stage).observed).toContain('the port is open, and the SSH server behind it is silent')
    expect(said(stage).next).toMatch(/systemctl status ssh.*UseDNS.*something else has that port/)
    expect(said(stage).next).not.toContain('firewall')
  })
})

describe('no common way to talk', () => {
  const offered = algorithmsFor([])
  const of = (message: string) => failureOf(message, 'handshake', 'greeted')

  test.each([
    ['no matching C->S cipher', 'Ciphers', offered.cipher],
    ['no matching S->C cipher', 'Ciphers', offered.cipher],
    ['no matching cipher found. Their offer: aes128-cbc', 'Ciphers', offered.cipher],
    ['no matching C->S MAC', 'MACs', offered.hmac],
    ['no matching S->C MAC', 'MACs', offered.hmac],
    ['no matching S->C compression', 'Compression', offered.compress],
    ['no matching key exchange algorithm', 'KexAlgorithms', offered.kex],
    ['no matching key exchange method found. Their offer: sntrup', 'KexAlgorithms', offered.kex],
    ['no matching host key format', 'HostKeyAlgorithms', offered.serverHostKey],
    ['no matching host key type found. Their offer: ssh-rsa', 'HostKeyAlgorithms', offered.serverHostKey],
  ])('%s: all that we offer for that part, and the keyword %s', (message, keyword, names) => {
    const { kind, next } = of(`Handshake failed: ${message}`)
    expect(kind).toBe('kex')
    expect(next).toContain(`one of ${Array.isArray(names) ? names.join(', ') : ''} (${keyword} in sshd_config`)
  })

  test.each(['Handshake failed: signature verification failed', 'KEXINIT: bad packet'])(
    '%s names no part',
    (message) => {
      expect(of(message).next).not.toContain('sshd_config')
    },
  )

  test('what the page recommends is what we offer', () => {
    const page = readFileSync(new URL('../../../docs/problems/ssh.algorithms.md', import.meta.url), 'utf8')
    const parts = {
      KexAlgorithms: KEX,
      HostKeyAlgorithms: HOST_KEYS.map(({ algorithm }) => algorithm),
      Ciphers: CIPHERS,
      MACs: MACS,
    }
    for (const [keyword, names] of Object.entries(parts)) {
      const line = new RegExp(`^ +- \`${keyword}\`: ([^(\n]*)`, 'm').exec(page)?.[1] ?? ''
      const named = line.trim().split(', ')
      expect(named.length).toBeGreaterThan(1)
      expect(named.filter((name) => !names.some((one) => one === name))).toEqual([])
    }
    expect(page).not.toContain('chacha20')
  })
})

test('says whose key was refused and where to correct it', () => {
  const error = Object.assign(new Error('x'), { level: 'client-authentication' })
  const { observed, next } = dialFailure(host, error, 'greeted')
  expect(observed).toBe('refuses our key for user ops')
  expect(next).toContain('~ops/.ssh/authorized_keys')
  expect(next).toContain('hosts.gpu-box-1.key')
  expect(next).toMatch(/journalctl -u ssh.*from=.*DenyUsers.*locked account/)
})
