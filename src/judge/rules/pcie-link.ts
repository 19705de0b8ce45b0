import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Gpu } from '../../domain/gpu.ts'
import { cardName, measured } from '../gpu/card.ts'

/**
 * A card with far fewer lanes than it has, or at work with a slower generation than it and the board know. An idle card
 * lowers its generation by itself; half the lanes is how many boards are built; a virtual machine makes its own up.
 */
export const pcieLink: Rule = {
  codes: ['gpu.pcie-slow'],
  check({ machine, gpus }: Evidence) {
    if (machine === undefined || machine.vm !== null || machine.container === 'wsl') return []
    const slow = (gpus?.cards ?? []).flatMap((card) => flaw(card) ?? [])
    const [first] = slow
    return first === undefined ? [] : [finding(first, slow)]
  },
}

/** The link of one card to the board, as far as its tool tells. */
export interface PcieLink {
  readonly width: number | null
  readonly maxWidth: number | null
  readonly generation: number | null
  readonly maxGeneration: number | null
}

export function linkOf({ others = {} }: Gpu): PcieLink {
  const value = (name: string) => measured(others[`pcie.link.${name}`] ?? '')
  return {
    width: value('width.current'),
    maxWidth: value('width.max'),
    generation: value('gen.current'),
    maxGeneration: value('gen.max'),
  }
}

interface Flaw {
  readonly card: Gpu
  readonly says: string
}

function flaw(card: Gpu): Flaw | null {
  const { width, maxWidth, generation, maxGeneration } = linkOf(card)
  if (width !== null && maxWidth !== null && width > 0 && width * 4 <= maxWidth)
    return { card, says: `x${width} of x${maxWidth} lanes` }
  if (generation === null || maxGeneration === null || generation >= maxGeneration || !isAtWork(card)) return null
  return { card, says: `generation ${generation} of ${maxGeneration} at ${card.utilization} % load` }
}

/** Then the link is at the best that it can. */
function isAtWork({ pstate, utilization }: Gpu): boolean {
  return (pstate === 'P0' || pstate === 'P1' || pstate === 'P2') && (utilization ?? 0) >= BUSY
}

/** percent */
const BUSY = 20

function finding({ card, says }: Flaw, all: readonly Flaw[]): Finding {
  return {
    code: 'gpu.pcie-slow',
    verdict: 'degraded',
    cause: `${cardName(card)} is connected with ${says}: weights load slower, and so does all that goes between cards without NVLink.`,
    because: all.slice(0, 4).map((one) => `${cardName(one.card)}: PCIe ${one.says}`),
    remedy: [
      'With the host off, seat the card and its riser anew and look at the slot: sudo lspci -vv -s SLOT shows LnkCap (what it can) and LnkSta (what it does).',
      'In the firmware of the board: the split of the slot (x4x4x4x4 is for disks) and the speed of the link at Auto or at its highest.',
      'dmesg -T | grep -iE "aer|pcieport": corrected errors there speak for the riser or the cable.',
    ],
    confidence: 'likely',
    unless: 'the slot is built so: the manual of the board tells how many lanes it has.',
  }
}
