import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { readReply } from '../../src/domain/gate/reply.ts'

/**
 * The gate in a world of its own: a copy of the script whose settings name a throw-away folder, in which each tool with an
 * effect is a recorder. /proc and /sys are the real ones.
 */
export interface GateWorld {
  readonly folder: string
  /** the copy, with the path that it has as a forced command */
  readonly gate: string
  /** one line for each call of a tool with an effect: `systemctl --no-block restart sglang.service` */
  calls(): Promise<readonly string[]>
  /** sends a line as sshd does to the forced command */
  installed(shell: Shell, line: string): Promise<GateRun>
  /** sends the script to a shell */
  quick(shell: Shell, words: readonly string[], env?: Readonly<Record<string, string>>): Promise<GateRun>
  /** puts a program in the place of a tool */
  tool(name: string, script: string): Promise<void>
}

export interface GateRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The parts of an answer, for which the gate gave this operation id. */
export interface Answer {
  readonly rc: number
  readonly delivery: string
  readonly sections: Readonly<Record<string, { readonly rc: number | null; readonly text: string }>>
}

/** Reads what the gate sent as the client does; throws where that is no whole answer, or the exit status says otherwise. */
export function answerIn({ stdout, stderr, code }: GateRun, op: string): Answer {
  const reply = readReply(stdout, op)
  if (!reply.ok) throw new Error(`${JSON.stringify(reply.failure)}\n${stdout.slice(0, 2000)}\n${stderr}`)
  const { rc, delivery, sections } = reply.value
  if (rc !== code || stderr !== '') throw new Error(`exit ${code}, end ${rc}, standard error: ${stderr}`)
  return { rc, delivery, sections: Object.fromEntries(sections.map(({ name, rc, text }) => [name, { rc, text }])) }
}

/** Asks the installed gate for a verb. */
export async function ask(world: GateWorld, shell: Shell, verb: string, words = '', op = newOp()): Promise<Answer> {
  return answerIn(await world.installed(shell, `/bin/sh -s -- ${verb} ${op} ${words}`), op)
}

export function newOp(): string {
  return randomBytes(16).toString('hex')
}

/** A shell that may stand behind /bin/sh. */
export interface Shell {
  readonly name: string
  readonly command: readonly [file: string, ...args: string[]]
}

export const GATE = fileURLToPath(new URL('../../deploy/host/pilotflame-gate', import.meta.url))

const SHELLS: readonly Shell[] = [
  { name: 'dash', command: ['/usr/bin/dash'] },
  { name: 'busybox ash', command: ['/usr/bin/busybox', 'ash'] },
  { name: 'bash', command: ['/usr/bin/bash', '--posix'] },
  { name: 'mksh', command: ['/usr/bin/mksh'] },
]

/** Each shell, and why it cannot be tried here. The first two are the ones that servers have. */
export const shells = SHELLS.map((shell) => ({ name: shell.name, shell, why: why(shell) }))

function why({ name, command: [file] }: Shell): string | null {
  return existsSync(file) ? null : `${name} is not installed (${file})`
}

/** Whether to skip for this reason, which is said aloud. Where the far side is required the tests run, and fail by `gateWorld`. */
export function skips(reason: string | null): boolean {
  if (reason === null || inject('farSide').required) return false
  process.stderr.write(`SKIPPED far side, gate: ${reason}\n`)
  return true
}

/** Why the gate cannot be tried as root's file, or null. */
export const notRoot = process.getuid?.() === 0 ? null : 'not root: the gate and its files must be owned by root'

/** Pure tools, which the world has as they are. */
const PURE =
  'timeout head tail find stat base64 tr awk sed grep sort cat id uname date readlink getent ls wc cut sleep printf setpriv test'

/** Tools that change files, which are recorded and then run. */
const WRITING = 'mkdir rmdir rm mv ln sync flock'

/** Tools that only say that they were called, until a test puts another program in their place. */
const SILENT = 'nvidia-smi systemctl journalctl ss sudo dmesg df'

