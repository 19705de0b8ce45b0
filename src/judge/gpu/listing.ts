import type { Gpu } from '../../domain/gpu.ts'
import { cardOf } from './card.ts'
import type { Reader } from './reader.ts'
import { parted } from './reader.ts'

/** nvidia-smi -L: `GPU 0: NVIDIA RTX A6000 (UUID: GPU-…)`; instances of MIG stand below their card and are none themselves. */
export const readListing: Reader = (lines) => {
  const { taken, rest } = parted(lines, cardIn)
  return taken.length === 0 ? { rest } : { cards: taken, rest: rest.filter((line) => !INSTANCE.test(line)) }
}

const INSTANCE = /^\s+MIG \S+ {1,20}Device {1,4}\d{1,3}: \(UUID: MIG-/

function cardIn(line: string): Gpu | null {
  const [, index, name, uuid] = /^GPU (\d{1,4}): (\S.{0,80}) \(UUID: (GPU-[0-9a-f-]{8,40})\)\s*$/i.exec(line) ?? []
  return index === undefined || name === undefined || uuid === undefined ? null : cardOf({ index, name, uuid })
}
