import type { FailureKind } from '../../domain/failure.ts'
import { byReason } from '../../domain/looked.ts'
import type { Section } from '../../domain/report.ts'
import { counted } from '../../domain/report.ts'
import { listed } from './cells.ts'
import type { HostStanding } from './standing.ts'

/** All that matters of a host that was looked at. */
type LookedAt = Pick<HostStanding, 'host' | 'failure'>

/** Whether most hosts are out of reach in one look: then it is rarely the hosts, and none is accused. */
export function isBlind(hosts: readonly LookedAt[]): boolean {
  const lost = hosts.filter(isUnseen).length
  return lost >= FEWEST && lost >= SHARE * hosts.length
}

const FEWEST = 3
const SHARE = 0.6

/** Kinds that say no more than that we did not get there, and those of our own key. */
const OUT_OF_REACH: ReadonlySet<FailureKind> = new Set([
  'dns',
  'refused',
  'connect-timeout',
  'reset',
  'banned',
  'lost',
  'keepalive',
  'jump',
  'deadline',
  'key-missing',
  'key-permissions',
  'key-format',
  'key-passphrase',
  'agent',
] satisfies FailureKind[])

/** Whether all that is known of a host is that we did not get there. */
export function isUnseen({ failure }: LookedAt): boolean {
  return failure !== null && OUT_OF_REACH.has(failure.kind)
}

/** What the bot itself cannot see, and where to look. */
export function blindWords(hosts: readonly LookedAt[], typed: (line: string) => string) {
  const lost = hosts.filter(isUnseen)
  const rest = hosts.length - lost.length
  return {
    title: `Pilotflame itself cannot see: ${lost.length} of ${counted(hosts.length, 'host')} are out of its reach`,
    summary: `So many at once: rather the way from the bot than the hosts, and nothing is known of them. Their models may well answer.\nNext: look at the network, VPN, DNS and SSH key of the machine that Pilotflame runs on; ${typed('doctor')} checks the way to each host.`,
    section: reasons(lost, rest),
  }
}

const REASONS = 5
const NAMED = 10

function reasons(lost: readonly LookedAt[], seen: number): Section {
  const all = byReason(lost.map(({ host, failure }) => ({ what: host, why: failure?.observed ?? '' })))
  const lines = all
    .toSorted((one, other) => other.what.length - one.what.length)
    .slice(0, REASONS)
    .map(({ what, why }) => `• ${why}: ${listed(what, NAMED)}`)
  const more = all.length > REASONS ? [`• ${counted(all.length - REASONS, 'other reason')}: see the table`] : []
  const others = seen === 0 ? [] : [`The other ${counted(seen, 'host')} gave an answer of some kind.`]
  return { kind: 'text', title: 'What was seen', body: [...lines, ...more, ...others].join('\n'), folded: false }
}
