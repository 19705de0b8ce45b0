import { expect, test } from 'vitest'
import { headlineOf } from '../../../src/commands/smoke/headline.ts'
import type { FailureKind } from '../../../src/domain/failure.ts'

const failure = (kind: FailureKind) => ({ kind, thing: 'host box', observed: 'x', next: 'y' }) as const

test.each([
  ['hostkey-unknown', 'The host key is not known yet'],
  ['hostkey-file', 'The known host keys are missing or cannot be read'],
  ['hostkey-changed', 'The host key has changed'],
  ['hostkey-revoked', 'The host key is revoked'],
] as const)('%s: %s', (kind, headline) => {
  expect(headlineOf({ code: 'ssh.hostkey' }, failure(kind))).toBe(headline)
  // another cause lies before it
  expect(headlineOf({ code: 'ssh.jump' }, failure(kind))).toBe('The way through the jump host broke')
})

test('of a key that only a pasted text speaks of, no more is said than that it is not trusted', () => {
  expect(headlineOf({ code: 'ssh.hostkey' }, null)).toBe('The host key is not trusted')
})
