import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Program } from '../program.ts'

/** Pinned, and never in package.json: the engine of a day on which there is no llama-server. */
const PACKAGES = ['node-llama-cpp@3.21.1', '@node-llama-cpp/linux-x64@3.21.1']

/** Installs npm's llama.cpp below `root`, 83 MB: what is optional (other systems, GPUs) is left out, no script is run. */
export async function installFromNpm(root: string, signal: AbortSignal): Promise<void> {
  const lean = ['--no-save', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', ['install', '--prefix', root, ...lean, ...PACKAGES], {
    signal,
    killSignal: 'SIGKILL',
  })
}

/** Our own front on the llama.cpp that is installed below `root`. */
export function npmProgram(root: string): Program {
  const front = fileURLToPath(new URL('./server.ts', import.meta.url))
  return { file: process.execPath, args: [front, root], env: {} }
}
