import { describe, expect, it, test } from 'vitest'
import type { FailureKind } from '../../src/domain/failure.ts'
import { sentence } from '../../src/domain/failure.ts'
import { dialFailure } from '../../src/domain/ssh-failure.ts'
import type { Stage } from '../../src/domain/ssh-signs.ts'
import type { HostSettings } from '../../src/domain/target.ts'

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

test('says whose key was refused and where to correct it', () => {
  const error = Object.assign(new Error('x'), { level: 'client-authentication' })
  const { observed, next } = dialFailure(host, error, 'greeted')
  expect(observed).toBe('refuses our key for user ops')
  expect(next).toContain('~ops/.ssh/authorized_keys')
  expect(next).toContain('hosts.gpu-box-1.key')
})
