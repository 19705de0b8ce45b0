import { expect, test } from 'vitest'

import { algorithmsFor } from '../../src/adapters/ssh-algorithms.ts'

test('nothing weak is offered, whatever is known', () => {
  const offered = Object.values(algorithmsFor(['ssh-rsa', 'ssh-dss', 'unknown'])).flat()
  expect(offered).toContain('aes128-gcm@openssh.com')
  // Terrapin needs chacha20 or a MAC of the etm kind; SHA-1, MD5, CBC and the small groups are old
  expect(
    offered.filter((name) => /chacha|etm|cbc|arcfour|md5|sha1|group1$|group1-|^ssh-rsa$|dss|zlib/.test(String(name))),
  ).toEqual([])
})

test.for([
  [[], 'ssh-ed25519'],
  [['ecdsa-sha2-nistp384'], 'ecdsa-sha2-nistp384'],
  [['ssh-rsa'], 'rsa-sha2-512'],
  [['ssh-rsa', 'ssh-ed25519'], 'ssh-ed25519'],
  [['ssh-dss', 'sk-ssh-ed25519@openssh.com'], 'ssh-ed25519'],
] as const)('known %o: asked for %s first, and for the others after it', ([known, first]) => {
  const asked = [algorithmsFor(known).serverHostKey].flat()
  expect(asked[0]).toBe(first)
  expect(asked.toSorted()).toEqual([algorithmsFor([]).serverHostKey].flat().toSorted())
})
