import { counted } from '../../domain/report.ts'
import { isPlaceholder } from '../../domain/verbs/gpu-row.ts'
import type { Health } from '../../gather/health.ts'
import { factsOf } from '../../judge/gpu/facts.ts'
import { readLinks } from '../../judge/gpu/nvlink.ts'
import type { XidClass } from '../../judge/gpu/xid.ts'
import { xidsOf } from '../../judge/gpu/xid.ts'
import { linkOf } from '../../judge/rules/pcie-link.ts'
import { hasGpus, missing } from './driver-checks.ts'
import type { HostCheck, Seen } from './line.ts'
import { ok, unknown } from './line.ts'

/** The cards themselves: what the kernel and their own counters say. */
export const cardChecks: readonly HostCheck[] = [
  {
    name: 'card faults (Xid)',
    codes: ['gpu.off-bus', 'gpu.gsp-timeout', 'gpu.needs-reset', 'engine.kernel-crash', 'log.need-more'],
    seen: xids,
  },
  { name: 'memory of the cards (ECC, rows)', codes: ['gpu.remap-pending', 'gpu.remap-failed'], seen: rows },
  { name: 'heat and throttling', codes: ['gpu.thermal', 'gpu.power-brake'], seen: heat },
  { name: 'PCIe', codes: ['gpu.pcie-slow'], seen: pcie },
  { name: 'NVLink', codes: ['gpu.nvlink-down'], seen: links },
  { name: 'readings', codes: ['telemetry.field-error'], seen: () => null },
]

function xids(health: Health): Seen | null {
  if (!hasGpus(health)) return null
  const { kernel } = health.evidence
  if (kernel === undefined) return unknown(`the kernel's log could not be read: ${missing(health, 'kernel')}`)
  const events = xidsOf({ kernel })
  if (events.length === 0) return ok(`no Xid within the last day (${counted(kernel.length, 'line')} of the kernel)`)
  const [last] = events.slice(-1)
  return ok(`Xid ${last?.number} within the last day (${classWords(last?.what ?? null)}), which asks for nothing`)
}

/** What a class of events means to whoever has to act. */
function classWords(what: XidClass | null): string {
  switch (what) {
    case 'program':
      return 'of an application'
    case 'aftermath':
      return 'what followed another event'
    case 'contained':
    case 'remapped':
    case 'recovery':
    case 'card':
    case 'link':
    case 'firmware':
      return 'a reset helps'
    case 'bus':
    case 'exhausted':
    case 'start':
    case 'power':
      return 'hardware'
    case null:
      return 'of no class that we know'
  }
}

function rows({ evidence }: Health): Seen | null {
  if ((evidence.gpus?.cards.length ?? 0) === 0) return null
  const facts = factsOf(evidence, /^(?:ecc\.errors|remapped_rows|retired_pages)\./)
  const told = facts.filter(({ value }) => !/N\/A|Not Supported/i.test(value))
  if (facts.length === 0) return unknown('the tool of these cards was not asked for it')
  if (told.length === 0) return ok('these cards count no errors of their memory')
  const counted = told.some(({ name }) => name.startsWith('ecc.'))
    ? ['no uncorrectable error since the last reset']
    : []
  const replaced = told.some(({ name }) => !name.startsWith('ecc.')) ? ['no row waits to be replaced'] : []
  return ok([...counted, ...replaced].join(', '))
}

function heat({ evidence }: Health): Seen | null {
  const cards = evidence.gpus?.cards ?? []
  if (cards.length === 0) return null
  const degrees = cards.flatMap(({ temperature }) => temperature ?? [])
  if (degrees.length === 0) return unknown('no card tells its temperature')
  const hottest = `${Math.max(...degrees)} °C at most`
  const reasons = factsOf(evidence, SLOWED)
  const told = new Set(reasons.flatMap(({ card, value }) => (isPlaceholder(value) ? [] : (card ?? []))))
  return cards.every((card) => told.has(card))
    ? ok(`${hottest}, and no card is slowed down by heat or power supply`)
    : unknown(`${hottest}; whether a card is slowed down is not told`)
}

/** What the tools of NVIDIA and AMD say of it. */
const SLOWED = /(?:(?:event|throttle)_reasons\.active|thermal_violation\w*|throttle_status)$/i

function pcie({ evidence: { gpus, machine } }: Health): Seen | null {
  const cards = gpus?.cards ?? []
  const told = cards.map(linkOf).filter(({ width, generation }) => width !== null && generation !== null)
  if (cards.length === 0 || machine.container === 'wsl') return null
  if (machine.vm !== null && machine.vm !== 'none')
    return unknown(`a virtual machine (${machine.vm}) makes the link up: look at its host`)
  if (told.length === 0) return unknown('the tool does not tell the links')
  const words = told.map(
    ({ width, maxWidth, generation, maxGeneration }) =>
      `x${width}${maxWidth === null || maxWidth === width ? '' : ` of x${maxWidth}`}, generation ${generation}${maxGeneration === null ? '' : ` of ${maxGeneration}`}`,
  )
  return ok([...new Set(words)].slice(0, 3).join('; '))
}

function links({ evidence: { machine } }: Health): Seen | null {
  const active = readLinks(machine.links?.text ?? '').filter((card) => card.active > 0)
  const [first] = active
  return first === undefined ? null : ok(`${counted(active.length, 'GPU')} with ${counted(first.active, 'link')} each`)
}
