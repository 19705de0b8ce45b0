import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, test } from 'vitest'

import { hostName, readKnownHosts } from '../../src/adapters/known-hosts.ts'
import { random } from '../random.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKdrTTY22BvK8VbvJ8pCBBpjAjHYPhNyJ8Pjl4qP7qXf'

const lines = (text: string, address: string, port = 22) =>
  readKnownHosts(text, address, port).keys.map(({ line }) => line)

describe('a line', () => {
  test.for([
    ['plain', `gpu1 ${KEY}`, 'gpu1', 22, true],
    ['plain, other case', `GPU1 ${KEY}`, 'gpu1', 22, true],
    ['one of several names', `a,gpu1,10.0.0.5 ${KEY}`, '10.0.0.5', 22, true],
    ['another port', `[gpu1]:2222 ${KEY}`, 'gpu1', 2222, true],
    ['without its port', `gpu1 ${KEY}`, 'gpu1', 2222, false],
    ['with a port for port 22', `[gpu1]:22 ${KEY}`, 'gpu1', 22, false],
    ['star', `gpu* ${KEY}`, 'gpu12', 22, true],
    ['star in the middle', `g*2 ${KEY}`, 'gpu12', 22, true],
    ['question mark', `gpu? ${KEY}`, 'gpu1', 22, true],
    ['question mark for nothing', `gpu? ${KEY}`, 'gpu', 22, false],
    ['negated', `!gpu3,gpu* ${KEY}`, 'gpu3', 22, false],
    ['negated for another', `!gpu3,gpu* ${KEY}`, 'gpu4', 22, true],
    ['negated after the match', `gpu*,!gpu3 ${KEY}`, 'gpu3', 22, false],
    ['only negated', `!gpu3 ${KEY}`, 'gpu4', 22, false],
    ['hashed', `${hashed('gpu1')} ${KEY}`, 'gpu1', 22, true],
    ['hashed with port', `${hashed('[gpu1]:2222')} ${KEY}`, 'gpu1', 2222, true],
    ['hashed for another', `${hashed('gpu1')} ${KEY}`, 'gpu2', 22, false],
    ['a comment', `# gpu1 ${KEY}`, 'gpu1', 22, false],
    ['without key', 'gpu1 ssh-ed25519', 'gpu1', 22, false],
    ['an unknown marker', `@trusted gpu1 ${KEY}`, 'gpu1', 22, false],
    ['indented, with tabs and a Windows line end', ` \tgpu1\t${KEY} me@home\r`, 'gpu1', 22, true],
  ] as const)('%s', ([, text, address, port, found]) => {
    expect(lines(`# first\n${text}\n`, address, port)).toEqual(found ? [2] : [])
  })

  test('a marker gives the key its role', () => {
    const text = `@revoked * ${KEY}\n@cert-authority *.lan ${KEY}\ngpu1.lan ${KEY}`
    expect(readKnownHosts(text, 'gpu1.lan', 22).keys.map(({ role }) => role)).toEqual(['revoked', 'authority', 'key'])
  })

  test('a hostile pattern costs no time', () => {
    const began = performance.now()
    readKnownHosts(`${'*a'.repeat(5000)}b ${KEY}`, 'a'.repeat(200), 22)
    expect(performance.now() - began).toBeLessThan(200)
  })
})

describe('a broken line', () => {
  test.for([
    ['without a key', 'gpu1 ssh-ed25519', 'holds no key'],
    ['without anything', 'gpu1', 'holds no key'],
    ['with a remark in place of the key', 'gpu1 # old', 'key cannot be read'],
    ['with an unknown marker', `@revoke gpu1 ${KEY}`, 'marker'],
    ['with an unknown marker and a wildcard', `@trusted * ${KEY}`, 'marker'],
    ['with a marker in capitals', `@REVOKED gpu1 ${KEY}`, 'marker'],
    ['with two markers', `@revoked @cert-authority gpu1 ${KEY}`, 'marker'],
    ['with a key that is cut', `gpu1 ${KEY.slice(0, -4)}`, 'key cannot be read'],
    ['with half a group of its key', `gpu1 ${KEY.slice(0, -1)}`, 'key cannot be read'],
    ['with something behind its key', `gpu1 ${KEY}AAAA`, 'key cannot be read'],
    ['with padding too much', `gpu1 ${KEY}=`, 'key cannot be read'],
    ['with a foreign letter in its key', `gpu1 ${KEY.replace('KdrT', 'Kd_T')}`, 'key cannot be read'],
    ['with nothing but a type in its key', 'gpu1 ssh-ed25519 AAAAC3NzaC1lZDI1NTE5', 'key cannot be read'],
    ['with a key of SSH 1', 'gpu1 1024 35 1234567890', 'key cannot be read'],
    ['with another type before its key', `gpu1 ${KEY.replace('ssh-ed25519', 'ssh-rsa')}`, 'not of the type'],
    ['revoked, with a broken key', `@revoked * ${KEY.slice(0, -4)}`, 'key cannot be read'],
    ['with a salt that is too short', `|1|AAAA|${'A'.repeat(27)}= ${KEY}`, 'hashed name'],
    ['with a hash of another kind', `${hashed('gpu1').replace('|1|', '|2|')} ${KEY}`, 'hashed name'],
    ['with two hashes', `${hashed('gpu1')},${hashed('gpu2')} ${KEY}`, 'hashed name'],
    ['hashed for another, with a hash that is cut', `${hashed('gpu2').slice(0, -3)} ${KEY}`, 'hashed name'],
  ] as const)('%s cannot be judged', ([, text, problem]) => {
    const { keys, broken } = readKnownHosts(`# first\n${text}\ngpu1 ${KEY}\n`, 'gpu1', 22)
    expect(broken).toEqual([{ line: 2, problem: expect.stringContaining(problem) }])
    expect(keys.map(({ line }) => line)).toEqual([3])
  })

  test.for([
    ['about another host', 'gpu2 ssh-ed25519'],
    ['about all but this host', `!gpu1,* ${KEY.slice(0, -4)}`],
    ['about another port', '[gpu1]:2222 ssh-ed25519'],
    ['that is prose', 'keys of the old cluster, see the wiki'],
    ['of a marker for another host', `@trusted gpu2 ${KEY}`],
    ['of a marker for nobody', '@revoked'],
    ['hashed for another host', `${hashed('gpu2')} ssh-ed25519`],
    ['that is commented out', '# gpu1 ssh-ed25519'],
    ['of spaces', ' \t '],
  ] as const)('%s is passed over', ([, text]) => {
    expect(readKnownHosts(text, 'gpu1', 22)).toEqual({ keys: [], broken: [] })
  })
})

