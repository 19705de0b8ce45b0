import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSshConfig } from '../../src/config/ssh-config.ts'
import { random, randomText } from '../random.ts'
import { folder } from './folder.ts'

test('2,000 garbled files: each is read or refused, none throws', () => {
  const home = folder({ '.ssh/config': '' })
  const alphabet = [
    'Host',
    'Match',
    'Include',
    'exec',
    'gpu1',
    '*',
    '"',
    "'",
    '\\',
    '=',
    '#',
    '!',
    ',',
    ' ',
    '\t',
    '\n',
    '\r',
    '\0',
    '\n\n',
  ]
  const kinds = new Set<boolean>()
  for (let seed = 0; seed < 2000; seed += 1) {
    writeFileSync(join(home, '.ssh/config'), randomText(seed, alphabet, 40))
    const read = readSshConfig(home)
    kinds.add(read.ok)
    if (read.ok) read.config.settings('gpu1', 'dana')('hostname')
  }
  expect(kinds.size).toBe(2)
})

describe.skipIf(spawnSync('ssh', ['-V']).error !== undefined)('as ssh -G', () => {
  test('100 generated files say the same', { timeout: 60_000 }, () => {
    const draw = random(7)
    let told = 0
    for (let round = 0; round < 100; round += 1) {
      const text = randomConfig(draw)
      const home = folder({ '.ssh/config': text })
      const read = readSshConfig(home)
      if (!read.ok) throw new Error(read.found)
      const said = read.config.settings('gpu1', undefined)
      const theirs = sshSays(join(home, '.ssh/config'))
      for (const directive of DIRECTIVES.filter((one) => said(one).length > 0)) {
        expect(said(directive), `${directive} in\n${text}`).toEqual(theirs(directive))
        told += 1
      }
    }
    expect(told).toBeGreaterThan(150)
  })
})

const DIRECTIVES = ['hostname', 'port', 'user', 'proxyjump', 'identityfile', 'userknownhostsfile']

function sshSays(file: string): (directive: string) => readonly (string | undefined)[] {
  const out = execFileSync('ssh', ['-G', '-F', file, 'gpu1'], { encoding: 'utf8', stdio: 'pipe' })
  return (directive) => {
    const values = [...out.matchAll(new RegExp(`^${directive} (.*)$`, 'gm'))].map(([, value]) => value)
    return directive === 'userknownhostsfile' ? values.flatMap((value) => value?.split(' ')) : values
  }
}

function randomConfig({ below, pick }: ReturnType<typeof random>): string {
  const lines = (count: number) => Array.from({ length: count }, () => `  ${pick(LINES)}`)
  const sections = Array.from({ length: 1 + below(4) }, () => [pick(SECTIONS), ...lines(1 + below(4))])
  return `${[...lines(below(2)), ...sections.flat()].join('\n')}\n`
}

const SECTIONS = [
  'Host gpu1',
  'Host *',
  'Host gpu?',
  'Host g* !gpu1',
  'Host a gpu1 b',
  'host=gpu2',
  'HOST "gpu1"',
  'Match all',
]
const LINES = [
  'HostName 10.0.0.5',
  'hostname=10.0.0.6',
  'Port 2222',
  'PORT = 23',
  'User dana',
  'User "dana"',
  'IdentityFile ~/.ssh/a',
  'IdentityFile "~/.ssh/a b"',
  'identityfile = /etc/key',
  'ProxyJump bastion',
  'ProxyJump eve@a:23,b',
  'UserKnownHostsFile /x',
  'UserKnownHostsFile /a /b',
  '# a remark',
  '',
]
