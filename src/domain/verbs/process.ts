import { failed, ok } from '../outcome.ts'
import type { ProcessFacts } from '../process.ts'
import type { Verb } from '../verb.ts'
import { processesOf } from './process-line.ts'
import { READ_DEADLINE_MS, readSection } from './reading.ts'

/** One process and its parent. */
export const process: Verb<ProcessArgs, ProcessAndParent> = {
  name: 'process',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words: ({ pid }) => [String(pid)],
  parse: (reply, { pid }) =>
    readSection(reply, 'processes', (section) => {
      const all = processesOf(section)
      const found = all.find((one) => one.pid === pid)
      if (found !== undefined) return ok({ process: found, parent: all.find((one) => one.pid === found.ppid) ?? null })
      return failed({
        kind: 'not-there',
        thing: `process ${pid}`,
        observed: 'it is not there, or ended while it was looked at',
        next: 'look again at what runs: the number may have been given to another process since',
      })
    }),
}

export interface ProcessArgs {
  readonly pid: number
}

export interface ProcessAndParent {
  readonly process: ProcessFacts
  readonly parent: ProcessFacts | null
}
