import type { Evidence, Rule } from '../../domain/finding.ts'
import type { PciCard } from '../../domain/verbs/pci.ts'
import type { Heard } from '../gpu/heard.ts'
import { heard, heardFromKernel, isInside, quotedLine, quotes } from '../gpu/heard.ts'
import { noAnswer } from '../gpu/no-answer.ts'

/** A card is kept for a virtual machine, so the driver of this system cannot have it. Where nobody misses it, that is as it should be. */
export const driverHeld: Rule = {
  codes: ['driver.vfio-bound'],
  check(evidence) {
    if (!isHeldByVfio(evidence) || !isMissed(evidence)) return []
    const held = (evidence.pci ?? []).filter(({ driver }) => isForGuests(driver))
    const [card] = held
    return [
      {
        code: 'driver.vfio-bound',
        verdict: 'misconfigured',
        cause: `${card === undefined ? 'The card' : `Card ${card.slot}`} is kept for a virtual machine (${card?.driver ?? 'vfio-pci'}), so the GPU driver of this system cannot have it.`,
        because: [
          ...held.slice(0, 3).map(({ slot, driver }) => quotedLine(`card ${slot}, driver in use`, driver ?? '')),
          ...quotes(noAnswer(evidence), boundTo(evidence)),
        ],
        remedy: [
          'If the card serves a virtual machine, look for it inside that machine: lspci and nvidia-smi there.',
          'If it is to serve this system or a container on it: stop the machine that has it, take the ids of the card out of /etc/modprobe.d (options vfio-pci ids=…) and of the kernel command line (vfio-pci.ids=), sudo update-initramfs -u, reboot.',
          'Once no machine uses it, also without a reboot: first stop the machine that has it (virsh list, qm list), then echo SLOT | sudo tee /sys/bus/pci/drivers/vfio-pci/unbind, then sudo modprobe nvidia.',
        ],
        confidence: 'certain',
        explains: [
          'driver.not-loaded',
          'driver.init-failed',
          'gpu.count-mismatch',
          'driver.still-loading',
          'driver.not-in-container',
          'container.cgroup-lost',
        ],
      },
    ]
  },
}

/** Whether a card is bound to the driver that hands it to guests. */
export function isHeldByVfio(evidence: Evidence): boolean {
  return (evidence.pci ?? []).some(({ driver }) => isForGuests(driver)) || boundTo(evidence) !== null
}

function isForGuests(driver: string | null): boolean {
  return driver === 'vfio-pci' || driver === 'pci-stub' || driver === 'xen-pciback'
}

function boundTo(evidence: Evidence): Heard | null {
  return heard(
    evidence,
    /already bound to (?:vfio-pci|pci-stub|pciback)|Kernel driver in use: (?:vfio-pci|pci-stub|pciback)|\bdriver\b.{0,20}\bvfio-pci\b/i,
  )
}

/** The tool found nobody, or fewer than somebody expects; or every card is kept. */
function isMissed(evidence: Evidence): boolean {
  const { pci = [], gpus, told = [] } = evidence
  // a system container sees the bus of its host: where a guest has every card there, none can be given to it
  if (isInside(evidence)) return evidence.machine !== undefined && noAnswer(evidence) !== null && areAllForGuests(pci)
  if (noAnswer(evidence) !== null) return true
  const should = Number(/\d+/.exec(told.find((line) => /expected_?gpus?: \d/i.test(line)) ?? '')?.[0])
  const seen = gpus?.cards.length ?? 0
  if (should > seen) return true
  const hasDriver = pci.some(({ driver }) => driver === 'nvidia' || driver === 'amdgpu')
  return seen === 0 && !hasDriver && (gpus?.rc !== 0 || pci.length > 0)
}

function areAllForGuests(pci: readonly PciCard[]): boolean {
  const cards = pci.filter(({ vendor }) => vendor === '0x10de' || vendor === '0x1002')
  return cards.length > 0 && cards.every(({ driver }) => isForGuests(driver))
}

/** Whether the kernel says that the driver is loaded and cannot start the card. */
export function isRefusedByKernel(evidence: Evidence): boolean {
  return heardFromKernel(evidence, NOT_STARTED) !== null
}

export const NOT_STARTED =
  /RmInitAdapter failed|rm_init_adapter failed|Cannot initialize GSP firmware|(?:failed|unable) to (?:load|boot|initialize) (?:the )?GSP|_kgspBootGspRm|kgspInitRm\w{0,40}:? .{0,80}fail|GSP firmware.{0,80}fail|BAR\d is 0M|assigned to your NVIDIA device (?:is|are) invalid|requires use of the NVIDIA open kernel modules|not supported by open nvidia\.ko|(?:not supported by|supported through) the NVIDIA .{1,40}(?:driver release|Legacy drivers)|nvidia: probe of \S+ failed with error|GPU Initialization Failure|does not have the necessary power cables|is not connected properly|insufficient (?:external )?power|Fatal error during GPU init|amdgpu: (?:probe of|.{0,60}hw_init of IP block).{0,60} failed|amdgpu.{0,60}(?:psp|smu|firmware).{0,60}(?:failed to load|load failed|Failed to (?:load|init))/i
