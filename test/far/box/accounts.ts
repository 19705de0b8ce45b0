import { readFile } from 'node:fs/promises'
import type { Disk } from './disk.ts'

/** Somebody who may log in to the box, with a key only, and who is not root. */
export interface Account {
  readonly name: string
  /** such as the machine has already */
  readonly groups: readonly string[]
  readonly shell: string
}

/** A person with an ordinary account. The one of the product is made by deploy/host/setup. */
export const usualAccounts: readonly Account[] = [{ name: 'operator', groups: ['systemd-journal'], shell: '/bin/bash' }]

const FIRST_UID = 7700

/** Adds them by hand, which takes none of the time of useradd; `keyOf` gives the line of their authorized_keys. Their password is `*`: none, and yet not locked. */
export async function addAccounts(
  disk: Disk,
  accounts: readonly Account[],
  keyOf: (name: string) => string,
): Promise<void> {
  const people = accounts.map((account, index) => ({ ...account, uid: FIRST_UID + index }))
  await append(
    disk,
    '/etc/passwd',
    people.map(({ name, uid, shell }) => `${name}:x:${uid}:${uid}::/home/${name}:${shell}`),
  )
  await append(
    disk,
    '/etc/shadow',
    people.map(({ name }) => `${name}:*:20000:0:99999:7:::`),
    0o640,
  )
  const groups = (await disk.read('/etc/group')).trimEnd().split('\n')
  const joined = groups.map((line) => withMembers(line, accounts))
  const own = people.map(({ name, uid }) => `${name}:x:${uid}:`)
  await disk.write('/etc/group', [...joined, ...own, ''].join('\n'))
  const skeleton = await readFile('/etc/skel/.bashrc', 'utf8').catch(() => '')
  for (const { name, uid } of people) {
    await disk.write(`/home/${name}/.bashrc`, skeleton, { owner: uid })
    await disk.write(`/home/${name}/.ssh/authorized_keys`, `${keyOf(name)}\n`, { owner: uid, mode: 0o600 })
  }
}

async function append(disk: Disk, path: string, lines: readonly string[], mode = 0o644): Promise<void> {
  await disk.write(path, [(await disk.read(path)).trimEnd(), ...lines, ''].join('\n'), { mode })
}

/** `adm:x:4:` with those who are to be in it. */
function withMembers(line: string, accounts: readonly Account[]): string {
  const [group = '', , , members = ''] = line.split(':')
  const more = accounts.filter(({ groups }) => groups.includes(group)).map(({ name }) => name)
  if (more.length === 0) return line
  return line.slice(0, line.length - members.length) + [...members.split(','), ...more].filter(Boolean).join(',')
}
