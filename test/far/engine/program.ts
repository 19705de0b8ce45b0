import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** How to start llama-server: by its own dynamic linker, since its C library is newer than the machine's. */
export interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The engine unpacked under a folder that has `usr/bin/llama-server`. */
export async function programIn(root: string): Promise<Program> {
  const lib = join(root, 'usr/lib/x86_64-linux-gnu')
  return {
    file: join(lib, 'ld-linux-x86-64.so.2'),
    args: [
      ...['--library-path', `${lib}:${join(lib, 'llama')}`],
      ...['--argv0', 'llama-server', join(root, 'usr/bin/llama-server')],
    ],
    env: { GGML_BACKEND_PATH: join(lib, `ggml/backends0/libggml-cpu-${await flavour()}.so`) },
  }
}

/** What the unpacked engine says of itself (`11669 (Debian)`); throws where it does not run here. */
export async function versionOf(root: string): Promise<string> {
  const { file, args, env } = await programIn(root)
  const { stdout, stderr } = await promisify(execFile)(file, [...args, '--version'], { env, timeout: 10_000 })
  const version = /version: (.+)/.exec(stdout + stderr)?.[1]
  if (version === undefined) throw new Error(`llama-server --version said: ${(stdout + stderr).slice(0, 200)}`)
  return version
}

/** The CPU back-end that this processor can run. */
async function flavour(): Promise<'haswell' | 'x64'> {
  const cpu = await readFile('/proc/cpuinfo', 'utf8')
  return ['avx2', 'fma', 'f16c', 'bmi2'].every((flag) => new RegExp(`\\b${flag}\\b`).test(cpu)) ? 'haswell' : 'x64'
}
