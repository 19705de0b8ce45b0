import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { uptime } from 'node:os'
import { join } from 'node:path'
import type { Answer, GateWorld, Shell } from './gate-world.ts'
import { ask, gateWorld, notRoot, shells } from './gate-world.ts'

export const RUN = 'a1'.repeat(16)

/** A unit as `systemctl show` tells it. */
export interface Seen {
  readonly state: string
  readonly sub?: string
  readonly restarts?: number
  /** seconds since it last left `inactive` */
  readonly since?: number
  readonly run?: string
  readonly job?: number
  readonly group?: string
}

export const ACTIVE: Seen = { state: 'active', sub: 'running', run: RUN, since: 5 }
export const LOOP: Seen = { state: 'activating', sub: 'auto-restart', restarts: 7, run: RUN }
export const STARTING: Seen = { state: 'activating', sub: 'start', run: RUN, since: 300 }
export const STOPPED: Seen = { state: 'inactive', sub: 'dead' }
export const STOPPING: Seen = { state: 'deactivating', sub: 'stop-sigterm', run: RUN }

/** The shells that servers have, and why one cannot be tried. */
export const tried = shells.slice(0, 2).map(({ name, shell, why }) => ({ name, shell, reason: why ?? notRoot }))

/** A world whose only unit, `main`, is active, and whose systemctl obeys. */
export async function unitWorld(
  reason: string | null,
  units?: string,
  edit?: (script: string) => string,
): Promise<GateWorld> {
  const world = await gateWorld({
    reason,
    ...(units === undefined ? {} : { units }),
    ...(edit === undefined ? {} : { edit }),
  })
  await world.tool('systemctl', `[ "$1" != show ] || exec cat ${world.folder}/show`)
  await shows(world, ACTIVE)
  return world
}

/** What `systemctl show` says of each unit from now on. */
export async function shows(
  world: GateWorld,
  { state, sub = '', restarts = 0, since = 0, run = '', job, group }: Seen,
): Promise<void> {
  const began = since === 0 ? 0 : Math.round((uptime() - since) * 1e6)
  const lines = {
    ActiveState: state,
    SubState: sub,
    NRestarts: restarts,
    InvocationID: run,
    ControlGroup: group ?? '/pilotflame.none',
    InactiveExitTimestampMonotonic: began,
    Job: job ?? '',
  }
  const text = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(world.folder, 'show'), text.join(''))
}

/** Calls of systemctl that change something. */
export async function acts(world: GateWorld): Promise<readonly string[]> {
  return (await world.calls()).filter((call) => call.startsWith('systemctl') && !call.startsWith('systemctl show'))
}

export async function fate(world: GateWorld, shell: Shell, op: string): Promise<string | undefined> {
  return (await ask(world, shell, 'opstat', op)).sections['op']?.text
}

/** Another account than root: nobody, which every Debian has. */
export const NOBODY = 65_534

/** Lets an account use the world as it could use a host; its tools write down their calls whoever calls them. */
export async function openToAll(world: GateWorld): Promise<void> {
  await chmod(world.folder, 0o755)
  await chmod(join(world.folder, 'calls'), 0o666)
}

/** The folder that the system gives the account `nobody` while it is logged in. */
export async function accountFolder({ folder }: GateWorld): Promise<string> {
  const path = join(folder, 'run/user', String(NOBODY))
  await mkdir(path, { recursive: true })
  await chmod(path, 0o700)
  await chown(path, NOBODY, NOBODY)
  return path
}

/** The shell as an account has it. */
export function by(uid: number, { name, command }: Shell): Shell {
  return { name, command: ['/usr/bin/setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...command] }
}

export function refusal(answer: Answer): string | undefined {
  return answer.sections['refusal']?.text
}

/** The section `act` as an object. */
export function act(answer: Answer): Readonly<Record<string, string>> {
  const lines = answer.sections['act']?.text.trimEnd().split('\n') ?? []
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}
