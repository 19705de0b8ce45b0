import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** How to start llama-server, or what stands in for it: llama-server's own flags follow `args`. */
export interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** llama-server unpacked below `root`, by its own dynamic linker, since its C library is newer than the machine's. */
export async function unpackedProgram(root: string): Promise<Program> {
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

/** What the program says of itself (`0.7.0 (build 11669, commit Debian)`); throws where it does not run here. */
export async function versionOf({ file, args, env }: Program): Promise<string> {
  const options = { env: { ...process.env, ...env }, timeout: 10_000 }
  const { stdout, stderr } = await promisify(execFile)(file, [...args, '--version'], options)
  const version = /version: (.+)/.exec(stdout + stderr)?.[1]
  if (version === undefined) throw new Error(`${file} --version said: ${(stdout + stderr).slice(0, 200)}`)
  return version
}

/** The CPU back-end that this processor can run. */
async function flavour(): Promise<'haswell' | 'x64'> {
  const cpu = await readFile('/proc/cpuinfo', 'utf8')
  return ['avx2', 'fma', 'f16c', 'bmi2'].every((flag) => new RegExp(`\\b${flag}\\b`).test(cpu)) ? 'haswell' : 'x64'
}
