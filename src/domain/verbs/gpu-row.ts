import type { GapReason, Gpu, GpuField, GpuGap } from '../gpu.ts'
import { decimal, wholeNumber } from './reading.ts'

/** Reads one row of the 13 columns that the gate asks nvidia-smi for; null for any other line. */
export function readGpu(line: string): Gpu | null {
  const cells = line.split(',').map((cell) => cell.trim())
  const [index = '', uuid = '', slot = ''] = cells
  if (cells.length !== COLUMNS.length || !isRow(index, uuid, slot)) return null
  const gaps = COLUMNS.flatMap((field, at) => gapOf(field, cells[at] ?? ''))
  const cell = (field: GpuField) => cells[COLUMNS.indexOf(field)] ?? ''
  const text = (field: GpuField) => (gaps.some((gap) => gap.field === field) ? null : cell(field))
  return {
    index: wholeNumber(index),
    uuid: text('uuid'),
    slot: text('slot'),
    name: text('name'),
    driver: text('driver'),
    memoryTotalMiB: decimal(cell('memoryTotalMiB')),
    memoryUsedMiB: decimal(cell('memoryUsedMiB')),
    utilization: decimal(cell('utilization')),
    temperature: decimal(cell('temperature')),
    powerW: decimal(cell('powerW')),
    powerLimitW: decimal(cell('powerLimitW')),
    fan: decimal(cell('fan')),
    pstate: text('pstate'),
    lost: gaps.some((gap) => gap.why === 'lost'),
    needsReset: gaps.some((gap) => gap.why === 'needs-reset'),
    gaps,
  }
}

const COLUMNS: readonly GpuField[] = [
  'index',
  'uuid',
  'slot',
  'name',
  'driver',
  'memoryTotalMiB',
  'memoryUsedMiB',
  'utilization',
  'temperature',
  'powerW',
  'powerLimitW',
  'fan',
  'pstate',
]

const TEXTS: readonly GpuField[] = ['uuid', 'slot', 'name', 'driver', 'pstate']

/** A warning with as many commas is no row. */
function isRow(index: string, uuid: string, slot: string): boolean {
  return /^\d{1,4}$/.test(index) || /^(?:GPU|MIG)-/.test(uuid) || /^[0-9A-F]{4,8}:[0-9A-F]{2}:/i.test(slot)
}

function gapOf(field: GpuField, cell: string): readonly GpuGap[] {
  const known = TEXTS.includes(field) ? !isPlaceholder(cell) : decimal(cell) !== null
  return known ? [] : [{ field, why: gapReason(cell), said: cell }]
}

/** Whether nvidia-smi printed something in place of a value. */
export function isPlaceholder(cell: string): boolean {
  return cell === '' || cell === 'N/A' || cell === 'ERR!' || (cell.startsWith('[') && cell.endsWith(']'))
}

/** Why there is no value, by what stands in its place. */
export function gapReason(cell: string): GapReason {
  if (/^\[?(?:N\/A|Not Supported|Not Active|Not Available|-|[\w ]{0,40}\bdeprecated)\]?$/i.test(cell))
    return 'unsupported'
  if (/GPU is lost/i.test(cell)) return 'lost'
  if (/requires reset/i.test(cell)) return 'needs-reset'
  return /permission|not found/i.test(cell) ? 'hidden' : 'failed'
}
