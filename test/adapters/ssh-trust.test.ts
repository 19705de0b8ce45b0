import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, onTestFinished, test } from 'vitest'

import { sshPool } from '../../src/adapters/ssh.ts'
import { silent } from './http-server.ts'
import { hostAt, keyPair, sshd } from './ssh-server.ts'
import { closeLater, failureIn, keep, kindOf, never } from './tidy.ts'

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
