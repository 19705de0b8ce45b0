import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a program printed. It must end with 0. */
export function output(file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const text = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text.out += piece
  })
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    text.err += piece
  })
  return new Promise<typeof text>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(text)
      else reject(new Error(`${file} ${args.join(' ')} ended with ${code}: ${text.err}`))
    })
  })
}

/** The same, with what it and its own programs cost of the CPU, in ms. */
export async function costly(file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  // its own complaints go along with what it prints, so that only `time` is left here
  const { out, err } = await output('bash', ['-c', 'time "$@" 2>&1', 'bash', file, ...args], {
    ...env,
    TIMEFORMAT: '%U %S',
  })
  const [user = Number.NaN, system = Number.NaN] = err.trim().split(' ').map(Number)
  return { out, cpuMs: (user + system) * 1000 }
}

/** ms by the clock on the wall. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** A master connection of OpenSSH, once others can use it; ends with this process. Gives its process id. */
export async function master(folder: string, host: string, socket: string): Promise<number> {
  const child = spawn('ssh', ['-F', join(folder, 'ssh_config'), '-M', '-N', host], { stdio: 'ignore' })
  endWithUs(child)
  while (!existsSync(join(folder, socket))) {
    if (child.exitCode !== null) throw new Error(`the master connection to ${host} ended with ${child.exitCode}`)
    await sleep(20)
  }
  return child.pid ?? 0
}

/** Also where we end by an error. */
export function endWithUs(child: ChildProcess): void {
  if (started.length === 0) process.once('exit', endAll)
  started.push(child)
}

const started: ChildProcess[] = []

function endAll(): void {
  for (const child of started) child.kill()
}

export function isThere(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)))
}

/** Memory of a process in KiB: `Rss` what it has, `Pss` with its part of what it shares. */
export function memory(pid: number | 'self', what: 'Rss' | 'Pss'): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(new RegExp(`^${what}: +(\\d+) kB`, 'm').exec(text)?.[1])
}

/** What took part, in one line. */
export function parties(commands: readonly string[]): string {
  const { version } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../node_modules/ssh2/package.json'), 'utf8'),
  )
  const said = commands.map((command) =>
    execFileSync('sh', ['-c', `${command} 2>&1 | head -n 1`], { encoding: 'utf8' }),
  )
  return [`node ${process.version}`, `ssh2 ${version}`, ...said.map((text) => text.trim())].join(', ')
}
