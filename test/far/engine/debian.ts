import { execFile } from 'node:child_process'
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Downloads llama-server with all its libraries from Debian sid and unpacks it under `root`, without installing
 * anything: apt gets lists, cache and an empty status of its own under `work`. Throws with apt's words.
 */
export async function unpackFromDebian({ root, work, mirror, signal }: Download): Promise<void> {
  const archives = join(work, 'cache/archives')
  await Promise.all(
    ['state/lists/partial', 'cache/archives/partial'].map((dir) => mkdir(join(work, dir), { recursive: true })),
  )
  await writeFile(join(work, 'sources.list'), `deb ${mirror} sid main\n`)
  await writeFile(join(work, 'status'), '')
  await writeFile(join(work, 'apt.conf'), configuration(work))
  const options = {
    env: { ...process.env, APT_CONFIG: join(work, 'apt.conf'), LC_ALL: 'C' },
    signal,
    killSignal: 'SIGKILL',
  } as const
  await run('apt-get', ['update'], options)
  await run('apt-get', ['install', '-y', '--download-only', '--no-install-recommends', 'llama.cpp-tools'], options)
  for await (const name of glob('*.deb', { cwd: archives }))
    await run('dpkg-deb', ['-x', join(archives, name), root], { signal })
}

interface Download {
  readonly root: string
  readonly work: string
  /** `http://deb.debian.org/debian` */
  readonly mirror: string
  readonly signal: AbortSignal
}

/** The mirror that this machine's own apt sources name, in either of their two forms. */
export async function systemMirror(): Promise<string> {
  for await (const path of glob('/etc/apt/{sources.list,sources.list.d/*.{list,sources}}')) {
    const text = await readFile(path, 'utf8')
    const address = /^(?:URIs:|deb(?: \[[^\]]*\])?)\s+(\S+\/debian)\/?(?:\s|$)/m.exec(text)?.[1]
    if (address !== undefined) return address
  }
  throw new Error('no apt source of this machine names a Debian mirror')
}

/** Without the error mode an update that got nothing is a success. */
function configuration(work: string): string {
  return `Dir::Etc::sourcelist "${work}/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State "${work}/state";
Dir::State::status "${work}/status";
Dir::Cache "${work}/cache";
Acquire::Languages "none";
Acquire::http::Timeout "20";
Acquire::Retries "1";
APT::Update::Error-Mode "any";
`
}