interface Wishes {
  /** why it cannot be; then it throws */
  readonly reason: string | null
  readonly units?: string
  /** alters the copy of the script, as to shorten a time limit */
  readonly edit?: (script: string) => string
}

/** It goes with the test. */
export async function gateWorld({
  reason,
  units = 'main sglang.service\n',
  edit = (script) => script,
}: Wishes): Promise<GateWorld> {
  if (reason !== null) throw new Error(`PILOTFLAME_FARSIDE=require, but ${reason}`)
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-gate-'))
  const gate = join(folder, 'pilotflame-gate')
  for (const name of ['bin', 'etc/variants/main', 'state', 'run', 'systemd']) {
    await mkdir(join(folder, name), { recursive: true, mode: 0o755 })
  }
  await writeFile(gate, edit(moved(await readFile(GATE, 'utf8'), folder)), { mode: 0o755 })
  await writeFile(join(folder, 'etc/units'), units, { mode: 0o644 })
  await writeFile(join(folder, 'calls'), '')
  const world = worldIn(folder, gate)
  for (const name of PURE.split(' ')) await symlink(whereIs(name), join(folder, 'bin', name))
  for (const name of WRITING.split(' ')) await world.tool(name, `exec ${whereIs(name)} "$@"`)
  for (const name of SILENT.split(' ')) await world.tool(name, 'exit 0')
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return world
}

function worldIn(folder: string, gate: string): GateWorld {
  return {
    folder,
    gate,
    calls: async () => (await readFile(join(folder, 'calls'), 'utf8')).split('\n').filter(Boolean),
    installed: ({ command: [file, ...args] }, line) => run(file, [...args, gate], { SSH_ORIGINAL_COMMAND: line }, null),
    quick: async ({ command: [file, ...args] }, words, env = {}) =>
      run(file, [...args, '-s', '--', ...words], { HOME: folder, ...env }, await readFile(gate, 'utf8')),
    async tool(name, script) {
      const path = join(folder, 'bin', name)
      // a tool must see the fixed PATH and nothing of a hostile environment
      const record = `[ "$PATH$ENV$LD_PRELOAD$CDPATH" = '${folder}/bin' ] || echo "hostile: $PATH" >>'${folder}/calls'
echo "${name} $*" >>'${folder}/calls'`
      await rm(path, { force: true })
      await writeFile(path, `#!/bin/sh\n${record}\n${script}\n`, { mode: 0o755 })
      await chmod(path, 0o755)
    },
  }
}

/** The script with the folder in its settings; each must be there exactly once. */
function moved(script: string, folder: string): string {
  const settings = {
    PATH: `${folder}/bin`,
    ETC: `${folder}/etc`,
    STATE: `${folder}/state`,
    RUN: `${folder}/run`,
    SYSTEMD: `${folder}/systemd`,
    INSTALLED: `${folder}/pilotflame-gate`,
  }
  return Object.entries(settings).reduce((text, [name, value]) => {
    const parts = text.split(new RegExp(`^  ${name}=/.*$`, 'm'))
    if (parts.length !== 2) throw new Error(`the gate does not set ${name} exactly once`)
    return parts.join(`  ${name}=${value}`)
  }, script)
}

function whereIs(name: string): string {
  const folder = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].find((place) => existsSync(join(place, name)))
  if (folder === undefined) throw new Error(`${name} is not installed`)
  return join(folder, name)
}

/** Runs a program with this environment and nothing else; `input` null: nothing on standard input. */
export function run(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string | null,
): Promise<GateRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
    const chunks: { readonly out: Buffer[]; readonly err: Buffer[] } = { out: [], err: [] }
    child.stdout.on('data', (chunk: Buffer) => chunks.out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.err.push(chunk))
    child.once('error', reject)
    // a shell may end before it has read all
    child.stdin.on('error', () => {})
    child.stdin.end(input ?? '')
    child.once('close', (code) =>
      resolve({
        code,
        stdout: Buffer.concat(chunks.out).toString('latin1'),
        stderr: Buffer.concat(chunks.err).toString(),
      }),
    )
  })
}
