import type { SshPool } from '../adapters/ssh-pool.ts'
import type { Check, CheckResult } from '../domain/check.ts'
import type { Door } from '../domain/door.ts'
import { DOORS } from '../domain/door.ts'
import type { Failure } from '../domain/failure.ts'
import type { Host, Ran } from '../domain/host.ts'
import type { HostSettings } from '../domain/target.ts'
import { ping, units } from '../domain/verbs/index.ts'
import type { HostFacts } from '../domain/verbs/ping.ts'

/** What `doctor` looks at on one host, from outside: who answers, whether verbs work, whether all else is shut. */
export function hostChecks(
  host: HostSettings,
  targets: readonly string[],
  ssh: SshPool,
  verbs: Host,
): readonly Check[] {
  // a host of no target is nobody's secret, and has to be proved before a target is put on it
  const about = targets.length === 0 ? {} : { about: targets }
  return [
    { ...about, name: `host ${host.name}: SSH and host key`, run: (signal) => identity(host, ssh, signal) },
    { ...about, name: `host ${host.name}: verbs`, run: (signal) => verbsWork(host, verbs, signal) },
    {
      ...about,
      name: `host ${host.name}: limits of the account`,
      run: (signal) => doorsShut(host, ssh, verbs, signal),
    },
  ]
}

async function identity({ name }: HostSettings, ssh: SshPool, signal: AbortSignal): Promise<CheckResult> {
  const seen = await ssh.check(name, signal)
  return seen.ok
    ? { state: 'ok', saw: `${seen.value.server}, host key ${seen.value.keyType} ${seen.value.fingerprint}` }
    : fault(`host ${name}`, seen.failure)
}

async function verbsWork({ name }: HostSettings, verbs: Host, signal: AbortSignal): Promise<CheckResult> {
  const ran = await verbs.run(ping, {}, { signal })
  if (!ran.ok) return fault(`host ${name}`, ran.failure)
  const saw = wordsOf(ran.value)
  const odd = oddity(ran.value)
  if (odd !== null) return { state: 'warning', saw: `${saw}; ${odd.saw}`, next: odd.next }
  const listed = await verbs.run(units, {}, { signal })
  if (!listed.ok) return fault(`host ${name}`, listed.failure)
  const aliases = listed.value.value.units.map(({ unit }) => unit)
  return { state: 'ok', saw: `${saw}; units ${aliases.join(', ') || '(none)'}` }
}

function wordsOf({ value: { delivery, user, os }, shellMs }: Ran<HostFacts>): string {
  const cost = shellMs === null ? '' : `, shell and gate cost ${Math.round(shellMs)} ms`
  return `gate ${delivery}, account ${user ?? '(not told)'}, ${os ?? 'unknown system'}${cost}`
}

/** A shell of more than 100 ms makes everything slow (performance.md 4); the gate's own answer takes as long at worst. */
const SLOW_SHELL_MS = 200

interface Oddity {
  readonly saw: string
  readonly next: string
}

/** What works, and not as it should. */
function oddity({ value, shellMs, noise }: Ran<HostFacts>): Oddity | null {
  if (value.delivery === 'quick')
    return { saw: 'a plain shell, which gives its key whatever the account may', next: INSTALL }
  if (noise.trim() !== '') return { saw: 'its login scripts print text', next: QUIET }
  if (value.systemd === null)
    return { saw: 'systemd does not run there, so units and logs cannot be read', next: NO_SYSTEMD }
  if (value.sudo === false) return { saw: 'none of its sudo lines works, so changes will be refused', next: AGAIN }
  if (value.stateDir === null) return { saw: 'changes cannot be recorded, so they will be refused', next: AGAIN }
  return shellMs !== null && shellMs > SLOW_SHELL_MS
    ? { saw: 'its shell is slow to start', next: 'see what its .bashrc and .profile start, and make them shorter' }
    : null
}

const INSTALL = 'run deploy/host/setup on the host, which makes an account that can do the verbs and nothing else'
const QUIET = 'let its login scripts print nothing where no terminal is (.bashrc, .profile)'
const NO_SYSTEMD =
  'name the machine on which the server’s unit runs; in a container see that systemd is its first process'
const AGAIN = 'run deploy/host/setup there once more, with the same options'

async function doorsShut(host: HostSettings, ssh: SshPool, verbs: Host, signal: AbortSignal): Promise<CheckResult> {
  const seen = await verbs.run(ping, {}, { signal })
  if (!seen.ok) return fault(`host ${host.name}`, seen.failure)
  const { delivery, user } = seen.value.value
  if (delivery === 'quick')
    return { state: 'skipped', saw: `not looked at: the gate is not installed for ${user ?? 'it'}` }
  const doors = await ssh.doors(host.name, signal)
  return doors.ok ? judged(doors.value, user ?? 'this account') : fault(`host ${host.name}`, doors.failure)
}

function judged(doors: readonly Door[], user: string): CheckResult {
  const named = (state: Door['state']) =>
    doors
      .filter((door) => door.state === state)
      .map(({ name }) => DOORS[name])
      .join(', ')
  const [open, unknown] = [named('open'), named('unknown')]
  if (open !== '') return { state: 'fault', saw: `the key of ${user} also gives ${open}`, next: ONE_LINE }
  if (unknown !== '')
    return { state: 'warning', saw: `no answer when trying ${unknown}`, next: 'ask again; then try them by hand' }
  return { state: 'ok', saw: `refused: ${named('shut')}` }
}

const ONE_LINE =
  'run deploy/host/setup there once more: its line of authorized_keys and its /etc/ssh/sshd_config.d/50-pilotflame.conf shut what is open'

/** The name of the check says already what it is about. Faults of the same cause are told once. */
export function fault(about: string, { thing, observed, next }: Failure): CheckResult {
  return {
    state: 'fault',
    saw: thing.startsWith(about) ? observed : `${thing}: ${observed}`,
    next,
    cause: `${thing}: ${observed}`,
  }
}
