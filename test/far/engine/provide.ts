import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { unpackFromDebian } from './debian.ts'
import { versionOf } from './program.ts'

/** A llama-server that runs on this machine, and where it came from. */
export interface ProvidedEngine {
  /** folder that has `usr/bin/llama-server` */
  readonly root: string
  readonly from: string
  readonly version: string
}

/** git-ignored; a checkout that keeps it downloads nothing */
const CACHE = resolve('cache')

/** Time that a source may take to download and unpack, in ms. */
const LIMIT_MS = 90_000

/**
 * The first engine that runs: this checkout's cache, Debian sid, the archive named by PILOTFLAME_ENGINE_ARCHIVE.
 * Each that does not is told to `tell`; throws with all reasons where none does.
 */
export async function provideEngine(tell: (line: string) => void): Promise<ProvidedEngine> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`the engine runs on Linux x64 only, this is ${process.platform} ${process.arch}`)
  }
  const refusals: string[] = []
  for (const [from, fetch] of sources()) {
    try {
      const root = await fetch(AbortSignal.timeout(LIMIT_MS))
      return { root, from, version: await versionOf(root) }
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error)
      const reason = `${from}: ${said.trim().split('\n').slice(0, 3).join(' ')}`
      refusals.push(reason)
      tell(`engine not from ${reason}`)
    }
  }
  throw new Error(refusals.join('; '))
}

type Fetch = (signal: AbortSignal) => Promise<string>

function sources(): readonly (readonly [string, Fetch])[] {
  const cached = join(CACHE, 'engine')
  const archive = process.env['PILOTFLAME_ENGINE_ARCHIVE']
  const unpacked: Fetch = (signal) => filled(cached, (root) => unpack(archive ?? '', root, signal))
  return [
    ['the cache', () => cachedIn(cached)],
    ['Debian sid', (signal) => filled(cached, (root, work) => unpackFromDebian(root, work, signal))],
    ...(archive === undefined ? [] : [[archive, unpacked] as const]),
  ]
}

async function cachedIn(folder: string): Promise<string> {
  await access(folder).catch(() => {
    throw new Error('empty')
  })
  return folder
}

/** Fills a folder under a temporary name and puts it in its place only when it is whole. */
async function filled(target: string, fill: (root: string, work: string) => Promise<void>): Promise<string> {
  await mkdir(CACHE, { recursive: true })
  const work = await mkdtemp(join(CACHE, 'filling-'))
  try {
    const root = join(work, 'root')
    await mkdir(root)
    await fill(root, work)
    await versionOf(root)
    await rm(target, { recursive: true, force: true })
    await rename(root, target)
    return target
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function unpack(archive: string, root: string, signal: AbortSignal): Promise<void> {
  await promisify(execFile)('tar', ['-xJf', archive, '-C', root], { signal })
}
