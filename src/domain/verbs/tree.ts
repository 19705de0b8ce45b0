import type { ProcessFacts } from '../process.ts'
import type { Verb } from '../verb.ts'
import { processesOf } from './process-line.ts'
import { READ_DEADLINE_MS, readSection } from './reading.ts'
import { answerOf } from './tool-failure.ts'
import type { UnitArgs } from './unit.ts'

/** Every process of a unit; none where it is stopped. */
export const tree: Verb<UnitArgs, ProcessTree> = {
  name: 'tree',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words: (args) => [args.unit],
  parse: (reply) =>
    readSection(reply, 'processes', (section) => {
      const processes = processesOf(section)
      const reading = { processes, truncated: section.truncated || processes.length >= MOST_PROCESSES }
      return answerOf('/proc', section, reading)
    }),
}

export interface ProcessTree {
  readonly processes: readonly ProcessFacts[]
  /** whether there may be more */
  readonly truncated: boolean
}

/** The gate lists no more. */
const MOST_PROCESSES = 256
