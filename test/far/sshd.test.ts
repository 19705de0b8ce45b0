import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import type { HostSettings } from '../../src/domain/target.ts'
import type { ModelServer } from '../../src/lab/model-server.ts'
import { startModelServer } from '../../src/lab/model-server.ts'
import { healthy } from '../../src/lab/stories.ts'
import { test } from './far-test.ts'
import { openHouse } from './house.ts'
import { freePort } from './process.ts'
import { newKey } from './sshd.ts'

let model: ModelServer
beforeAll(async () => {
  model = await startModelServer({ story: healthy })
})
afterAll(() => model.close())

/** What a smoke over this host fails with. */
async function failureOver(host: HostSettings, url: string) {
  const house = openHouse(host)
  const { smoke } = await house.smoke(url)
  await house.close()
  return smoke?.failure
}

test.for(['AllowTcpForwarding no', 'AllowTcpForwarding remote', 'DisableForwarding yes', 'PermitOpen 127.0.0.1:1'])(
  '%s: the tunnel is prohibited',
  async (line, { sshd }) => {
    const { host } = await sshd([line])
    expect(await failureOver(host, model.url)).toMatchObject({ kind: 'forward-prohibited' })
  },
)

test('sshd without any session still carries a tunnel', async ({ sshd }) => {
  const { host } = await sshd(['MaxSessions 0'])
  expect(await failureOver(host, model.url)).toBeNull()
})

test('nothing listens on the port', async ({ sshd }) => {
  const { host } = await sshd()
  expect(await failureOver(host, `http://127.0.0.1:${await freePort()}`)).toMatchObject({ kind: 'forward-refused' })
})

test('sshd refuses a key that it does not know', async ({ sshd }) => {
  const { host } = await sshd()
  const { privateKey } = await keyPair()
  const failure = await failureOver(
    { ...host, key: { from: 'text', text: privateKey, passphrase: null } },
    'http://127.0.0.1:1',
  )
  expect(failure).toMatchObject({ kind: 'ssh-auth' })
})

test('a host key that is not the pinned one is refused', async ({ sshd }) => {
  const { host } = await sshd()
  const { publicLine } = await keyPair()
  const failure = await failureOver({ ...host, trust: { from: 'pinned', keys: [publicLine] } }, 'http://127.0.0.1:1')
  expect(failure).toMatchObject({ kind: 'hostkey-changed' })
})

test('no sshd listens', async ({ sshd }) => {
  const { host } = await sshd()
  expect(await failureOver({ ...host, port: await freePort() }, 'http://127.0.0.1:1')).toMatchObject({
    kind: 'refused',
  })
})

async function keyPair(): Promise<{ privateKey: string; publicLine: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-key-'))
  const publicLine = await newKey(join(folder, 'key'))
  const privateKey = await readFile(join(folder, 'key'), 'utf8')
  await rm(folder, { recursive: true })
  return { privateKey, publicLine }
}
