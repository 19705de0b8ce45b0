import type { Failure } from '../../src/domain/failure.ts'
import type { Host } from '../../src/domain/host.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import type { Report } from '../../src/domain/report.ts'
import { telemetry } from '../../src/telemetry/index.ts'
import { reply } from '../domain/verbs/replies.ts'
import { failure, on } from './gpu-hosts.ts'
import { openHouse } from './house.ts'

type Sections = Parameters<typeof reply>[0]

/** What a host says to each verb, in the words of its gate; real parsers, readers and rules judge it. */
export interface HealthHost {
  /** sections of `host-health` that differ from those of a host that is well */
  readonly health?: Sections
  readonly pci?: readonly string[] | Failure
  /** lines of the kernel, of the last minute */
  readonly kernel?: readonly string[] | Failure
  /** properties of the unit of its target */
  readonly unit?: string | Failure
  readonly packages?: readonly string[]
  /** sections of `cards`, which is asked where only AMD's own tool can tell */
  readonly ofAmd?: Sections
  readonly shellMs?: number
  /** what `ping` costs alone, where that is less */
  readonly aloneMs?: number
  /** in place of any answer */
  readonly fails?: Failure
}

const NOW = Date.UTC(2026, 4, 1, 12)

export const MACHINE = {
  kernel: '6.8.0-60-generic',
  uptime: '500000',
  time: String(NOW / 1000),
  container: 'none',
  vm: 'none',
  driver: '580.95.05',
  MemTotal: '263856168',
  MemAvailable: '248120404',
  SwapTotal: '0',
  SwapFree: '0',
}

/** The first section, with what differs. */
export function machine(change: Partial<typeof MACHINE> = {}): string {
  return Object.entries({ ...MACHINE, ...change })
    .map(([key, value]) => `${key}=${value}\n`)
    .join('')
}

const COLUMNS = {
  index: '0',
  uuid: 'GPU-0',
  'pci.bus_id': '00000000:01:00.0',
  name: 'NVIDIA RTX A6000',
  driver_version: '580.95.05',
  pstate: 'P8',
  'temperature.gpu': '41',
  'utilization.gpu': '0',
  persistence_mode: 'Enabled',
  'pcie.link.gen.current': '1',
  'pcie.link.gen.max': '4',
  'pcie.link.width.current': '16',
  'pcie.link.width.max': '16',
  'ecc.errors.uncorrected.volatile.total': '0',
  'remapped_rows.pending': 'No',
  'remapped_rows.failure': 'No',
  'retired_pages.pending': '[N/A]',
  'clocks_event_reasons.active': '0x0000000000000001',
  gpu_recovery_action: 'None',
}

/** Rows of the health of cards, of each what differs from one that is well. */
export function cards(...changes: readonly Partial<typeof COLUMNS>[]): string {
  const rows = changes.map((change, index) => Object.values({ ...COLUMNS, index: String(index), ...change }).join(', '))
  return `columns ${Object.keys(COLUMNS).join(',')}\n${rows.join('\n')}\n`
}

export const services = (fabric: string): string =>
  `Id=nvidia-fabricmanager.service\nLoadState=loaded\nActiveState=${fabric}\n\nId=nvidia-persistenced.service\nLoadState=loaded\nActiveState=active\n`

const DF = 'Filesystem 1024-blocks Used Available Capacity Mounted on\n'
const GIB = 1024 * 1024

/** What df prints; sizes in GiB. */
export function df(...places: readonly (readonly [mount: string, size: number, free: number])[]): string {
  return `${DF}${places.map(([mount, size, free]) => `/dev/vda ${Math.round(size * GIB)} ${Math.round((size - free) * GIB)} ${Math.round(free * GIB)} 50% ${mount}\n`).join('')}`
}

/** A unit that is well. */
export const UNIT =
  'Id=sglang.service\nLoadState=loaded\nActiveState=active\nSubState=running\nRestart=on-failure\nSuccessExitStatus=\n'

const WELL: Sections = {
  machine: machine(),
  devices: 'nvidia0 rw\nnvidia1 rw\nnvidiactl rw\n',
  services: services('inactive'),
  disk: df(['/', 500, 210], ['/dev/shm', 126, 126]),
  cards: cards({}, {}),
}

