import type { PciCard } from '../../domain/verbs/pci.ts'
import type { Reader } from './reader.ts'

/** The display and compute cards of lspci -k, and the driver that has each. Without -k nobody knows who has them. */
export const readLspci: Reader = (lines) => {
  const blocks = blocksIn(lines)
  const rest = lines.filter((line) => !blocks.some((block) => block.includes(line)))
  const asked = blocks.some((block) => block.some((line) => /^\s+Kernel (?:driver|modules)/.test(line)))
  if (!asked) return { rest: lines }
  return { pci: blocks.flatMap((block) => cardIn(block) ?? []), rest }
}

/** Each device with the indented lines below it. */
function blocksIn(lines: readonly string[]): readonly (readonly string[])[] {
  const blocks: string[][] = []
  let open = false
  for (const line of lines) {
    if (DEVICE.test(line)) blocks.push([line])
    else if (open && /^\s+\S/.test(line)) blocks.at(-1)?.push(line)
    open = DEVICE.test(line) || (open && /^\s+\S/.test(line))
  }
  return blocks.slice(0, MOST)
}

const DEVICE = /^(?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\.\d /i
const MOST = 500

function cardIn([head = '', ...below]: readonly string[]): PciCard | null {
  if (!/ (?:VGA compatible controller|3D controller|Display controller|Processing accelerators)\b/.test(head))
    return null
  const [, slot = ''] = /^(\S+) /.exec(head) ?? []
  const [, vendor = '', device = ''] = /\[([0-9a-f]{4}):([0-9a-f]{4})\]/i.exec(head) ?? []
  const [, cardClass = ''] = /\[([0-9a-f]{4})\]:/i.exec(head) ?? []
  const driver = below
    .map((line) => /Kernel driver in use: (\S{1,40})/.exec(line)?.[1])
    .find((one) => one !== undefined)
  return {
    slot: slot.length < 10 ? `0000:${slot}` : slot,
    vendor: vendor === '' ? vendorNamed(head) : `0x${vendor}`,
    device: device === '' ? '' : `0x${device}`,
    class: cardClass === '' ? '' : `0x${cardClass}`,
    driver: driver ?? null,
  }
}

function vendorNamed(head: string): string {
  if (/NVIDIA/i.test(head)) return '0x10de'
  return /Advanced Micro Devices|AMD\/ATI/i.test(head) ? '0x1002' : ''
}
