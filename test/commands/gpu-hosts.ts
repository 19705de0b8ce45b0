import type { Failure } from '../../src/domain/failure.ts'
import type { GateReply } from '../../src/domain/gate.ts'
import type { Unasked } from '../../src/domain/gpu.ts'
import type { Host } from '../../src/domain/host.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import type { Target } from '../../src/domain/target.ts'
import { target } from './house.ts'

/** What a host tells to `cards` and `pci`, in the words of its gate; real parsers and readers read it. */
export interface GpuHost {
  /** rows of nvidia-smi; else what it says in their place */
  readonly cards?: readonly string[]
  /** its exit status */
  readonly rc?: number
  /** another call of the tool is there, so that none was started */
  readonly unasked?: Unasked
  /** `UUID, pid, name, MiB` */
  readonly apps?: readonly string[]
  /** pid, owner, cgroup and program of each */
  readonly processes?: readonly (readonly [pid: number, owner: string, cgroup: string, comm: string])[]
  /** `alias unit` */
  readonly units?: readonly string[]
  /** lines of the PCI bus */
  readonly pci?: readonly string[]
  /** in place of an answer to `cards` */
  readonly fails?: Failure
  /** answers only then, or never */
  readonly waits?: Promise<unknown>
}

/** One row of nvidia-smi, of a card that is well and free. */
export function row(index: number, given: Partial<Card> = {}): string {
  const card: Card = {
    ...{ name: 'NVIDIA RTX A6000', driver: '580.95.05', total: '49140', used: '12', use: '0', temperature: '31' },
    ...{ power: '22.10', limit: '300.00', fan: '30', pstate: 'P8' },
    ...given,
  }
  const { name, driver, total, used, use, temperature, power, limit, fan, pstate } = card
  const ids = [index, `GPU-${index}`, `00000000:0${index}:00.0`]
  return [...ids, name, driver, total, used, use, temperature, power, limit, fan, pstate].join(', ')
}

interface Card {
  readonly name: string
  readonly driver: string
  readonly total: string
  readonly used: string
  readonly use: string
  readonly temperature: string
  readonly power: string
  readonly limit: string
  readonly fan: string
  readonly pstate: string
}

/** A card that holds a model and does nothing. */
export const loaded = (index: number): string => row(index, { used: '43243', temperature: '41', pstate: 'P8' })

/** A host that is there. Who goes away meanwhile hears of it. */
export function gpuHost(name: string, told: GpuHost): Host {
  return {
    name,
    async run(verb, args, { signal }) {
      const gone = Promise.withResolvers<unknown>()
      signal.addEventListener('abort', () => gone.resolve(null), { once: true })
      if (verb.name === 'cards' && told.waits !== undefined) await Promise.race([told.waits, gone.promise])
      if (signal.aborted) return failed(failure(name, 'stopped', 'stopped'))
      if (verb.name === 'cards' && told.fails !== undefined) return failed(told.fails)
      const read = verb.parse(verb.name === 'pci' ? busReply(told) : cardsReply(told), args)
      return read.ok ? ok({ value: read.value, tookMs: 1, shellMs: null, noise: '' }) : failed(read.failure)
    },
    follow: async () => failed(failure(name, 'bug', 'not scripted')),
  }
}

export function failure(host: string, kind: Failure['kind'], observed: string, next = 'look at it'): Failure {
  return { kind, thing: `host ${host}`, observed, next }
}

/** A target on a host, known to its gate by the same name. */
export const on = (host: string, name: string): Target => ({ ...target(name), host, unit: name })

const words = (text: string): string => Buffer.from(text).toString('base64')

function cardsReply({ cards = [], rc = 0, apps = [], processes = [], units = [], unasked }: GpuHost): GateReply {
  const facts = processes.map(
    ([pid, owner, cgroup, comm]) => `${pid} 1 100 ${owner} S 1000 ${words(cgroup)} ${words(comm)} ${words(comm)}`,
  )
  const before = [
    { name: 'host', rc: 0, text: 'tool=nvidia-smi\ntime=1764578400\ncontainer=none' },
    { name: 'units', rc: 0, text: units.join('\n') },
  ]
  if (unasked !== undefined) return reply([...before, { name: unasked, rc: 0, text: '/usr/bin/nvidia-smi' }])
  return reply([
    ...before,
    { name: 'cards', rc, text: cards.join('\n') },
    ...(rc === 0
      ? [
          { name: 'apps', rc: 0, text: apps.join('\n') },
          { name: 'processes', rc: 0, text: facts.join('\n') },
        ]
      : []),
  ])
}

function busReply({ pci = [] }: GpuHost): GateReply {
  return reply([{ name: 'pci', rc: 0, text: pci.join('\n') }])
}

function reply(sections: readonly { readonly name: string; readonly rc: number; readonly text: string }[]): GateReply {
  return {
    rc: 0,
    delivery: 'installed',
    noise: '',
    sections: sections.map((one) => ({ ...one, text: one.text === '' ? '' : `${one.text}\n`, truncated: false })),
  }
}
