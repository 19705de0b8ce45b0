import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, test } from 'vitest'

import { hostName, knownKeys } from '../../src/adapters/known-hosts.ts'
import { random } from '../random.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKdrTTY22BvK8VbvJ8pCBBpjAjHYPhNyJ8Pjl4qP7qXf'

const lines = (text: string, address: string, port = 22) => knownKeys(text, address, port).map(({ line }) => line)

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
    expect(knownKeys(text, 'gpu1.lan', 22).map(({ role }) => role)).toEqual(['revoked', 'authority', 'key'])
  })

  test('a hostile pattern costs no time', () => {
    const began = performance.now()
    knownKeys(`${'*a'.repeat(5000)}b ${KEY}`, 'a'.repeat(200), 22)
    expect(performance.now() - began).toBeLessThan(200)
  })
})

const hasKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined

describe.skipIf(!hasKeygen)('as ssh-keygen -F', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pilotflame-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('finds the same lines in generated files', () => {
    const draw = random(20_261_130)
    const asked = [
      ['gpu1', 22],
      ['gpu1', 2222],
      ['gpu12.lan', 22],
      ['10.0.0.5', 22],
      ['fe80::1', 2200],
    ] as const
    let matches = 0
    for (let round = 0; round < 30; round += 1) {
      const path = join(folder, `known_hosts.${round}`)
      const text = Array.from({ length: 40 }, () => randomLine(draw)).join('\n')
      writeFileSync(path, `${text}\n`)
      const [address, port] = asked[round % asked.length] ?? asked[0]
      const ours = lines(text, address, port)
      matches += ours.length
      expect(ours, `${path} ${hostName(address, port)}`).toEqual(keygenLines(path, hostName(address, port)))
    }
    expect(matches).toBeGreaterThan(100)
  })

  function keygenLines(path: string, name: string): number[] {
    try {
      const out = execFileSync('ssh-keygen', ['-F', name, '-f', path], { encoding: 'utf8', stdio: 'pipe' })
      return [...out.matchAll(/^# Host .* found: line (\d+)/gm)].map((match) => Number(match[1]))
    } catch {
      return []
    }
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

function randomLine({ below, pick }: ReturnType<typeof random>): string {
  const name = () => pick(NAMES) ?? 'gpu1'
  const names = Array.from({ length: 1 + below(3) }, () => (below(5) === 0 ? '!' : '') + name()).join(',')
  const host = below(3) === 0 ? hashed(name().toLowerCase()) : names
  const marker = pick(['', '', '', '@revoked ', '@cert-authority ', '# ']) ?? ''
  return `${marker}${host} ${KEY}${pick(['', ' a comment'])}`
}

function hashed(name: string): string {
  const salt = Buffer.alloc(20, 7)
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`
}
