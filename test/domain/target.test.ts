import { expect, test } from 'vitest'
import type { HostSettings } from '../../src/domain/target.ts'
import { hostsToLookAt } from '../../src/domain/target.ts'
import { target } from '../commands/house.ts'

const host = (name: string, jump: string | null = null): HostSettings => ({
  ...{ name, jump, address: '10.0.0.5', port: 22, user: 'pilotflame', gate: null },
  key: { from: 'file', path: '/keys/one', passphrase: null },
  trust: { from: 'files', paths: [] },
})
const on = (name: string | null) => ({ ...target('qwen'), host: name })

test.each([
  ['a host without a target too: it may be free', [host('a'), host('b')], [on('a')], ['a', 'b']],
  ['not one that is but a way to others', [host('door'), host('a', 'door')], [on('a'), on(null)], ['a']],
  ['a way to others on which a target stands', [host('door'), host('a', 'door')], [on('door')], ['door', 'a']],
  ['of several ways none', [host('one'), host('two', 'one'), host('a', 'two')], [on('a')], ['a']],
])('%s', (_name, hosts, targets, names) => {
  expect(hostsToLookAt(hosts, targets)).toEqual(names)
})