const BUS = ['0000:01:00.0 0x10de 0x2230 0x030000 nvidia', '0000:41:00.0 0x10de 0x2230 0x030000 nvidia']

/** `null` takes a section away. */
export type Change = Readonly<Record<string, Sections[string] | null>>

export function health(change: Change): Sections {
  return Object.fromEntries(
    Object.entries({ ...WELL, ...change }).flatMap(([name, said]) => (said === null ? [] : [[name, said]])),
  )
}

function host(name: string, told: HealthHost): Host {
  return {
    name,
    async run(verb, args, { signal }) {
      if (signal.aborted) return failed(failure(name, 'stopped', 'stopped'))
      const said = told.fails ?? saidTo(verb.name, told)
      if (isFailure(said)) return failed(said)
      const read = verb.parse({ ...reply(said), delivery: 'installed' }, args)
      return read.ok
        ? ok({
            value: read.value,
            tookMs: 1,
            shellMs: (verb.name === 'ping' ? told.aloneMs : undefined) ?? told.shellMs ?? 22,
            noise: '',
          })
        : failed(read.failure)
    },
    follow: async () => failed(failure(name, 'bug', 'not scripted')),
  }
}

function isFailure(said: Sections | Failure): said is Failure {
  return typeof said['kind'] === 'string' && 'observed' in said
}

function saidTo(verb: string, told: HealthHost): Sections | Failure {
  const listed = (name: string, lines: readonly string[] | Failure): Sections | Failure =>
    'kind' in lines ? lines : { [name]: lines.map((line) => `${line}\n`).join('') }
  switch (verb) {
    case 'ping':
      return { ping: 'user=pilotflame\n' }
    case 'host-health':
      return told.health ?? WELL
    case 'cards':
      return told.ofAmd ?? failure('box', 'tool-missing', 'not scripted')
    case 'pci':
      return listed('pci', told.pci ?? BUS)
    case 'dmesg-gpu':
      return listed('dmesg', stamped(told.kernel ?? []))
    case 'unit':
      return typeof told.unit === 'object' ? told.unit : { unit: told.unit ?? UNIT }
    case 'versions':
      return { packages: (told.packages ?? []).map((name) => `${name}.dist-info\n`).join(''), os: 'kernel=6.8.0' }
    case 'disk':
      return { disk: (told.health ?? WELL)['disk'] ?? '' }
  }
  return failure('box', 'tool-missing', 'not scripted')
}

function stamped(lines: readonly string[] | Failure): readonly string[] | Failure {
  if ('kind' in lines) return lines
  // who writes a time of his own means it
  return lines.map((line) => (/^\d{4}-/.test(line) ? line : `2026-05-01T11:59:00,000000+00:00 ${line}`))
}

/** A house with these hosts, each with a target of the same name that has a unit. */
function openWard(hosts: Readonly<Record<string, HealthHost>>, withTargets = true) {
  const all = new Map(Object.entries(hosts).map(([name, told]) => [name, host(name, told)]))
  return openHouse({
    targets: withTargets ? [...all.keys()].map((name) => on(name, name)) : [],
    hosts: [...all.keys()],
    host: (name) => all.get(name) ?? null,
    telemetry,
  })
}

/** What the house answers to a line about these hosts. */
export async function doctor(
  line: string,
  hosts: Readonly<Record<string, HealthHost>>,
  withTargets = true,
): Promise<Report> {
  const { say } = await openWard(hosts, withTargets)
  const told = (await say(line)).answer()
  if (told === undefined) throw new Error('no answer')
  return told
}

export const linesOf = ({ sections }: Report) =>
  sections.find(({ title }) => title === 'Checks')?.body.split('\n') ?? []
export const lineOf = (report: Report, check: string) =>
  linesOf(report).find((line) => line.slice(2).startsWith(`${check}: `))

/** A line of the driver in the kernel's log. */
export const xid = (number: number) => `NVRM: Xid (PCI:0000:41:00): ${number}, pid=4242, name=python3`

/** The NVLinks of two cards, all running but the last of the first, as it is given. */
export const links = (last: string) =>
  `GPU 0: NVIDIA RTX A6000 (UUID: GPU-0)\n\t Link 0: 14 GB/s\n\t Link 1: ${last}\nGPU 1: NVIDIA RTX A6000 (UUID: GPU-1)\n\t Link 0: 14 GB/s\n\t Link 1: 14 GB/s\n`
