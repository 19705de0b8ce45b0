import { CODES } from '../../domain/code.ts'
import { excerpt } from '../../domain/excerpt.ts'
import type { GapReason, Gpu, GpuField } from '../../domain/gpu.ts'
import { count } from '../../domain/report.ts'
import type { Living } from './living.ts'
import type { CardStanding } from './standing.ts'
import { isAtWork } from './standing.ts'

export const CARD_COLUMNS = ['GPU', 'Name', 'Memory', 'Use', 'Temp', 'Power', 'State', 'Targets'] as const

/** One card as a row. What its tool put in the place of a reading is said in words. */
export function cardCells(card: CardStanding): readonly string[] {
  const { gpu, living } = card
  return [
    gpu.index === null ? (gpu.slot ?? NOT_KNOWN) : String(gpu.index),
    gpu.name === null ? absent(gpu, 'name') : excerpt(gpu.name, LONGEST_NAME),
    memory(gpu),
    gpu.utilization === null ? absent(gpu, 'utilization') : percent(gpu.utilization),
    gpu.temperature === null ? absent(gpu, 'temperature') : `${Math.round(gpu.temperature)} °C`,
    power(gpu),
    stateWords(card),
    livingWords(living),
  ]
}

export const NOT_KNOWN = '–'
const LONGEST_NAME = 40

function absent({ gaps }: Gpu, field: GpuField): string {
  const gap = gaps.find((one) => one.field === field)
  return gap === undefined ? NOT_KNOWN : GAPS[gap.why]
}

/** Why there is no reading, for a cell. */
export const GAPS: Readonly<Record<GapReason, string>> = {
  unsupported: 'not reported',
  hidden: 'hidden',
  failed: 'not readable',
  'needs-reset': 'needs a reset',
  lost: 'lost',
}

function memory(gpu: Gpu): string {
  const { memoryUsedMiB: used, memoryTotalMiB: total } = gpu
  if (used === null) return absent(gpu, 'memoryUsedMiB')
  return total === null ? `${gib(used)} GiB` : sizes(used, total)
}

/** `42.2 / 48.0 GiB`; takes MiB */
export function sizes(used: number, total: number): string {
  return `${gib(used)} / ${gib(total)} GiB`
}

function gib(mib: number): string {
  const size = mib / 1024
  return size >= 1000 ? count(Math.round(size)) : size.toFixed(1)
}

export function percent(share: number): string {
  return `${Math.round(share)} %`
}

function power(gpu: Gpu): string {
  const { powerW, powerLimitW } = gpu
  if (powerW === null) return absent(gpu, 'powerW')
  return powerLimitW === null ? `${Math.round(powerW)} W` : `${Math.round(powerW)} / ${Math.round(powerLimitW)} W`
}

function stateWords({ state, finding, gpu }: CardStanding): string {
  switch (state) {
    case 'fault':
    case 'warn':
      return finding === null ? 'Look at it' : `${CODES[finding.code]} (${finding.code})`
    case 'unknown':
      return 'Use not told'
    case 'busy':
      return isAtWork(gpu) ? 'At work' : 'Loaded, no work'
    case 'free':
      return 'Free'
  }
}

/** `qwen`, `probably qwen`, `qwen or spare`, `python of ben`; '' where nobody is seen. */
function livingWords({ surely, perhaps, strangers }: Living): string {
  return listed([...surely, ...doubt(perhaps), ...strangers])
}

function doubt(names: readonly string[]): readonly string[] {
  const [first] = names
  if (first === undefined) return []
  if (names.length === 1) return [`probably ${first}`]
  return [names.length <= SHOWN ? names.join(' or ') : `one of ${count(names.length)} targets`]
}

/** Names in one cell; more are counted. */
const SHOWN = 3

/** `a, b, c and 4 more` */
export function listed(names: readonly string[], most: number = SHOWN): string {
  const rest = names.length - most
  return rest <= 0 ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${count(rest)} more`
}
