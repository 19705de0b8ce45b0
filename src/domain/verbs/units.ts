import type { Outcome } from '../outcome.ts'
import { ok } from '../outcome.ts'
import type { UnitState } from '../unit.ts'
import type { Verb } from '../verb.ts'
import { READ_DEADLINE_MS } from './reading.ts'
import { readUnitState } from './unit-state.ts'

/** The state of every unit that the host lists; one that cannot be read does not hide the others. */
export const units: Verb<object, UnitList> = {
  name: 'units',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words: () => [],
  parse(reply) {
    const listed = reply.sections.filter((section) => section.name.startsWith(PREFIX))
    return ok({
      units: listed.map((section) => ({ unit: section.name.slice(PREFIX.length), state: readUnitState(section) })),
    })
  },
}

export interface UnitList {
  readonly units: readonly ListedUnit[]
}

export interface ListedUnit {
  /** its alias in /etc/pilotflame/units */
  readonly unit: string
  readonly state: Outcome<UnitState>
}

const PREFIX = 'unit.'
