import type { FailureKind } from '../../src/domain/failure.ts'
import type { Report } from '../../src/domain/report.ts'
import { telemetry } from '../../src/telemetry/index.ts'
import type { GpuHost } from './gpu-hosts.ts'
import { failure, gpuHost, loaded, row } from './gpu-hosts.ts'
import { CHANNEL, openHouse } from './house.ts'

export type Fleet = Readonly<Record<string, GpuHost>>
type Given = NonNullable<Parameters<typeof openHouse>[0]>

export async function openFleet(fleet: Fleet, given: Given = {}) {
  const hosts = new Map(Object.entries(fleet).map(([name, told]) => [name, gpuHost(name, told)]))
  return openHouse({
    targets: [],
    hosts: [...hosts.keys()],
    host: (name) => hosts.get(name) ?? null,
    telemetry,
    ...given,
  })
}

export async function ask(line: string, fleet: Fleet, given: Given = {}): Promise<Report> {
  const { say } = await openFleet(fleet, given)
  const told = (await say(line)).answer()
  if (told === undefined) throw new Error('no answer')
  return told
}

export const rowsOf = ({ tables }: Report, at = 0) => tables[at]?.rows ?? []
export const bodyOf = ({ sections }: Report, title: string) => sections.find((one) => one.title === title)?.body ?? ''
export const nobody = { admins: [], operators: [], adminGroups: [], operatorGroups: [] }

export const SERVED: GpuHost = {
  cards: [loaded(0), row(1)],
  apps: ['GPU-0, 4711, sglang::scheduler_TP0, 43010'],
  processes: [[4711, 'sglang', '/system.slice/sglang.service', 'python3']],
  units: ['qwen sglang.service'],
}
const LOST: GpuHost = {
  cards: [row(0), row(1, lostCells())],
  pci: [],
}
function lostCells() {
  const gone = '[GPU is lost]'
  const readings = { total: gone, used: gone, use: gone, temperature: gone, power: gone, limit: gone }
  return { ...readings, fan: gone, pstate: gone }
}

/** One that serves, one that has lost a card, one that is down. */
export const three: Fleet = {
  'box-1': SERVED,
  'box-2': LOST,
  'box-3': { fails: failure('box-3', 'refused', 'connection refused', 'start sshd there') },
}

export function operators() {
  return {
    roles: { ...nobody, operators: ['T0:U0ANNA'] },
    channels: [{ id: CHANNEL, targets: [], target: null }],
  }
}

/** 100 hosts of 8 cards, of which five are dead in different ways, one has lost a card, one hangs, and ten are free. */
export function hundred(): Fleet {
  const dead: readonly (readonly [FailureKind, string])[] = [
    ['refused', 'connection refused'],
    ['connect-timeout', 'no answer within 10 s'],
    ['dns', 'its name is not known'],
    ['hostkey-changed', 'its key is not the pinned one'],
    ['ssh-auth', 'it refused our key'],
  ]
  const all = Array.from({ length: 100 }, (_, at): [string, GpuHost] => {
    const name = `gpu-${String(at).padStart(3, '0')}`
    const [kind, observed] = dead[at - 90] ?? []
    if (kind !== undefined && observed !== undefined) return [name, { fails: failure(name, kind, observed) }]
    if (at === 50) return [name, { cards: [row(0), row(1, lostCells())] }]
    if (at === 60) return [name, { cards: [], rc: 124 }]
    const cards = Array.from({ length: 8 }, (_card, index) => (at < 10 ? row(index) : loaded(index)))
    return [name, { cards }]
  })
  return Object.fromEntries(all)
}
