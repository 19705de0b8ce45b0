import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sshPool } from '../../src/adapters/ssh.ts'
import { fingerprint } from '../../src/adapters/ssh-fingerprint.ts'
import type { HostTrust } from '../../src/domain/target.ts'
import { silent } from '../adapters/http-server.ts'
import { hostAt, hostKey, keyPair, sshd } from '../adapters/ssh-server.ts'
import { failureIn, keep, never } from '../adapters/tidy.ts'
import type { BadInput } from './row.ts'

type Row = BadInput & { readonly says: readonly string[] }

const other = keyPair()
const ecdsa = keyPair('ecdsa')
const ours = `ssh-ed25519 ${shown(hostKey.public)}`
const GOOD = `[127.0.0.1]:PORT ${hostKey.public}\n`
const CONSOLE = 'at its own console (ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub)'

/** Hosts whose key is not the one that we know. PORT in a known_hosts line or in the words is the port of the server. */
export const hostKeyRows: readonly Row[] = [
  row('unknown', '# nobody\n', [
    `not known: ${ours}`,
    CONSOLE,
    `(echo '[127.0.0.1]:PORT ${hostKey.public}' >> FOLDER/known_hosts)`,
  ]),
  row('known under another port only', `127.0.0.1 ${hostKey.public}\n`, ['not known']),
  row('known for another host only', `[127.0.0.2]:PORT ${hostKey.public}\n`, ['not known']),
  row('negated', `!*,* ${hostKey.public}\n`, ['not known']),
  row('only of another type', `[127.0.0.1]:PORT ${ecdsa.public}\n`, [
    'not known',
    'only keys of type ecdsa-sha2-nistp256',
  ]),
  row('only a certificate authority', `@cert-authority * ${hostKey.public}\n`, [
    'not known',
    'certificates are not supported',
    'the key itself must be known',
    `(echo '[127.0.0.1]:PORT ${hostKey.public}' >> FOLDER/known_hosts)`,
  ]),
  row('known beside a line that is cut', `${GOOD}[127.0.0.1]:PORT ${other.public.slice(0, -4)}\n`, [
    'FOLDER/known_hosts line 2',
    'cannot be judged',
    'its key cannot be read',
    'correct that line or take it out',
  ]),
  row('known beside an unknown marker', `${GOOD}@revoke * ${hostKey.public}\n`, [
    'line 2',
    'neither @revoked nor @cert-authority',
    'correct that line',
  ]),
  row('known beside a line without key', `${GOOD}[127.0.0.1]:PORT\n`, ['line 2', 'holds no key']),
  row('known beside a key of another type than its word', `${GOOD}* ssh-rsa ${hostKey.public.split(' ')[1]}\n`, [
    'line 2',
    'not of the type that stands before it',
  ]),
  row('known beside a hash that cannot be read', `${GOOD}|1|salt|hash ${hostKey.public}\n`, [
    'line 2',
    'its hashed name cannot be read',
  ]),
  row('changed', `\n[127.0.0.1]:PORT ${other.public}\n`, [
    `changed: now ${ours}`,
    `known is ${shown(other.public)}`,
    'known_hosts line 2',
    'somebody in between',
    CONSOLE,
    "(ssh-keygen -R '[127.0.0.1]:PORT' -f FOLDER/known_hosts)",
    `(echo '[127.0.0.1]:PORT ${hostKey.public}' >> FOLDER/known_hosts)`,
  ]),
  row('revoked', `[127.0.0.1]:PORT ${hostKey.public}\n@revoked * ${hostKey.public}\n`, [
    'a revoked host key',
    ours,
    'line 2',
  ]),
  row('a file that is not there', null, [
    'FOLDER/known_hosts: no such file',
    '(ssh-keyscan -t ed25519 -p PORT 127.0.0.1 >> FOLDER/known_hosts)',
    '(ssh-keygen -lf FOLDER/known_hosts)',
    CONSOLE,
    'hosts.box.known_hosts in pilotflame.yml',
  ]),
  row(
    'a file in a folder that is not there',
    null,
    ["(mkdir -p 'FOLDER/my keys' && ssh-keyscan -t ed25519 -p PORT 127.0.0.1 >> 'FOLDER/my keys/known_hosts')"],
    'my keys/known_hosts',
  ),
  row('a folder in place of the file', null, ['cannot be read (EISDIR)', 'hosts.box.known_hosts'], '.'),
  row(
    'a pinned key that is another',
    [other.public],
    [
      `changed: now ${ours}`,
      '(hosts.box.host_key)',
      CONSOLE,
      `'${hostKey.public}' as hosts.box.host_key in pilotflame.yml, then start again`,
    ],
  ),
  row('one of several pinned keys', [ecdsa.public, other.public], ['(hosts.box.host_key, key 2)']),
  row('nothing pinned', [], ['not known', `add '${hostKey.public}' as hosts.box.host_key in pilotflame.yml`]),
  row(
    'a pinned line that is no key',
    ['ssh-ed25519 nonsense'],
    ['hosts.box.host_key', 'no public key line', 'ssh-ed25519 AAAA…', 'pilotflame.yml'],
  ),
  row('a pinned line that is cut', [hostKey.public.slice(0, -4)], ['hosts.box.host_key', 'no public key line']),
  row(
    'a pinned line of another type than its word',
    [`ssh-rsa ${hostKey.public.split(' ')[1]}`],
    ['no public key line'],
  ),
]

function shown(line: string): string {
  return fingerprint(Buffer.from(line.split(' ')[1] ?? '', 'base64'))
}

/** `trust`: the text of a known_hosts file, null for a file that is missing, or pinned lines. */
function row(
  name: string,
  trust: string | null | readonly string[],
  says: readonly string[],
  file = 'known_hosts',
): Row {
  return {
    name,
    says,
    async run() {
      const server = await keep(sshd())
      const folder = await mkdtemp(join(tmpdir(), 'pilotflame-'))
      const path = join(folder, file)
      if (typeof trust === 'string') await writeFile(path, trust.replaceAll('PORT', String(server.port)))
      const given: HostTrust = Array.isArray(trust) ? { from: 'pinned', keys: trust } : { from: 'files', paths: [path] }
      const host = hostAt({ port: server.port, trust: given })
      const ssh = sshPool([host], { clock: { now: () => 0, monotonic: () => 0 }, log: silent })
      const failure = failureIn(await ssh.check('box', never))
      await Promise.all([ssh.close(), rm(folder, { recursive: true })])
      if (server.logins > 0) return { ...failure, observed: 'we logged in to a host that we do not trust' }
      const named = (text: string) => text.replaceAll(String(server.port), 'PORT').replaceAll(folder, 'FOLDER')
      return { thing: named(failure.thing), observed: named(failure.observed), next: named(failure.next) }
    },
  }
}
