import { sectionOf } from '../gate.ts'
import type { Outcome } from '../outcome.ts'
import { failed, ok } from '../outcome.ts'
import type { Verb } from '../verb.ts'
import { garbled, linesOf, READ_DEADLINE_MS } from './reading.ts'
import { toolFailure } from './tool-failure.ts'

/** The kernel's latest lines about GPUs, memory run out, and network file systems. */
export const dmesgGpu: Verb<object, KernelLines> = {
  name: 'dmesg-gpu',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words: () => [],
  parse(reply): Outcome<KernelLines> {
    const section = sectionOf(reply, 'dmesg') ?? sectionOf(reply, 'journal')
    if (section === null) return failed(garbled('section dmesg', 'the gate did not send it'))
    const lines = linesOf(section).map(readKernelLine)
    const tool = section.name === 'dmesg' ? 'dmesg' : 'journalctl'
    if (section.rc === 0) return ok({ lines })
    return failed(toolFailure(tool, section), { lines })
  },
}

export interface KernelLines {
  readonly lines: readonly KernelLine[]
}

export interface KernelLine {
  /** ms since 1970, null where the line has no time */
  readonly at: number | null
  /** without time and host: `NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.` */
  readonly text: string
}

/** dmesg writes `2026-05-01T12:00:00,123456+00:00 TEXT`, journalctl `2026-05-01T12:00:00+0000 host kernel: TEXT`. */
function readKernelLine(line: string): KernelLine {
  const [, clock, fraction = '0', hours = '+00', minutes = '00', text = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?(?:Z|([+-]\d\d):?(\d\d))?\s(.*)$/.exec(line) ?? []
  if (clock === undefined) return { at: null, text: line }
  const at = Date.parse(`${clock}.${fraction.slice(0, 3)}${hours}:${minutes}`)
  return { at: Number.isNaN(at) ? null : at, text: text.replace(/^[^\s:]{1,255} kernel: /, '') }
}
