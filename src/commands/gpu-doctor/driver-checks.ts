import { counted } from '../../domain/report.ts'
import type { PciCard } from '../../domain/verbs/pci.ts'
import type { Health } from '../../gather/health.ts'
import { isContainer } from '../../gather/health-evidence.ts'
import { factsOf } from '../../judge/gpu/facts.ts'
import { isWsl } from '../../judge/gpu/no-answer.ts'
import type { HostCheck, Seen } from './line.ts'
import { ok, unknown } from './line.ts'

/** The driver: whether it is there, fits, and reaches the cards. */
export const driverChecks: readonly HostCheck[] = [
  {
    name: 'driver',
    codes: [
      'driver.not-loaded',
      'driver.still-loading',
      'driver.init-failed',
      'driver.lib-mismatch',
      'telemetry.timeout',
      'telemetry.unsupported',
      'tool.missing',
      'tool.version',
      'host.permission',
    ],
    seen: driver,
  },
  { name: 'cards', codes: ['gpu.count-mismatch', 'driver.vfio-bound'], seen: cards },
  {
    name: 'container',
    codes: ['driver.not-in-container', 'container.cgroup-lost', 'container.toolkit'],
    seen: ({ evidence: { machine, gpus } }) =>
      isContainer(machine) && (gpus?.cards.length ?? 0) > 0
        ? ok(`this is a container (${machine.container}), and it has its GPUs`)
        : null,
  },
  {
    name: 'Windows (WSL)',
    codes: ['driver.wsl'],
    seen: ({ evidence }) => (isWsl(evidence) ? ok('Linux under Windows, and it reaches the driver of Windows') : null),
  },
  { name: 'CUDA', codes: ['driver.too-old'], seen: cuda },
  { name: 'fabric manager', codes: ['driver.fabricmanager'], seen: fabric },
  { name: 'persistence mode', codes: ['driver.persistence-off'], seen: persistence },
]

/** Whether the host has a card or a tool for one; else nothing of GPUs is said but that. */
export function hasGpus({ evidence: { gpus, machine } }: Health): boolean {
  return gpus !== undefined || machine.unasked !== null || machine.unlocked !== undefined
}

/** nvidia-smi does one look at a time: it needs a lock, and nobody knows yet whether a look that is under way hangs. */
function notAsked({ evidence: { gpus, machine } }: Health): Seen | null {
  if (gpus === undefined && machine.unlocked !== undefined)
    return unknown(`nvidia-smi was not asked, since one look at a time cannot be kept: ${machine.unlocked}`)
  return gpus === undefined && machine.unasked === 'in-use'
    ? unknown('another look at the GPUs is under way, so they are not known; ask again in a few seconds')
    : null
}

function driver(health: Health): Seen | null {
  const { machine, gpus } = health.evidence
  if (gpus === undefined) return notAsked(health)
  if (gpus.cards.length === 0) return unknown(`${gpus.tool} lists no card, and does not say why`)
  const version = machine.driver ?? gpus.cards[0]?.driver ?? null
  return ok(`${version === null ? 'a driver' : version} is loaded, and ${gpus.tool} answers`)
}

function cards(health: Health): Seen | null {
  const { pci, gpus } = health.evidence
  const why = missing(health, 'pci')
  const listed = gpus?.cards.length ?? 0
  if (pci === undefined) return unknown(`${counted(listed, 'GPU')} listed; the PCI bus could not be read: ${why}`)
  const onBus = pci.filter(({ vendor }) => VENDORS.has(vendor))
  if (notAsked(health) !== null) return null
  if (gpus === undefined)
    return onBus.length === 0
      ? unknown('no card of NVIDIA or AMD is on the PCI bus, so nothing of GPUs was looked at')
      : unknown(`${counted(onBus.length, 'card')} on the bus, and no tool that reads them`)
  const kept = onBus.filter(({ driver: by }) => by === 'vfio-pci' || by === 'pci-stub' || by === 'xen-pciback')
  const words = `${gpus.tool} lists ${listed} of ${counted(Math.max(onBus.length, listed), 'card')}`
  return ok(`${words}${keptWords(kept)}`)
}

const VENDORS: ReadonlySet<string> = new Set(['0x10de', '0x1002'])

/** Nobody misses them: a virtual machine has them. */
function keptWords(kept: readonly PciCard[]): string {
  const [first] = kept
  if (first === undefined) return ''
  const slots = kept.slice(0, 4).map(({ slot }) => slot)
  return `; ${slots.join(', ')} kept for a virtual machine (${first.driver}): how to give it back stands in docs/problems/driver.vfio-bound.md`
}

function cuda({ evidence: { machine, installed }, missing: gaps }: Health): Seen | null {
  const gap = gaps.find(({ what }) => what === 'versions')
  if (installed === undefined) return gap === undefined ? null : unknown(`what is installed is not known: ${gap.why}`)
  if (machine.driver === null) return null
  return ok(`what is installed for the servers runs on driver ${machine.driver}`)
}

function fabric({ evidence: { machine } }: Health): Seen | null {
  if (!machine.devices.some(({ name }) => /^nvidia-nvswitch\d/.test(name))) return null
  if (isContainer(machine)) return unknown('the host of this container runs it')
  if (machine.services === null) return unknown('systemd does not answer there')
  return ok('it runs')
}

function persistence({ evidence }: Health): Seen | null {
  const modes = factsOf(evidence, /^persistence[ _]mode$/i)
  if (modes.length === 0 || evidence.machine.container === 'wsl') return null
  return modes.every(({ value }) => /^(?:enabled|on)$/i.test(value))
    ? ok('it is on')
    : unknown('the tool does not tell')
}

/** Why something did not come. */
export function missing({ missing: gaps }: Health, what: Health['missing'][number]['what']): string {
  return gaps.find((one) => one.what === what)?.why ?? 'the host did not tell'
}
