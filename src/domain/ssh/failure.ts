import type { Failure } from '../failure.ts'
import type { HostSettings } from '../target.ts'
import type { Stage } from './signs.ts'
import { sshKind } from './signs.ts'
import { silentWords, sshWords } from './words.ts'

export type { Stage } from './signs.ts'

/** `host gpu-box-1 (10.0.0.5:22)` */
export function hostThing(host: HostSettings): string {
  return `host ${host.name} (${host.address}:${host.port})`
}

/** Reads what ssh2 said while it connected (the levels and texts of testbed.md 3.2, trust.md F6 and F9). */
export function dialFailure(host: HostSettings, error: Error, stage: Stage): Failure {
  const level = 'level' in error ? String(error.level) : ''
  const code = 'code' in error ? String(error.code) : ''
  const kind = sshKind({ level, code, message: error.message, stage })
  const isSilent = level === 'client-timeout' && kind === 'connect-timeout' && stage !== 'dialling'
  const words = isSilent ? silentWords(error.message) : sshWords(kind, error.message, host)
  return { kind, thing: hostThing(host), ...words }
}

/** The host did not open the way to a port: reason 1 it may not, reason 2 nobody listens there (testbed.md 3.1). */
export function openFailure(host: HostSettings, target: string, error: Error): Failure {
  const reason = 'reason' in error ? error.reason : null
  const observed = error.message.replace(/^\(SSH\) /, '')
  const thing = `tunnel through ${hostThing(host)} to ${target}`
  if (reason === 1) {
    return {
      kind: 'forward-prohibited',
      thing,
      observed: `the host does not allow this forward (${observed})`,
      next: `allow it there: AllowTcpForwarding and PermitOpen in sshd_config, or permitopen="${target}" in authorized_keys`,
    }
  }
  if (reason === 2) {
    return {
      kind: 'forward-refused',
      thing,
      observed,
      next: `see on the host whether the server runs and listens there (ss -ltn), or correct the URL`,
    }
  }
  return lost(host, observed)
}

export function lost(host: HostSettings, observed: string): Failure {
  return {
    kind: 'lost',
    thing: hostThing(host),
    observed: `the SSH connection broke off (${observed})`,
    next: 'ask again: it is dialled anew; if it breaks again, look at the host and the network between',
  }
}

export function openTimeout(host: HostSettings, target: string, ms: number): Failure {
  return {
    kind: 'connect-timeout',
    thing: `tunnel through ${hostThing(host)} to ${target}`,
    observed: `the host did not open it within ${ms / 1000} s`,
    next: 'see whether the host hangs (ssh to it by hand) and whether the address can be reached from there',
  }
}

export function stopped(thing: string): Failure {
  return { kind: 'stopped', thing, observed: 'stopped before it was ready', next: 'ask again when it is wanted' }
}
