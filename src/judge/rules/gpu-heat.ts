import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Gpu } from '../../domain/gpu.ts'
import { cardId, cardName, measured } from '../gpu/card.ts'
import type { Fact } from '../gpu/facts.ts'
import { factsOf } from '../gpu/facts.ts'
import { heardFromKernel, heardOfAmd, quotes } from '../gpu/heard.ts'

/** A card that the heat slows down. A limit of power, an idle card, or a warm one at full speed is none. */
export const gpuHeat: Rule = {
  codes: ['gpu.thermal'],
  check(evidence) {
    const told = slowdown(evidence)
    const said = heardFromKernel(evidence, OVERHEATED) ?? heardOfAmd(evidence, OVERHEATED_AMD)
    const hot = hottest(evidence)
    const isSeen = told !== null || said !== null || isSlow(hot)
    if (!isSeen && (hot?.temperature ?? 0) < limitOf(hot)) return []
    const card = told?.card ?? hot
    const isPlain = told !== null && THERMAL.test(told.name)
    const brake = 'its power supply asked for it (HW power brake): nvidia-smi -q -d PERFORMANCE names the reason.'
    return [
      {
        code: 'gpu.thermal',
        verdict: 'degraded',
        cause: causeOf(card, isSeen),
        because: [
          ...(told === null ? [] : [told.quote]),
          ...quotes(said),
          ...(card?.temperature == null ? [] : [`${cardName(card)}: ${card.temperature} °C`]),
        ],
        remedy: cooled(card),
        confidence: isPlain || said !== null ? 'certain' : 'likely',
        ...(isPlain ? {} : { unless: isSeen ? brake : HIGHER }),
      } satisfies Finding,
    ]
  },
}

const HIGHER = 'its own slowdown temperature is higher: nvidia-smi -q -d TEMPERATURE names it.'

/** Where only its temperature is known, nobody has seen it slow down. */
function causeOf(card: Gpu | null, isSeen: boolean): string {
  const name = card === null ? 'A GPU' : cardName(card)
  const degrees = card?.temperature == null ? '' : ` at ${card.temperature} °C`
  return isSeen
    ? `${name} slows down${degrees} to protect itself from the heat${clocksOf(card)}: tokens come slower.`
    : `${name} is${degrees}, where a card of its kind slows down to protect itself from the heat.`
}

function cooled(card: Gpu | null): readonly string[] {
  return [
    'Look at the airflow: fans that turn, filters and fins that are free, blanking panels, the temperature of the room; cards side by side need the space between.',
    `At once: lower its power limit, ${lessPower(card)}, or spread the load.`,
    'nvidia-smi -q -d TEMPERATURE,PERFORMANCE shows how far it is from its slowdown temperature; nvidia-smi dmon -s pucv shows its clocks while it works.',
  ]
}

/** In whole watts, as the tool wants them. */
function lessPower(card: Gpu | null): string {
  const limit = card?.powerLimitW ?? null
  const [watts, of] = limit === null ? ['WATTS', 'the default'] : [Math.floor(0.8 * limit), `its ${limit} W`]
  return `sudo nvidia-smi -i ${(card === null ? null : cardId(card)) ?? 'GPU'} -pl ${watts} (some 80 % of ${of} costs few tokens)`
}

/** Cards of data centres slow down from some 87 °C, those of desktops from some 93 °C; above this every one does. */
const SHUTDOWN_NEAR = 96
/** Cards that the server cools are slowed down from 87 to 93 °C, by their kind. */
const SERVER_CARD =
  /\b(?:A(?:2|10|10G|16|30|40|100|800)|H(?:20|100|200|800)|B[12]00|GB?[23]00|GH200|L(?:2|4|20|40|40S)|P(?:4|40|100)|T4|V100S?)\b/
const SERVER_LIMIT = 90

function limitOf(card: Gpu | null): number {
  return SERVER_CARD.test(card?.name ?? '') ? SERVER_LIMIT : SHUTDOWN_NEAR
}

const OVERHEATED = /GPU.{0,80}(?:over ?temperature|thermal shutdown)/i
const OVERHEATED_AMD = /over temperature|temperature range\(SW CTF\)|thermal (?:throttl|trip)/i
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
