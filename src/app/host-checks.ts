import type { SshPool } from '../adapters/ssh-pool.ts'
import type { Check, CheckResult } from '../domain/check.ts'
import type { Door } from '../domain/door.ts'
import { DOORS } from '../domain/door.ts'
import type { Failure } from '../domain/failure.ts'
import type { Host } from '../domain/host.ts'
import type { HostSettings } from '../domain/target.ts'
import type { HostFacts } from '../domain/verbs/ping.ts'
import { ping } from '../domain/verbs/ping.ts'

/** What `doctor` looks at on one host, from outside: who answers, whether verbs work, whether all else is shut. */
export function hostChecks(host: HostSettings, about: readonly string[], ssh: SshPool, verbs: Host): readonly Check[] {
  return [
    { about, name: `host ${host.name}: SSH and host key`, run: (signal) => identity(host, ssh, signal) },
    { about, name: `host ${host.name}: verbs`, run: (signal) => verbsWork(host, verbs, signal) },
    { about, name: `host ${host.name}: other doors`, run: (signal) => doorsShut(host, ssh, verbs, signal) },
  ]
}

async function identity({ name }: HostSettings, ssh: SshPool, signal: AbortSignal): Promise<CheckResult> {
  const seen = await ssh.check(name, signal)
  return seen.ok
    ? { state: 'ok', saw: `${seen.value.server}, host key ${seen.value.keyType} ${seen.value.fingerprint}` }
    : fault(`host ${name}`, seen.failure)
}

/** A shell that takes longer than this makes everything slow (performance.md 4). */
const SLOW_SHELL_MS = 100

async function verbsWork({ name }: HostSettings, verbs: Host, signal: AbortSignal): Promise<CheckResult> {
  const ran = await verbs.run(ping, {}, { signal })
  if (!ran.ok) return fault(`host ${name}`, ran.failure)
  const { value, shellMs, noise } = ran.value
  const saw = `gate ${value.delivery}, account ${value.user ?? '(not told)'}, ${value.os ?? 'unknown system'}`
  if (value.delivery === 'quick') return { state: 'warning', saw: `${saw}, a plain shell`, next: INSTALL }
  if (noise.trim() !== '') return { state: 'warning', saw: `${saw}; its login scripts print text`, next: QUIET }
  const cost = shellMs === null ? '' : `; shell and gate cost ${Math.round(shellMs)} ms`
  return shellMs !== null && shellMs > SLOW_SHELL_MS
    ? {
        state: 'warning',
        saw: `${saw}${cost}`,
        next: 'see what its login shell starts (.bashrc, .profile) and make it shorter',
      }
    : { state: 'ok', saw: `${saw}${cost}` }
}

const INSTALL = 'run deploy/host/setup on the host, which makes an account that can do the verbs and nothing else'
const QUIET = 'let its login scripts print nothing where no terminal is (.bashrc, .profile)'

async function doorsShut(host: HostSettings, ssh: SshPool, verbs: Host, signal: AbortSignal): Promise<CheckResult> {
  const seen = await verbs.run(ping, {}, { signal })
  if (!seen.ok) return fault(`host ${host.name}`, seen.failure)
  const doors = await ssh.doors(host.name, signal)
  if (!doors.ok) return fault(`host ${host.name}`, doors.failure)
  return judged(doors.value, seen.value.value)
}

function judged(doors: readonly Door[], { delivery, user }: HostFacts): CheckResult {
  const named = (state: Door['state']) => doors.filter((door) => door.state === state).map(({ name }) => DOORS[name])
  const [open, unknown] = [named('open'), named('unknown')]
  if (delivery === 'quick')
    return { state: 'skipped', saw: `not looked at: the gate is not installed for ${user ?? 'this account'}` }
  if (open.length > 0)
    return { state: 'fault', saw: `the key of ${user ?? 'this account'} also gives ${open.join(', ')}`, next: ONE_LINE }
  if (unknown.length > 0)
    return {
      state: 'warning',
      saw: `no answer when trying ${unknown.join(', ')}`,
      next: 'ask again; then try them by hand',
    }
  return { state: 'ok', saw: `refused: ${named('shut').join(', ')}` }
}

const ONE_LINE =
  'write its line of authorized_keys as deploy/host/setup does: restrict,port-forwarding,permitopen=…,permitlisten=…,command=…'

/** The name of the check says already what it is about. */
export function fault(about: string, { thing, observed, next }: Failure): CheckResult {
  return { state: 'fault', saw: thing.startsWith(about) ? observed : `${thing}: ${observed}`, next }
}
