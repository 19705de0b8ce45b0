import { sectionOf } from '../gate.ts'
import type { GpuProcess } from '../gpu.ts'
import { failed, ok } from '../outcome.ts'
import type { Verb } from '../verb.ts'
import { isPlaceholder } from './gpu-row.ts'
import { nvidiaSmiFailure } from './nvidia-smi.ts'
import { processesOf } from './process-line.ts'
import { decimal, linesOf, READ_DEADLINE_MS, readSection, wholeNumber } from './reading.ts'

/** Which processes hold memory of which GPU. None is an answer too. */
export const gpuProcesses: Verb<object, GpuProcesses> = {
  name: 'gpu-processes',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words: () => [],
  parse: (reply) =>
    readSection(reply, 'apps', (section) => {
      const facts = new Map(processesOf(sectionOf(reply, 'processes')).map((one) => [one.pid, one]))
      const read = linesOf(section)
        .filter((line) => !/^\s*no running processes/i.test(line))
        .map((line) => readRow(line) ?? line.trim())
      const rows = read.filter((one) => typeof one !== 'string')
      const notes = read.filter((one) => typeof one === 'string')
      const reading = { processes: rows.map((row) => ({ ...row, facts: facts.get(row.pid) ?? null })), notes }
      const isAnswer = rows.length > 0 || notes.length === 0
      return section.rc === 0 && isAnswer ? ok(reading) : failed(nvidiaSmiFailure(section), reading)
    }),
}

export interface GpuProcesses {
  readonly processes: readonly GpuProcess[]
  /** lines of the tool that are no rows: warnings */
  readonly notes: readonly string[]
}

/** Reads `gpu_uuid, pid, process_name, used_gpu_memory`; a process may have commas in its name. */
function readRow(line: string): Omit<GpuProcess, 'facts'> | null {
  const cells = line.split(',').map((cell) => cell.trim())
  const [uuid = '', pidCell = ''] = cells
  const pid = wholeNumber(pidCell)
  if (cells.length < 4 || pid === null) return null
  const name = cells.slice(2, -1).join(', ')
  return {
    gpuUuid: isPlaceholder(uuid) ? null : uuid,
    pid,
    name: isPlaceholder(name) ? null : name,
    memoryMiB: decimal(cells.at(-1) ?? ''),
  }
}
