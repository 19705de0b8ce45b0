import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemMirror, unpackFromDebian } from './debian.ts'
import { installFromNpm, npmProgram } from './npm/install.ts'
import type { Program } from './program.ts'
import { unpackedProgram, versionOf } from './program.ts'

/** The sources of an engine, in the order in which they are asked. */
export const engineSources = ['cache', 'debian', 'archive', 'npm'] as const
export type EngineSource = (typeof engineSources)[number]

/** An engine that runs on this machine, and where it came from. */
export interface ProvidedEngine extends Checked {
  readonly from: string
}

/** Where an engine may come from. */
export interface Places {
  /** folder that keeps what was downloaded; a checkout that keeps it downloads nothing */
  readonly cache: string
  /** Debian mirror; null asks the one of this machine's own apt */
  readonly mirror: string | null
  /** a packed llama-server */
  readonly archive: string | null
  /** the only source to ask; null asks all */
  readonly only: EngineSource | null
  /** time that a source may take to download and unpack, in ms */
  readonly limitMs: number
}

/** The first engine that runs. Each source that has none is told to `tell`; throws with all reasons where none has. */
export async function provideEngine(places: Places, tell: (line: string) => void): Promise<ProvidedEngine> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`the engine runs on Linux x64 only, this is ${process.platform} ${process.arch}`)
  }
  const refusals: string[] = []
  const sources = { ...llamaServers(places), npm: fromNpm(places, tell) }
  for (const name of places.only === null ? engineSources : [places.only]) {
    const { from, fetch } = sources[name]
    const limit = AbortSignal.timeout(places.limitMs)
    try {
      return { from, ...(await fetch(limit)) }
    } catch (error) {
      const reason = `${from}: ${limit.aborted ? `nothing within ${places.limitMs / 1000} s` : firstLines(error)}`
      refusals.push(reason)
      tell(`engine not from ${reason}`)
    }
  }
  throw new Error(refusals.join('; '))
}

interface Checked {
  readonly program: Program
  readonly version: string
}

interface Source {
  readonly from: string
  readonly fetch: (signal: AbortSignal) => Promise<Checked>
}

/** Wherever one comes from, it is kept in the same folder. */
function llamaServers({ cache, mirror, archive }: Places): Record<'cache' | 'debian' | 'archive', Source> {
  const kept = join(cache, 'engine')
  const fill = (into: Fill) => filled(kept, unpackedProgram, into)
  return {
    cache: { from: 'the cache', fetch: () => keptIn(kept, unpackedProgram) },
    debian: {
      from: 'Debian sid',
      fetch: (signal) =>
        fill(async (root, work) => unpackFromDebian({ root, work, mirror: mirror ?? (await systemMirror()), signal })),
    },
    archive: {
      from: archive ?? 'PILOTFLAME_ENGINE_ARCHIVE',
      async fetch(signal) {
        if (archive === null) throw new Error('not set')
        return await fill((root) => unpack(archive, root, signal))
      },
    },
  }
}

/** Kept beside the cache's llama-server and asked last, so that a real one is looked for in every run. */
function fromNpm({ cache }: Places, tell: (line: string) => void): Source {
  const kept = join(cache, 'npm-engine')
  const install = (signal: AbortSignal) => {
    tell(`NO llama-server here: installing node-llama-cpp (83 MB) into ${kept}`)
    return filled(kept, npmProgram, (root) => installFromNpm(root, signal))
  }
  return {
    from: 'npm, llama.cpp behind a front of our own',
    fetch: (signal) => keptIn(kept, npmProgram).catch(() => install(signal)),
  }
}

type ProgramIn = (root: string) => Program | Promise<Program>
type Fill = (root: string, work: string) => Promise<void>

async function keptIn(folder: string, programIn: ProgramIn): Promise<Checked> {
  await access(folder).catch(() => {
    throw new Error('empty')
  })
  const program = await programIn(folder)
  return { program, version: await versionOf(program) }
}

/** Fills a folder under a temporary name and puts it in its place only when it is whole and runs. */
async function filled(target: string, programIn: ProgramIn, fill: Fill): Promise<Checked> {
  const work = await mkdtemp(join(await made(join(target, '..')), 'filling-'))
  try {
    const root = await made(join(work, 'root'))
    await fill(root, work)
    const { version } = await keptIn(root, programIn)
    await rm(target, { recursive: true, force: true })
    await rename(root, target)
    return { program: await programIn(target), version }
  } finally {
    // a program that was stopped may still be writing
    await rm(work, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function made(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  return folder
}

async function unpack(archive: string, root: string, signal: AbortSignal): Promise<void> {
  await promisify(execFile)('tar', ['-xf', archive, '-C', root], { signal })
}

function firstLines(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error)
  return said.trim().split('\n').slice(0, 3).join(' ')
}
