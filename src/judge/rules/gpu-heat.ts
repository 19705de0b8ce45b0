import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Gpu } from '../../domain/gpu.ts'
import { cardId, cardName, measured } from '../gpu/card.ts'
import type { Fact } from '../gpu/facts.ts'
import { factsOf } from '../gpu/facts.ts'
import { heardFromKernel, quotes } from '../gpu/heard.ts'

/** A card that the heat slows down. A limit of power, an idle card, or a warm one at full speed is none. */
export const gpuHeat: Rule = {
  codes: ['gpu.thermal'],
  check(evidence) {
    const told = slowdown(evidence)
    const said = heardFromKernel(evidence, OVERHEATED)
    const hot = hottest(evidence)
    if (told === null && said === null && (hot?.temperature ?? 0) < SHUTDOWN_NEAR && !isSlow(hot)) return []
    const card = told?.card ?? hot
    const degrees = card?.temperature == null ? '' : ` at ${card.temperature} °C`
    const isPlain = told !== null && THERMAL.test(told.name)
    return [
      {
        code: 'gpu.thermal',
        verdict: 'degraded',
        cause: `${card === null ? 'A GPU' : cardName(card)} slows down${degrees} to protect itself from the heat${clocksOf(told?.card ?? hot)}: tokens come slower.`,
        because: [
          ...(told === null ? [] : [told.quote]),
          ...quotes(said),
          ...(card?.temperature == null ? [] : [`${cardName(card)}: ${card.temperature} °C`]),
        ],
        remedy: [
          'Look at the airflow: fans that turn, filters and fins that are free, blanking panels, the temperature of the room; cards side by side need the space between.',
          `At once: lower its power limit, ${lessPower(card)}, or spread the load.`,
          'nvidia-smi -q -d TEMPERATURE,PERFORMANCE shows how far it is from its slowdown temperature; nvidia-smi dmon -s pucv shows its clocks while it works.',
        ],
        confidence: isPlain || said !== null ? 'certain' : 'likely',
        ...(isPlain
          ? {}
          : {
              unless: 'its power supply asked for it (HW power brake): nvidia-smi -q -d PERFORMANCE names the reason.',
            }),
      } satisfies Finding,
    ]
  },
}

/** In whole watts, as the tool wants them. */
function lessPower(card: Gpu | null): string {
  const limit = card?.powerLimitW ?? null
  const [watts, of] = limit === null ? ['WATTS', 'the default'] : [Math.floor(0.8 * limit), `its ${limit} W`]
  return `sudo nvidia-smi -i ${(card === null ? null : cardId(card)) ?? 'GPU'} -pl ${watts} (some 80 % of ${of} costs few tokens)`
}

/** Cards of data centres slow down from some 87 °C, those of desktops from some 93 °C; above this every one does. */
const SHUTDOWN_NEAR = 96
const OVERHEATED =
  /amdgpu.*(?:over temperature|temperature range\(SW CTF\)|thermal (?:throttl|trip))|GPU.*(?:over ?temperature|thermal shutdown)/i
const THERMAL = /thermal/i
const REASON = /(?:thermal[ _]slowdown|hw[ _]slowdown)$/i
const BITS = /(?:throttle|event)_reasons\.active$/i

/** The plain word for heat before the general one, which a power brake sets as well. */
function slowdown(evidence: Evidence): Fact | null {
  const active = factsOf(evidence, REASON).filter(({ value }) => /^Active\b/i.test(value))
  const thermal = active.find(({ name }) => THERMAL.test(name))
  const brake = factsOf(evidence, /power[ _]brake[ _]slowdown$/i).some(({ value }) => /^Active\b/i.test(value))
  const bits = factsOf(evidence, BITS).find(({ value }) => isHeat(value))
  return thermal ?? bits ?? throttledOfAmd(evidence) ?? (brake ? null : (active[0] ?? null))
}

/** NVML's mask: 0x20 is slowdown by software for heat, 0x40 by hardware. */
function isHeat(value: string): boolean {
  const mask = /^0x([0-9a-f]{1,16})$/i.exec(value)?.[1]
  return mask !== undefined && (BigInt(`0x${mask}`) & 0x60n) !== 0n
}

function throttledOfAmd(evidence: Evidence): Fact | null {
  const names = /(?:thermal_violation_status|hotspot_thermal_violation\w*|THROTTLE_STATUS)$/i
  return factsOf(evidence, names).find(({ value }) => /^(?:ACTIVE|THROTTLED)\b/i.test(value)) ?? null
}

function hottest({ gpus }: Evidence): Gpu | null {
  const cards = gpus?.cards.filter(({ temperature }) => temperature !== null) ?? []
  return cards.toSorted((one, other) => (other.temperature ?? 0) - (one.temperature ?? 0))[0] ?? null
}

/** A hot card far below its clocks is at work: an idle one is cool. */
function isSlow(card: Gpu | null): boolean {
  const [now, most] = clocksIn(card)
  return (card?.temperature ?? 0) >= HOT && now !== null && most !== null && now < most / 2
}

const HOT = 87

function clocksIn(card: Gpu | null): readonly [now: number | null, most: number | null] {
  return [measured(card?.others?.['clocks.sm'] ?? ''), measured(card?.others?.['clocks.max.sm'] ?? '')]
}

/** `, 525 of 2100 MHz` */
function clocksOf(card: Gpu | null): string {
  const [now, most] = clocksIn(card)
  return now === null || most === null ? '' : `, ${now} of ${most} MHz`
}
