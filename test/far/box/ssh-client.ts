import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostSettings } from '../../../src/domain/target.ts'
import type { Executed } from './exec.ts'
import { execute } from './exec.ts'

/**
 * OpenSSH's own client, which knows nothing of ours. `words` end with the command, if there is one; `options` stand
 * before the host (`-N`, `-s`). The rc is 255 where ssh itself failed.
 */
export async function ssh(host: HostSettings, words: readonly string[], given: Given = {}): Promise<Executed> {
  const { address, port, user, key, trust } = host
  if (key.from !== 'text' || trust.from !== 'pinned') throw new Error('a box has its keys as text')
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-ssh-'))
  await writeFile(join(folder, 'key'), key.text, { mode: 0o600 })
  await writeFile(
    join(folder, 'known'),
    trust.keys.map((line) => `[${address}]:${port} ${line}\n${address} ${line}\n`).join(''),
  )
  const settings = [
    `UserKnownHostsFile=${folder}/known`,
    'StrictHostKeyChecking=yes',
    'IdentitiesOnly=yes',
    'BatchMode=yes',
  ]
  const flags = ['-F', 'none', '-i', `${folder}/key`, '-p', String(port), ...settings.flatMap((one) => ['-o', one])]
  try {
    const args = [...flags, ...(given.options ?? []), `${user}@${address}`, ...words]
    return await execute('ssh', args, given.input)
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Given {
  readonly options?: readonly string[]
  readonly input?: string
}
