import type { Evidence } from '../../domain/finding.ts'
import type { GpuEvidence } from '../../domain/gpu.ts'
import { isChatter } from '../../domain/remote/text.ts'
import { readBlocks } from './blocks.ts'
import { readJsonText } from './json-text.ts'
import { readKernel } from './kernel-lines.ts'
import { readListing } from './listing.ts'
import { readLspci } from './lspci.ts'
import type { Found, Reader } from './reader.ts'
import { readAmdTable, readRocmTable } from './rocm-table.ts'
import { readProcessRows, readRows } from './rows.ts'
import { readTable } from './table.ts'

/** A GPU tool that somebody ran. */
export interface ToolRun {
  /** the command line; '' where it is not known */
  readonly command: string
  readonly stdout: string
  readonly stderr: string
  /** null where it did not end by itself, or nobody told */
  readonly rc: number | null
  readonly timedOut: boolean
  readonly place: GpuEvidence['place']
}

export type ToolEvidence = Pick<Evidence, 'gpus' | 'gpuProcesses' | 'pci' | 'kernel'>

/** Reads what GPU tools print: readings, processes, cards of the bus, lines of the kernel; the rest are its notes. */
export function readToolRun(run: ToolRun): ToolEvidence {
  const found: Found[] = []
  const { true: chatter = [], false: said = [] } = Object.groupBy(linesOf(run.stderr), (line) => `${isChatter(line)}`)
  let rest = [...linesOf(run.stdout), ...said]
  for (const read of READERS) {
    const one = read(rest, run.command)
    found.push(one)
    rest = [...one.rest]
  }
  const cards = longest(found.flatMap((one) => (one.cards === undefined ? [] : [one.cards])))
  const gpuProcesses = longest(found.flatMap((one) => (one.processes === undefined ? [] : [one.processes])))
  const pci = found.flatMap((one) => one.pci ?? [])
  const kernel = found.flatMap((one) => one.kernel ?? [])
  const { rc, timedOut, place } = run
  return {
    gpus: {
      tool: toolIn(run.command),
      cards: cards ?? [],
      notes: rest.slice(0, MOST_NOTES),
      ...(chatter.length === 0 ? {} : { chatter: chatter.slice(0, MOST_NOTES) }),
      rc,
      timedOut,
      place,
    },
    ...(gpuProcesses === undefined ? {} : { gpuProcesses }),
    ...(pci.length === 0 ? {} : { pci }),
    ...(kernel.length === 0 ? {} : { kernel: kernel.slice(-MOST_KERNEL) }),
  }
}

/** In this order: what one does not know is left to the next. */
const READERS: readonly Reader[] = [
  readKernel,
  readLspci,
  readJsonText,
  readTable,
  readAmdTable,
  readListing,
  readProcessRows,
  readRows,
  readRocmTable,
  readBlocks,
]

const MOST_NOTES = 50
const MOST_KERNEL = 500
const MOST_LINES = 5000
/** in characters: patterns are tried on each */
const LONGEST = 2000

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/, MOST_LINES)
    .map((line) => line.slice(0, LONGEST).trimEnd())
    .filter((line) => line !== '')
}

function longest<T>(lists: readonly (readonly T[])[]): readonly T[] | undefined {
  return lists.toSorted((one, other) => other.length - one.length)[0]
}

/** The program that spoke, whatever started it: `docker exec llm nvidia-smi -L` is nvidia-smi. */
function toolIn(command: string): string {
  const known =
    /\b(?:nvidia-smi|rocm-smi|amd-smi|rocminfo|dcgmi|nvidia-container-cli|nvtop|lspci|dmesg|journalctl|modprobe)\b/
  return known.exec(command)?.[0] ?? /^\s*(?:sudo +)?([\w./-]{1,60})/.exec(command)?.[1] ?? 'the tool'
}
