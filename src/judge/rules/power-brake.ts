import type { Evidence, Rule } from '../../domain/finding.ts'
import { cardName } from '../gpu/card.ts'
import type { Fact } from '../gpu/facts.ts'
import { factsOf } from '../gpu/facts.ts'

/** A card that the power supply or the board slows down from outside. Its own limit of power is none. */
export const powerBrake: Rule = {
  codes: ['gpu.power-brake'],
  check(evidence) {
    const brake = braked(evidence)
    if (brake === null) return []
    return [
      {
        code: 'gpu.power-brake',
        verdict: 'degraded',
        cause: `${brake.card === null ? 'A GPU' : cardName(brake.card)} is slowed down from outside (HW power brake): the power supply or the board asks for it, not the heat and not its own limit.`,
        because: [brake.quote],
        remedy: [
          'Look at the power supplies: one that failed or is not plugged in, a limit of the rack or of the controller of the board (ipmitool sdr type "Power Supply", ipmitool sel list | tail).',
          'Plug in all power cables of the card anew with the host off; one that reports too little makes the card do the same.',
          'nvidia-smi -q -d PERFORMANCE,POWER shows the reason and the draw while it works.',
        ],
        confidence: 'certain',
      },
    ]
  },
}

function braked(evidence: Evidence): Fact | null {
  const named = factsOf(evidence, /power[ _]brake[ _]slowdown$/i).find(({ value }) => /^Active\b/i.test(value))
  return named ?? factsOf(evidence, /(?:throttle|event)_reasons\.active$/i).find(({ value }) => isBrake(value)) ?? null
}

/** NVML's mask: 0x80 is the brake of the hardware. */
function isBrake(value: string): boolean {
  const mask = /^0x([0-9a-f]{1,16})$/i.exec(value)?.[1]
  return mask !== undefined && (BigInt(`0x${mask}`) & 0x80n) !== 0n
}
