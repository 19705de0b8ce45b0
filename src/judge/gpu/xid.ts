import type { Evidence } from '../../domain/finding.ts'
import { quotedLine } from './heard.ts'

/**
 * What the number of an Xid stands for, by NVIDIA's catalogue (docs.nvidia.com/deploy/xid-errors, r590, read 2026-02).
 * program: of the software that ran · aftermath: of something before it · bus: the card is gone · firmware: the processor
 * of the card (GSP) is silent · card: its chip or memory, a reset helps for now · link: NVLink · contained, remapped,
 * exhausted: its memory, repaired, to be repaired by the next reset, beyond repair · recovery: what the driver advises ·
 * start: it did not come up · power: its cable.
 */
export type XidClass =
  | 'program'
  | 'aftermath'
  | 'bus'
  | 'firmware'
  | 'card'
  | 'link'
  | 'contained'
  | 'remapped'
  | 'exhausted'
  | 'recovery'
  | 'start'
  | 'power'

/** One event of the driver in the kernel's log. */
export interface Xid {
  readonly number: number
  /** null: not in the table */
  readonly what: XidClass | null
  /** what the number means, in words */
  readonly means: string
  /** PCI address as the line has it: `0000:44:00` */
  readonly slot: string
  readonly line: string
  readonly quote: string
  /** among the kernel's lines, from 1 */
  readonly at: number
}

/** Every Xid of the kernel's lines, oldest first. */
export function xidsOf({ kernel }: Pick<Evidence, 'kernel'>): readonly Xid[] {
  return (kernel ?? []).flatMap((line, index) => {
    const [, slot, digits] = XID.exec(line) ?? []
    if (slot === undefined || digits === undefined) return []
    const number = Number(digits)
    const [what, means] = XIDS[number] ?? [null, 'not in our table']
    return [{ number, what, means, slot, line, quote: quotedLine('kernel', line), at: index + 1 }]
  })
}

const XID = /\bXid \((?:PCI:)?([0-9a-f:.]{4,20})(?: GPU-I:\d+)?\): (\d{1,3})\b/i

const XIDS: Readonly<Record<number, readonly [XidClass, string]>> = {
  8: ['program', 'work on the GPU took too long'],
  11: ['program', 'a damaged stream of commands'],
  13: ['program', 'an exception in a kernel, as a rule an access out of bounds'],
  31: ['program', 'an access to memory that is not mapped'],
  32: ['program', 'a damaged stream of commands'],
  43: ['program', 'the GPU stopped the work of a program that erred'],
  45: ['aftermath', 'clean-up after an earlier error, or after the program was ended'],
  46: ['card', 'the GPU stopped processing'],
  48: ['card', 'a double-bit error of its memory'],
  54: ['power', 'its auxiliary power is not connected'],
  56: ['card', 'an error of its display engine'],
  57: ['card', 'an error while its memory was programmed'],
  58: ['card', 'an unstable clock of its memory'],
  61: ['card', 'its micro-controller stopped'],
  62: ['card', 'its micro-controller halted'],
  63: ['remapped', 'bad memory was marked, and is replaced at the next reset'],
  64: ['exhausted', 'bad memory could not be replaced'],
  68: ['program', 'an exception of the video decoder'],
  69: ['program', 'an exception of a class of the graphics engine'],
  74: ['link', 'an error of NVLink'],
  79: ['bus', 'the card has fallen off the bus'],
  92: ['card', 'many single-bit errors of its memory'],
  94: ['contained', 'an uncorrectable error of its memory that hit one program only'],
  95: ['card', 'an uncorrectable error of its memory that could not be contained'],
  109: ['program', 'a switch of contexts took too long'],
  110: ['card', 'a fault of its security unit'],
  119: ['firmware', 'its processor (GSP) does not answer the driver'],
  120: ['firmware', 'its processor (GSP) reports an error'],
  136: ['link', 'the links could not be trained'],
  137: ['program', 'an access over NVLink that is not allowed'],
  140: ['card', 'an uncorrectable error of its memory'],
  143: ['start', 'its start failed'],
  144: ['link', 'an error of NVLink'],
  145: ['link', 'an error of NVLink'],
  146: ['link', 'an error of NVLink'],
  147: ['link', 'an error of NVLink'],
  148: ['link', 'an error of NVLink'],
  149: ['link', 'an error of NVLink'],
  150: ['link', 'an error of NVLink'],
  154: ['recovery', 'the driver asks for a reset or a reboot'],
  160: ['remapped', 'a channel of its memory is retired at the next reset'],
  161: ['exhausted', 'a channel of its memory could not be retired'],
}

/** Those that tell of the card, not of a program. */
export function isOfCard({ what, line }: Xid): boolean {
  if (what === 'recovery') return !/\bto 0x0\b|\(None\)\s*$/.test(line)
  return what !== null && what !== 'program' && what !== 'aftermath'
}
