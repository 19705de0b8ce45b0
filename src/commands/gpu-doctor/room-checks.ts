import type { Health } from '../../gather/health.ts'
import { room } from '../../judge/rules/machine-room.ts'
import { missing } from './driver-checks.ts'
import type { HostCheck, Seen } from './line.ts'
import { ok, unknown } from './line.ts'

/** The machine around the cards: room, units, and how it lets us in. */
export const roomChecks: readonly HostCheck[] = [
  { name: 'RAM', codes: ['host.memory-low', 'host.oom'], seen: memory },
  { name: 'disk', codes: ['host.disk-full', 'host.nfs-stale', 'host.nfs-stuck'], seen: disk },
  { name: '/dev/shm', codes: ['container.shm'], seen: shared },
  { name: 'units', codes: ['unit.kill-is-success'], seen: units },
  { name: 'login shell', codes: ['ssh.slow-shell'], seen: shell },
]

function memory({ evidence: { machine } }: Health): Seen {
  const { totalKiB, availableKiB, swapTotalKiB, swapFreeKiB } = machine.memory
  if (totalKiB === null || availableKiB === null) return unknown('the host does not tell')
  const used = (swapTotalKiB ?? 0) - (swapFreeKiB ?? 0)
  const swap =
    swapTotalKiB === null || swapTotalKiB === 0 ? 'no swap' : `${room(used)} of ${room(swapTotalKiB)} swap used`
  return ok(`${room(availableKiB)} of ${room(totalKiB)} available, ${swap}`)
}

const SHM = '/dev/shm'
/** Places that one line names. */
const NAMED = 4

function disk(health: Health): Seen {
  const places = health.evidence.machine.places.filter(({ mount }) => mount !== SHM)
  if (places.length === 0) return unknown(`df did not answer: ${missing(health, 'disk')}`)
  const words = places
    .toSorted((one, other) => one.freeKiB / one.sizeKiB - other.freeKiB / other.sizeKiB)
    .map(({ mount, freeKiB }) => `${mount} ${room(freeKiB)} free`)
  return ok(words.slice(0, NAMED).join(', '))
}

function shared({ evidence: { machine } }: Health): Seen | null {
  const place = machine.places.find(({ mount }) => mount === SHM)
  if (place === undefined) return machine.places.length === 0 ? unknown('df did not answer') : null
  return ok(`${room(place.freeKiB)} of ${room(place.sizeKiB)} free`)
}

function units(health: Health): Seen | null {
  const states = health.units.flatMap(({ unit }) => unit ?? [])
  const gap = health.missing.find(({ what }) => what === 'units')
  if (states.length === 0) return gap === undefined ? null : unknown(gap.why)
  if (gap !== undefined) return unknown(`${gap.why}; of the others a crash counts as one`)
  const names = states.map(({ id }) => id).slice(0, NAMED)
  return ok(`${names.join(', ')}: a crash counts as one`)
}

function shell({ evidence: { shellMs } }: Health): Seen {
  return shellMs === undefined ? unknown('its cost was not measured') : ok(`${Math.round(shellMs)} ms with the gate`)
}
