import type { Evidence } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import type { Said } from '../log/line-faults.ts'

/** A shell says it of any program that falls; without a line of an engine nobody knows which one did. */
export function isOfAnyProgram(line: string, { log, told, smoke }: Evidence): boolean {
  const isBare = log !== undefined && log.writer === null && (told ?? []).length === 0 && smoke === undefined
  return (
    isBare &&
    /^\s*(?:\S{1,200}: )?(?:line \d{1,6}: +\d{1,9} )?Segmentation fault/.test(line) &&
    !log.signs.some(isOfAnEngine)
  )
}

function isOfAnEngine({ name }: Sign): boolean {
  return name.startsWith('stage-') || name === 'gpu-kernel-error' || name === 'nccl-error'
}

/** What is said of it. */
export const ANY_PROGRAM: Said = {
  code: 'log.need-more',
  verdict: 'inconclusive',
  cause: 'A program ended by a segmentation fault; which one, and in what of its code, these lines do not say.',
  remedy: [
    'See which it was: dmesg -T | grep -i segfault names the program and the library in which it fell (libcuda, libnccl, a kernel library, Python itself).',
    'coredumpctl info shows the stack of the last one; of a Python engine, a start with PYTHONFAULTHANDLER=1 prints it.',
    'Show that, with 200 lines from before the fault.',
  ],
  confidence: 'certain',
  missing: ['the lines above; dmesg -T | grep -iE "segfault|xid"'],
}
