import type { Verb } from '../verb.ts'
import { linesOf, READ_DEADLINE_MS, readSection, textOrNull } from './reading.ts'
import { answerOf } from './tool-failure.ts'

/** The display and compute cards on the bus and the driver that has each, whatever their own tools say. */
export const pci: Verb<object, PciCards> = {
  name: 'pci',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words: () => [],
  parse: (reply) =>
    readSection(reply, 'pci', (section) => {
      const cards = linesOf(section).flatMap((line) => readCard(line) ?? [])
      return answerOf('/sys/bus/pci', section, { cards })
    }),
}

export interface PciCards {
  readonly cards: readonly PciCard[]
}

export interface PciCard {
  /** `0000:01:00.0` */
  readonly slot: string
  /** `0x10de` is NVIDIA, `0x1002` AMD */
  readonly vendor: string
  readonly device: string
  readonly class: string
  /** null: no driver has it; `vfio-pci` keeps it for a virtual machine */
  readonly driver: string | null
}

function readCard(line: string): PciCard | null {
  const words = line.trim().split(/ +/)
  const [slot = '', vendor = '', device = '', cardClass = '', driver] = words
  if (words.length !== 5 || !/^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.\d$/i.test(slot)) return null
  if (![vendor, device, cardClass].every((word) => /^0x[0-9a-f]{4,6}$/i.test(word))) return null
  return { slot, vendor, device, class: cardClass, driver: textOrNull(driver) }
}
