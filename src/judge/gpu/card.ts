import type { Gpu, GpuField } from '../../domain/gpu.ts'
import { gapReason, isPlaceholder } from '../../domain/verbs/gpu-row.ts'

/** Makes a card of what its tool printed for each field, with or without units; a field that is not there was not asked. */
export function cardOf(said: Said, others: Readonly<Record<string, string>> = {}): Gpu {
  const gaps = FIELDS.flatMap((field) => {
    const cell = said[field]
    if (cell === undefined || readingOf(field, cell) !== null) return []
    return [{ field, why: gapReason(cell), said: cell }]
  })
  const number = (field: GpuField) => measured(said[field] ?? '')
  const text = (field: GpuField) => textOf(said[field] ?? '')
  const placeholders = [...gaps.map((gap) => gap.said), ...Object.values(others)]
  return {
    index: number('index'),
    uuid: text('uuid'),
    slot: text('slot'),
    name: text('name'),
    driver: text('driver'),
    memoryTotalMiB: number('memoryTotalMiB'),
    memoryUsedMiB: number('memoryUsedMiB'),
    utilization: number('utilization'),
    temperature: number('temperature'),
    powerW: number('powerW'),
    powerLimitW: number('powerLimitW'),
    fan: number('fan'),
    pstate: text('pstate'),
    // the table prints it without brackets
    lost: placeholders.some((one) => gapReason(one) === 'lost'),
    needsReset: placeholders.some((one) => isPlaceholder(one) && gapReason(one) === 'needs-reset'),
    gaps,
    others,
  }
}

export type Said = Readonly<Partial<Record<GpuField, string>>>

const TEXTS: readonly GpuField[] = ['uuid', 'slot', 'name', 'driver', 'pstate']

const FIELDS: readonly GpuField[] = [
  ...TEXTS,
  ...(['index', 'memoryTotalMiB', 'memoryUsedMiB', 'utilization', 'temperature'] as const),
  ...(['powerW', 'powerLimitW', 'fan'] as const),
]

function readingOf(field: GpuField, cell: string): string | number | null {
  return TEXTS.includes(field) ? textOf(cell) : measured(cell)
}

function textOf(cell: string): string | null {
  return isPlaceholder(cell) || cell === '-' ? null : cell
}

/** A number with or without its unit, of memory in MiB: `43210 MiB`, `0 %`, `41°C`, `8 GiB`; else null. */
export function measured(cell: string): number | null {
  const [, digits, unit = ''] = /^(-?\d{1,15}(?:\.\d{1,9})?) ?(\S{0,5})$/.exec(cell.trim()) ?? []
  const factor = FACTORS[unit.toLowerCase()] ?? null
  return digits === undefined || factor === null ? null : Math.round(Number(digits) * factor * 1000) / 1000
}

const FACTORS: Readonly<Record<string, number>> = {
  ...{ '': 1, '%': 1, w: 1, c: 1, '°c': 1, mhz: 1, mv: 1 },
  ...{ b: 1 / 1048576, kib: 1 / 1024, kb: 1 / 1024, mib: 1, mb: 1, gib: 1024, gb: 1024 },
}

/** What `nvidia-smi -i` takes for this card; null where nothing of it is known. */
export function cardId({ index, slot, uuid }: Gpu): string | null {
  return index === null ? (slot ?? uuid) : String(index)
}

/** `GPU 0 (NVIDIA RTX A6000)`, as far as it is known. */
export function cardName({ index, slot, name }: Gpu): string {
  const which = index === null ? (slot ?? '') : String(index)
  const model = name === null ? '' : ` (${name})`
  return which === '' ? `the GPU${model}` : `GPU ${which}${model}`
}
