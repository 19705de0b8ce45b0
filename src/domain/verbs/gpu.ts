import type { Gpu } from '../gpu.ts'
import { failed, ok } from '../outcome.ts'
import type { Verb } from '../verb.ts'
import { readGpu } from './gpu-row.ts'
import { nvidiaSmiFailure } from './nvidia-smi.ts'
import { linesOf, READ_DEADLINE_MS, readSection } from './reading.ts'

/** What nvidia-smi tells of every GPU. A failure of the tool still hands on the GPUs that it printed before. */
export const gpu: Verb<object, GpuReading> = {
  name: 'gpu',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words: () => [],
  parse: (reply) =>
    readSection(reply, 'gpu', (section) => {
      const read = linesOf(section).map((line) => readGpu(line) ?? line.trim())
      const gpus = read.filter((one) => typeof one !== 'string')
      const reading = { gpus, notes: read.filter((one) => typeof one === 'string') }
      if (section.rc === 0 && gpus.length > 0) return ok(reading)
      return failed(nvidiaSmiFailure(section), reading)
    }),
}

export interface GpuReading {
  readonly gpus: readonly Gpu[]
  /** lines of the tool that are no rows: warnings */
  readonly notes: readonly string[]
}
