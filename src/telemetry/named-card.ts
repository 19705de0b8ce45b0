import type { Gpu, GpuField } from '../domain/gpu.ts'
import { isPlaceholder } from '../domain/verbs/gpu-row.ts'
import { cardOf } from '../judge/gpu/card.ts'
import type { Named } from '../judge/gpu/names.ts'

/** Under which names a tool tells a field: the first that has a value counts, since models and releases differ. */
export type Names = readonly (readonly [field: GpuField, names: readonly string[]])[]

/** Makes a card of named values, by the names that are known to mean a field; the others are not asked for. */
export function namedCard(named: readonly Named[], names: Names): Gpu {
  const values = new Map(named.slice(0, MOST).map(([name, value]) => [name, withUnit(name, value)]))
  const said: Partial<Record<GpuField, string>> = {}
  for (const [field, wanted] of names) {
    const found = wanted.flatMap((name) => values.get(name) ?? [])
    const value = found.find((one) => !isPlaceholder(one)) ?? found[0]
    if (value !== undefined) said[field] = value
  }
  const card = cardOf(said)
  // so chips say that have no limit of their own
  return card.powerLimitW === 0 ? { ...card, powerLimitW: null } : card
}

const MOST = 1000

/** rocm-smi writes the unit behind the name: `VRAM Total Memory (B)` */
function withUnit(name: string, value: string): string {
  return name.endsWith('(B)') && /^\d+$/.test(value) ? `${value} B` : value
}
