import { execFile, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import ssh2 from 'ssh2'
import { describe, expect, onTestFinished, test } from 'vitest'

import { hostName } from '../../src/adapters/known-hosts.ts'
import { sshPool } from '../../src/adapters/ssh.ts'
import { trustOf } from '../../src/adapters/ssh-trust.ts'
import { silent } from './http-server.ts'
import { hostAt, keyPair, sshd } from './ssh-server.ts'
import { closeLater, failureIn, keep, kindOf, never, valueIn } from './tidy.ts'

const run = promisify(execFile)
const has = (program: string) => spawnSync(program, ['-?']).error === undefined

/** What a failure tells to type here, in its order; what is to be typed on the machine itself is left out. */
const commandsIn = (next: string) =>
  [...next.matchAll(/\(((?:mkdir|ssh-keyscan|ssh-keygen -R|echo) [^)]*)\)/g)].map(([, command = '']) => command)

describe.skipIf(!has('ssh-keygen') || !has('ssh-keyscan'))('what a refused host key tells to do settles it', () => {
  test.for([
    ['a file that is not there', null, 'hostkey-file', 1],
    ['an unknown key', '# nobody\n', 'hostkey-unknown', 1],
    ['a changed key', `[127.0.0.1]:PORT ${keyPair().public}\n`, 'hostkey-changed', 2],
  ] as const)('%s', async ([, text, kind, count]) => {
    const folder = await mkdtemp(join(tmpdir(), "pilot flame's-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = text === null ? join(folder, 'new', 'known_hosts') : join(folder, 'known_hosts')
    const box = await keep(sshd())
    if (text !== null) await writeFile(path, text.replace('PORT', String(box.port)))
    const ssh = sshPool([hostAt({ port: box.port, trust: { from: 'files', paths: [path] } })], {
      clock: { now: () => 0, monotonic: () => 0 },
      log: silent,
    })
    closeLater(ssh)
    const failure = failureIn(await ssh.check('box', never))
    expect(failure.kind).toBe(kind)
    const commands = commandsIn(failure.next)
    expect(commands).toHaveLength(count)
    for (const command of commands) await run('/bin/sh', ['-c', command])
    expect(kindOf(await ssh.check('box', never))).toBe('ok')
    expect((await readFile(path, 'utf8')).trim().split('\n').at(-1)).toContain(`[127.0.0.1]:${box.port} ssh-ed25519 `)
  })
})

/** Two keys of each type: the one that the host shows, and another. */
const KEYS = {
  'ssh-ed25519': [keyPair().public, keyPair().public],
  'ecdsa-sha2-nistp256': [keyPair('ecdsa').public, keyPair('ecdsa').public],
  'ecdsa-sha2-nistp384': [ecdsa(384), ecdsa(384)],
  'ecdsa-sha2-nistp521': [ecdsa(521), ecdsa(521)],
  'ssh-rsa': [keyPair('rsa').public, keyPair('rsa').public],
} as const

/** NAME is how the host is filed, THIS the key that it shows, OTHER one of its type, FOREIGN one of another type. */
const FILES = [
  ['known', 'NAME THIS', 'ok'],
  ['known among others', '# old\nNAME OTHER\nNAME FOREIGN\nNAME THIS a comment', 'ok'],
  ['changed', 'NAME OTHER', 'hostkey-changed'],
  ['changed, while a key of another type is known', 'NAME FOREIGN\nNAME OTHER', 'hostkey-changed'],
  ['unknown', '# NAME THIS', 'hostkey-unknown'],
  ['known for another host', 'x-NAME THIS', 'hostkey-unknown'],
  ['revoked', 'NAME THIS\n@revoked NAME THIS', 'hostkey-revoked'],
  ['revoked for everybody, before it is known', '@revoked * THIS\nNAME THIS', 'hostkey-revoked'],
  ['revoked and else unknown', '@revoked NAME THIS', 'hostkey-revoked'],
  ['known, while another is revoked', 'NAME THIS\n@revoked * OTHER', 'ok'],
  ['wrong type', 'NAME FOREIGN', 'hostkey-unknown'],
  ['hashed', 'HASHED THIS', 'ok'],
  ['hashed and changed', 'HASHED OTHER', 'hostkey-changed'],
  ['hashed for another port', 'ELSEWHERE THIS', 'hostkey-unknown'],
  ['wildcard', '* THIS', 'ok'],
  ['wildcard and changed', 'g*,* OTHER', 'hostkey-changed'],
  ['negated', '!NAME,* THIS', 'hostkey-unknown'],
  ['negated, and changed on another line', '!NAME,* THIS\nNAME OTHER', 'hostkey-changed'],
  ['an authority only', '@cert-authority * OTHER', 'hostkey-unknown'],
  ['an authority beside the key', '@cert-authority * OTHER\nNAME THIS', 'ok'],
  ['a broken line beside the key', 'NAME THIS\nNAME ssh-rsa AAAA', 'hostkey-file'],
  ['an unknown marker beside the key', 'NAME THIS\n@revoke * THIS', 'hostkey-file'],
] as const

const cases = [22, 2222].flatMap((port) =>
  Object.keys(KEYS).flatMap((type) => FILES.map(([what, text, verdict]) => ({ what, text, verdict, type, port }))),
)

test('the table has its 64 cases and more', () => expect(cases.length).toBeGreaterThanOrEqual(64))

test.for(cases)('$what, $type, port $port: $verdict', async ({ text, verdict, type, port }) => {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'known_hosts')
  const [shown, other] = keysOf(type)
  const [foreign] = keysOf(type === 'ssh-rsa' ? 'ssh-ed25519' : 'ssh-rsa')
  const name = hostName('gpu1', port)
  const words = {
    NAME: name,
    THIS: shown,
    OTHER: other,
    FOREIGN: foreign,
    HASHED: hashed(name),
    ELSEWHERE: hashed('gpu1:1'),
  }
  await writeFile(
    path,
    text.replace(/NAME|THIS|OTHER|FOREIGN|HASHED|ELSEWHERE/g, (word) => wordOf(words, word)),
  )
  const trust = await trustOf(hostAt({ address: 'gpu1', port, trust: { from: 'files', paths: [path] } }))
  const key = Buffer.from(shown.split(' ')[1] ?? '', 'base64')
  expect(trust.ok ? (trust.value.judge(key)?.kind ?? 'ok') : trust.failure.kind).toBe(verdict)
  if (verdict === 'ok') expect(valueIn(trust).types).toContain(type)
})

test('types are those of trusted keys only: the host is asked for what can be checked', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'known_hosts')
  const [[rsa], [ed25519], [ecdsa256]] = [KEYS['ssh-rsa'], KEYS['ssh-ed25519'], KEYS['ecdsa-sha2-nistp256']]
  await writeFile(path, `gpu1 ${rsa}\n@revoked gpu1 ${ed25519}\n@cert-authority * ${ecdsa256}\n`)
  const trust = await trustOf(hostAt({ address: 'gpu1', port: 22, trust: { from: 'files', paths: [path] } }))
  expect(valueIn(trust).types).toEqual(['ssh-rsa'])
})

function keysOf(type: string): readonly [string, string] {
  const found = Object.entries(KEYS).find(([name]) => name === type)
  if (found === undefined) throw new Error(`no key of type ${type}`)
  return found[1]
}

function wordOf(words: Readonly<Record<string, string>>, word: string): string {
  return words[word] ?? word
}

function ecdsa(bits: 384 | 521): string {
  return ssh2.utils.generateKeyPairSync('ecdsa', { bits }).public
}

function hashed(name: string): string {
  const salt = Buffer.alloc(20, 7)
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`
}
