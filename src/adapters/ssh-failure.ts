import type { Failure, FailureKind } from '../domain/failure.ts'
import type { HostSettings } from '../domain/target.ts'
import { NETWORK_CODES } from './network-codes.ts'

/** How far a dial had come when it failed; `babbled`: something came that was no SSH greeting. */
export type Stage = 'dialling' | 'babbled' | 'greeted'

/** `host gpu-box-1 (10.0.0.5:22)` */
export function hostThing(host: HostSettings): string {
  return `host ${host.name} (${host.address}:${host.port})`
}

/** Reads what ssh2 said while it connected (the levels and texts of testbed.md 3.2, trust.md F6 and F9). */
export function dialFailure(host: HostSettings, error: Error, stage: Stage): Failure {
  const level = 'level' in error ? String(error.level) : ''
  const code = 'code' in error ? String(error.code) : ''
  const kind = kindOf(level, code, error.message, stage)
  return { kind, thing: hostThing(host), ...words(kind, host, error.message) }
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

function kindOf(level: string, code: string, message: string, stage: Stage): FailureKind {
  const byCode = NETWORK_CODES[code]
  if (byCode !== undefined) return byCode
  if (level === 'agent') return 'agent'
  if (level === 'client-authentication' || /authentication failures/i.test(message)) return 'ssh-auth'
  if (stage === 'babbled') return 'not-ssh'
  if (level === 'client-timeout') return stage === 'greeted' && /keepalive/i.test(message) ? 'lost' : 'connect-timeout'
  if (level === 'handshake') return 'kex'
  if (stage === 'greeted') return 'reset'
  // closed before the greeting: sshd's penalty box or MaxStartups, never a host that is down
  if (code === 'ECONNRESET' || /lost before handshake/i.test(message)) return 'banned'
  return level === 'protocol' || /identification|banner|header/i.test(message) ? 'not-ssh' : 'reset'
}

type Words = Pick<Failure, 'observed' | 'next'>

function words(kind: FailureKind, host: HostSettings, message: string): Words {
  const name = `hosts.${host.name}`
  const known: Partial<Record<FailureKind, Words>> = {
    dns: {
      observed: `the name does not resolve (${message})`,
      next: `correct ${name}.address, or mend the name service of this machine`,
    },
    refused: {
      observed: 'connection refused',
      next: `start sshd there (systemctl start ssh), or correct ${name}.port`,
    },
    'connect-timeout': {
      observed: `no answer (${message})`,
      next: 'see whether the machine is up and whether a firewall lies between',
    },
    banned: {
      observed: 'sshd closed the connection before it greeted',
      next: 'wait a minute: this is its penalty for failed logins, or MaxStartups; then look into its log (journalctl -u ssh)',
    },
    'not-ssh': {
      observed: `what answers there is no SSH server (${message})`,
      next: `correct ${name}.port`,
    },
    kex: {
      observed: `no common way to talk (${message})`,
      next: 'update sshd there; this client knows curve25519, ecdh and dh groups with sha2, no post-quantum exchange',
    },
    'ssh-auth': {
      observed: `refuses our key for user ${host.user}`,
      next:
        `add the public key to ~${host.user}/.ssh/authorized_keys there, or correct ${name}.user or ${name}.key. ` +
        'Then `pilotflame doctor` tries at once; else it is not tried again for 10 minutes, lest sshd lock us out',
    },
    agent: {
      observed: `the SSH agent did not sign (${message})`,
      next: 'see with ssh-add -l whether the agent holds the key',
    },
    reset: {
      observed: `the connection was cut while logging in (${message})`,
      next: 'look into the log of sshd there (journalctl -u ssh)',
    },
    lost: { observed: message, next: 'ask again: it is dialled anew' },
  }
  return known[kind] ?? { observed: message, next: 'look into the log of sshd there (journalctl -u ssh)' }
}
