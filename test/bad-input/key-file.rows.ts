import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sshPool } from '../../src/adapters/ssh.ts'
import type { HostKeySource } from '../../src/domain/target.ts'
import { silent } from '../adapters/http-server.ts'
import { hostAt, lockedKey, sshd, userKey } from '../adapters/ssh-server.ts'
import { failureIn, keep, never } from '../adapters/tidy.ts'
import type { BadInput } from './row.ts'

type Row = BadInput & { readonly says: readonly string[] }

/** Keys that cannot log in. Nobody is dialled for them, except where a server must refuse. */
export const keyFileRows: readonly Row[] = [
  row('no file', (folder) => file(join(folder, 'none')), ['no such file', 'correct the path']),
  row('a path through a file', (folder) => file(join(folder, 'key', 'deeper')), ['no such file', 'correct the path']),
  row('a directory', (folder) => file(join(folder, 'folder')), ['is a directory', 'correct the path']),
  row('readable by the group', (folder) => file(join(folder, 'group')), ['mode 640', "chmod 600 '"]),
  row('readable by all', (folder) => file(join(folder, 'others')), ['mode 604', "chmod 600 '"]),
  row('empty', (folder) => file(join(folder, 'empty')), ['is empty', 'ssh-keygen']),
  row('some text', (folder) => file(join(folder, 'text')), ['no private key', 'ssh-keygen']),
  row('cut off', (folder) => file(join(folder, 'half')), ['no private key', 'ssh-keygen']),
  row('the public key', (folder) => file(join(folder, 'key.pub')), ['is the public key', 'without .pub']),
  row('the public key, which everybody may read', (folder) => file(join(folder, 'open.pub')), ['is the public key']),
  row('a PuTTY key', (folder) => file(join(folder, 'key.ppk')), ['PuTTY format', 'puttygen']),
  row('a locked key without its passphrase', (folder) => file(join(folder, 'locked')), [
    'needs a passphrase',
    'NAME of a variable as hosts.box.key_passphrase_env in pilotflame.yml',
  ]),
  row('a locked key with another passphrase', (folder) => file(join(folder, 'locked'), 'wrong'), [
    'does not open with the given passphrase',
    'the variable that hosts.box.key_passphrase_env',
  ]),
  row('a key in the environment that is none', () => ({ from: 'text', text: 'secret', passphrase: null }), [
    'key of host box',
    'no private key',
  ]),
  row('an agent that is not there', (folder) => ({ from: 'agent', socket: join(folder, 'agent') }), [
    'no such socket',
    'SSH_AUTH_SOCK',
  ]),
  row('an agent that is a file', (folder) => ({ from: 'agent', socket: join(folder, 'key') }), [
    'is no socket',
    'ssh-add',
  ]),
  alone('a public key for the agent that is not there', 'none.pub', ['public key file', 'no such file', 'ssh-add -L']),
  alone('a private key as the one for the agent', 'key', ['is no public key', 'name the .pub file']),
  alone('a folder as the key for the agent', 'folder', ['is no public key']),
  alone('an empty public key', 'empty', ['is no public key']),
  alone('a public key that is cut', 'cut.pub', ['is no public key']),
  alone('a public key that the agent does not hold', 'key.pub', ['does not hold the key SHA256:', 'ssh-add -l']),
  row('a key that the host does not know', () => ({ from: 'text', text: strange, passphrase: null }), [
    'refuses our key for user pilot',
    'authorized_keys',
    '10 minutes',
  ]),
]

const locked = lockedKey('right')
const strange = lockedKey(null)

function file(path: string, passphrase: string | null = null): HostKeySource {
  return { from: 'file', path, passphrase }
}

/** A key that is to be offered alone, by an agent that holds none. */
function alone(name: string, only: string, says: readonly string[]): Row {
  return row(name, (folder) => ({ from: 'agent', socket: join(folder, 'socket'), only: join(folder, only) }), says)
}

function row(name: string, key: (folder: string) => HostKeySource, says: readonly string[]): Row {
  return {
    name,
    says,
    async run() {
      const folder = await keys()
      const { port } = await keep(sshd())
      const agent = await emptyAgent(join(folder, 'socket'))
      const ssh = sshPool([hostAt({ port, key: key(folder) })], {
        clock: { now: () => 0, monotonic: () => 0 },
        log: silent,
      })
      const outcome = await ssh.check('box', never)
      await ssh.close()
      agent.close()
      await rm(folder, { recursive: true })
      return failureIn(outcome)
    },
  }
}

/** An agent that answers every question with no keys (its message 12). */
async function emptyAgent(path: string): Promise<Server> {
  const agent = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => socket.write(Buffer.from([0, 0, 0, 5, 12, 0, 0, 0, 0])))
  })
  await once(agent.listen(path), 'listening')
  return agent
}

async function keys(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-'))
  const files: Readonly<Record<string, string>> = {
    key: userKey.private,
    group: userKey.private,
    others: userKey.private,
    'key.pub': userKey.public,
    'open.pub': userKey.public,
    'cut.pub': userKey.public.slice(0, -4),
    'key.ppk': 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n',
    empty: '\n',
    text: 'secret\n',
    half: userKey.private.slice(0, 200),
    locked,
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 })
  await chmod(join(folder, 'group'), 0o640)
  await chmod(join(folder, 'others'), 0o604)
  await chmod(join(folder, 'open.pub'), 0o644)
  await mkdir(join(folder, 'folder'))
  return folder
}
