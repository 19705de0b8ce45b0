import type { GpuEvidence } from '../domain/gpu.ts'
import type { Ran } from '../domain/host.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { CardsTold, Telemetry } from '../domain/telemetry.ts'
import type { KernelLine } from '../domain/verbs/dmesg-gpu.ts'
import type { HostHealth } from '../domain/verbs/host-health.ts'
import type { PciCard } from '../domain/verbs/pci.ts'
import { readToolRun } from '../judge/gpu/tool-run.ts'

const NVIDIA = '0x10de'
const AMD = '0x1002'

function hasNvidia({ devices, driver }: HostHealth, bus: readonly PciCard[]): boolean {
  return (
    driver !== null || devices.some(({ name }) => /^nvidia\d/.test(name)) || bus.some(({ vendor }) => vendor === NVIDIA)
  )
}

/** Whether only AMD's own tool can tell of its cards; a left-over nvidia-smi, which fails there, cannot. */
export function isOfAmd(machine: HostHealth, bus: readonly PciCard[]): boolean {
  return machine.cards?.rc !== 0 && !hasNvidia(machine, bus) && bus.some(({ vendor }) => vendor === AMD)
}

/** What nvidia-smi said. Where it is missing beside cards of NVIDIA, a shell would say 127; null: nothing, also not why. */
export function gpusOf(
  machine: HostHealth,
  bus: readonly PciCard[],
  redact: (text: string) => string,
): GpuEvidence | null {
  const place = isContainer(machine) ? 'container' : 'host'
  const none = { tool: 'nvidia-smi', cards: [], notes: [], place } as const
  if (machine.unasked === 'held') return { ...none, rc: null, timedOut: true, unasked: 'held' }
  if (machine.unasked === 'in-use' || machine.unlocked !== undefined) return null
  if (machine.cards === null) return hasNvidia(machine, bus) ? { ...none, rc: 127, timedOut: false } : null
  const { columns, text, rc } = machine.cards
  const command = `nvidia-smi --query-gpu=${columns}`
  const timedOut = rc === 124
  return readToolRun({ command, stdout: redact(text), stderr: '', rc, timedOut, place }).gpus ?? null
}

/** A left-over nvidia-smi has no say beside the tool of AMD. */
export function besideAmd(machine: HostHealth, { tool, unasked }: CardsTold): HostHealth {
  return tool === 'nvidia-smi' && unasked === undefined
    ? machine
    : { ...machine, cards: null, unasked: unasked ?? null }
}

/** What the tool of AMD said; null: nothing, since it was busy with another look. */
export function amdGpus(told: CardsTold, telemetry: readonly Telemetry[]): GpuEvidence | null {
  if (told.unasked === 'in-use') return null
  return telemetry.find(({ kind }) => kind === told.tool)?.read(told).gpus ?? null
}

const DAY_MS = 86_400_000

/** WSL is told as a container and has a driver of its own. */
export function isContainer({ container }: HostHealth): boolean {
  return container !== null && container !== 'wsl'
}

/** Of the last day; lines of another age or without any say nothing of today. null: the host does not tell its time. */
export function recent(lines: readonly KernelLine[], { timeMs }: HostHealth): readonly string[] | null {
  if (timeMs === null) return null
  return lines.filter(({ at }) => at !== null && at >= timeMs - DAY_MS).map(({ text }) => text)
}

/** One slow call may be of the moment. In ms; null: none was measured. */
export function fastest(calls: readonly Outcome<Ran<unknown>>[]): number | null {
  const costs = calls.flatMap((one) => (one.ok ? (one.value.shellMs ?? []) : []))
  return costs.length === 0 ? null : Math.min(...costs)
}

/** In the words that the rules know. */
export function toldOf({ container, uptimeS, cards: asked }: HostHealth): readonly string[] {
  return [
    ...(asked === null ? [] : ['command: nvidia-smi --query-gpu']),
    ...(uptimeS === null ? [] : [`uptime_s: ${uptimeS}`]),
    ...(container === 'lxc' || container === 'lxc-libvirt' ? ['container: lxc'] : []),
  ]
}