/** of one generated file */
const LINES = 12
const hasKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined

describe.skipIf(!hasKeygen)('as ssh-keygen -F', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pilotflame-'))
  const together = join(folder, 'known_hosts')
  afterAll(() => rmSync(folder, { recursive: true }))

  test('finds the same lines in 2,000 generated files, and no broken line escapes', { timeout: 60_000 }, () => {
    const draw = random(20_261_130)
    const asked = [
      ['gpu1', 22],
      ['gpu1', 2222],
      ['gpu12.lan', 22],
      ['10.0.0.5', 22],
      ['fe80::1', 2200],
    ] as const
    const files = Array.from({ length: 2000 }, (_, round) => {
      const [address, port] = asked[round % asked.length] ?? asked[0]
      return { address, port, written: Array.from({ length: LINES }, () => randomLine(draw)) }
    })
    writeFileSync(together, files.flatMap(({ written }) => written.map(({ whole }) => `${whole}\n`)).join(''))
    const found = new Map(
      asked.map(([address, port]) => hostName(address, port)).map((name) => [name, keygenLines(name)]),
    )
    let [matches, refused] = [0, 0]
    for (const [round, { address, port, written }] of files.entries()) {
      const { keys, broken } = readKnownHosts(written.map(({ shown }) => shown).join('\n'), address, port)
      const about = (found.get(hostName(address, port)) ?? [])
        .map((line) => line - round * LINES)
        .filter((line) => line >= 1 && line <= LINES)
      const isBroken = (line: number) => written[line - 1]?.shown !== written[line - 1]?.whole
      const place = `file ${round}, ${hostName(address, port)}`
      expect(
        keys.map(({ line }) => line),
        place,
      ).toEqual(about.filter((line) => !isBroken(line)))
      expect(
        broken.map(({ line }) => line),
        place,
      ).toEqual(about.filter(isBroken))
      matches += keys.length
      refused += broken.length
    }
    expect(matches).toBeGreaterThan(2000)
    expect(refused).toBeGreaterThan(500)
  })

  /** The lines that ssh-keygen finds for a name in all files, one behind the other: a process for each file takes long. */
  function keygenLines(name: string): readonly number[] {
    const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
    const { stdout } = spawnSync('ssh-keygen', ['-F', name, '-f', together], options)
    return Array.from(stdout.matchAll(/^# Host .* found: line (\d+)/gm), ([, line]) => Number(line))
  }
})

const NAMES = [
  'gpu1',
  'GPU1',
  'gpu12.lan',
  '[gpu1]:2222',
  '10.0.0.5',
  '10.0.0.*',
  'gpu*',
  '*',
  '*.lan',
  'gpu?',
  '[fe80::1]:2200',
  '[*]:2222',
]

const DAMAGED = [
  KEY.slice(0, -1),
  KEY.slice(0, -4),
  KEY.slice(0, 40),
  `${KEY}AAAA`,
  KEY.replace('ssh-ed25519', 'ssh-rsa'),
  KEY.replace('ssh-ed25519 ', ''),
  'ssh-ed25519',
]

/** A line, and how it is shown to us: every fifth time or so with damage that must not change whom it is about. */
function randomLine({ below, pick }: ReturnType<typeof random>): { readonly whole: string; readonly shown: string } {
  const name = () => pick(NAMES) ?? 'gpu1'
  const names = Array.from({ length: 1 + below(3) }, () => (below(5) === 0 ? '!' : '') + name()).join(',')
  const host = below(3) === 0 ? hashed(name().toLowerCase()) : names
  const marker = pick(['', '', '', '@revoked ', '@cert-authority ', '# ']) ?? ''
  const rest = pick(['', ' a comment'])
  const whole = `${marker}${host} ${KEY}${rest}`
  const damage = below(15)
  if (marker === '# ' || damage > 2) return { whole, shown: whole }
  if (damage === 0) return { whole, shown: `@trusted ${marker}${host} ${KEY}${rest}` }
  return { whole, shown: `${marker}${host} ${pick(DAMAGED)}` }
}

function hashed(name: string): string {
  const salt = Buffer.alloc(20, 7)
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`
}
