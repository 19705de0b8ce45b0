import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { HostSettings } from '../domain/target.ts'

/** A host that is configured and whose jump hosts come to an end. */
export function findHost(hosts: readonly HostSettings[], name: string): Outcome<HostSettings> {
  const [first, ...jumps] = way(hosts, name)
  const last = jumps.at(-1) ?? first
  if (first === undefined || last === undefined)
    return failed(misconfigured(name, NO_HOST, `add hosts.${name}, or correct the name`))
  if (last.jump === null) return ok(first)
  const names = [first, ...jumps].map((host) => host.name)
  return names.includes(last.jump)
    ? failed(
        misconfigured(name, `its jump hosts go in a circle: ${[...names, last.jump].join(' → ')}`, 'correct one jump'),
      )
    : failed(misconfigured(last.jump, NO_HOST, `add hosts.${last.jump}, or correct the jump of ${last.name}`))
}

const NO_HOST = 'no such host is configured'

/** The host and those it goes through, up to one that is unknown or was passed already. */
export function way(hosts: readonly HostSettings[], name: string): readonly HostSettings[] {
  const found: HostSettings[] = []
  let next = hosts.find((host) => host.name === name)
  while (next !== undefined && !found.includes(next)) {
    found.push(next)
    const { jump } = next
    next = hosts.find((host) => host.name === jump)
  }
  return found
}

function misconfigured(name: string, observed: string, next: string): Failure {
  return { kind: 'config', thing: `host ${name}`, observed, next }
}
