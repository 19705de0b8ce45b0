import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { systemdVersion } from '../far/box/probe.ts'
import { modelFile, modelNames } from '../far/engine/models/index.ts'
import type { Program } from '../far/engine/program.ts'
import type { EngineSource } from '../far/engine/provide.ts'
import { engineSources, provideEngine } from '../far/engine/provide.ts'
import { sshdVersion } from '../far/sshd.ts'

/** What the far side has on this machine. Passed on to its tests, which skip, or fail where it is `required`. */
export interface FarSide {
  readonly required: boolean
  readonly sshd: Part<string>
  /** whether machines of our own can boot */
  readonly systemd: Part<string>
  readonly engine: Part<Engine>
}

/** A real program, or why it is not there. */
export type Part<T> = { readonly there: true; readonly it: T } | { readonly there: false; readonly why: string }

interface Engine {
  readonly program: Program
  /** folder with a file for each model */
  readonly models: string
}

declare module 'vitest' {
  interface ProvidedContext {
    farSide: FarSide
  }
}

/**
 * PILOTFLAME_FARSIDE: `auto` skips loudly what cannot run here, `require` fails instead, `off` does not look.
 * PILOTFLAME_ENGINE: `cache`, `debian`, `archive` or `npm` is the only source of the engine; else the first that has one.
 * PILOTFLAME_ENGINE_ARCHIVE: the path of a packed llama-server.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const mode = chosen('PILOTFLAME_FARSIDE', ['auto', 'require', 'off']) ?? 'auto'
  const only = chosen('PILOTFLAME_ENGINE', engineSources)
  const models = await mkdtemp(join(tmpdir(), 'pilotflame-models-'))
  const look = mode === 'off' ? () => Promise.reject(new Error('PILOTFLAME_FARSIDE=off')) : null
  const sshd = await part('sshd', 'ssh2 servers of the lab and the adapter tests', look ?? sshdVersion)
  const systemd = await part('systemd', 'recordings of systemctl, the lab, plain sshd', look ?? systemdVersion)
  const engine = await part('engine', 'model servers of the lab', look ?? (() => engineWith(models, only)))
  project.provide('farSide', { required: mode === 'require', sshd, systemd, engine })
  return () => rm(models, { recursive: true, force: true })
}

/** The value of a variable, which must be one of these; null where it is not set. */
function chosen<T extends string>(variable: string, values: readonly T[]): T | null {
  const value = process.env[variable]
  if (value === undefined) return null
  const known = values.find((one) => one === value)
  if (known === undefined) throw new Error(`${variable}=${value}: it must be one of ${values.join(', ')}`)
  return known
}

async function engineWith(models: string, only: EngineSource | null): Promise<Engine> {
  const places = {
    cache: resolve('cache'),
    mirror: null,
    archive: process.env['PILOTFLAME_ENGINE_ARCHIVE'] ?? null,
    only,
    limitMs: 90_000,
  }
  const { program, from, version } = await provideEngine(places, say)
  say(`far side: engine ${version} from ${from}`)
  for (const name of modelNames) await writeFile(join(models, `${name}.gguf`), modelFile(name))
  return { program, models }
}

async function part<T>(name: string, instead: string, look: () => Promise<T>): Promise<Part<T>> {
  try {
    return { there: true, it: await look() }
  } catch (error) {
    const why = `far side, ${name}: ${error instanceof Error ? error.message : String(error)}`
    say(`SKIPPED ${why}. Still running: ${instead}.`)
    return { there: false, why }
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
