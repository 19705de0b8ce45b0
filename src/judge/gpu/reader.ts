import type { Gpu, GpuProcess } from '../../domain/gpu.ts'
import type { PciCard } from '../../domain/verbs/pci.ts'

/** What one reader found in the output of a GPU tool. `rest` are the lines that it could not read, for the next one. */
export interface Found {
  readonly cards?: readonly Gpu[]
  /** empty where the tool said that there are none */
  readonly processes?: readonly GpuProcess[]
  readonly pci?: readonly PciCard[]
  readonly kernel?: readonly string[]
  readonly rest: readonly string[]
}

/** Takes what it knows out of the lines of an output. `command` is the command line, '' where it is not known. */
export type Reader = (lines: readonly string[], command: string) => Found

/** Lines that `take` reads, and the others. */
export function parted<T>(
  lines: readonly string[],
  take: (line: string) => T | null,
): { readonly taken: readonly T[]; readonly rest: readonly string[] } {
  const taken: T[] = []
  const rest: string[] = []
  for (const line of lines) {
    const read = take(line)
    if (read === null) rest.push(line)
    else taken.push(read)
  }
  return { taken, rest }
}
