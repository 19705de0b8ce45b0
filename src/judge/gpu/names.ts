import type { Gpu, GpuField } from '../../domain/gpu.ts'
import { cardOf } from './card.ts'

/** Between the names of sections and what stands in them: `ECC Errors > Volatile > DRAM Uncorrectable`. */
export const INSIDE = ' > '

/** A name as a tool writes it, with the names of its sections before it, and its value. */
export type Named = readonly [path: string, value: string]

/** Makes a card of named values, whatever the tool calls them. */
export function cardOfNamed(named: readonly Named[]): Gpu {
  const said: Partial<Record<GpuField, string>> = {}
  const others: Record<string, string> = {}
  for (const [path, value] of named.slice(0, MOST)) {
    const field = fieldOf(path)
    if (field === null) others[path] ??= value
    else said[field] ??= withUnit(path, value)
  }
  return cardOf(said, others)
}

const MOST = 500

/** rocm-smi writes the unit behind the name: `VRAM Total Memory (B): 17163091968` */
function withUnit(path: string, value: string): string {
  return /\(B\)$/.test(path) && /^\d+$/.test(value) ? `${value} B` : value
}

function fieldOf(path: string): GpuField | null {
  const name = path
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
  return FIELDS.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

/** nvidia-smi -q and -x, amd-smi and rocm-smi, in lower case and without signs. */
const FIELDS: readonly (readonly [RegExp, GpuField])[] = [
  [/(?:^| )(?:product name|market name|card series|device name)$/, 'name'],
  [/^(?:gpu )?uuid$/, 'uuid'],
  [/fb memory usage total$|(?:^| )total vram$|^vram total memory b$|vram size$/, 'memoryTotalMiB'],
  [/fb memory usage used$|(?:^| )used vram$|^vram total used memory b$/, 'memoryUsedMiB'],
  [/utilization gpu(?: util)?$|(?:^| )gfx activity$|^gpu use$/, 'utilization'],
  [/gpu current temp$|temperature gpu temp$|temperature edge$|^temperature sensor edge c$/, 'temperature'],
  [/(?:gpu power readings|power readings|^power) (?:average )?power draw$/, 'powerW'],
  [/(?:gpu power readings|power readings) instant(?:aneous)? power draw$/, 'powerW'],
  [/(?:^| )socket power$|(?:average|current socket) graphics package power w$/, 'powerW'],
  [/(?:gpu power readings|power readings) (?:current|enforced) power limit$/, 'powerLimitW'],
  [/^fan speed(?: \d+)?$|(?:^| )fan usage$/, 'fan'],
  [/^performance state$/, 'pstate'],
]
