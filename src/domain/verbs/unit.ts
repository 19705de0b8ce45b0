import type { GateReply } from '../gate.ts'
import { sectionOf } from '../gate.ts'
import { failed, ok } from '../outcome.ts'
import type { Fence, UnitState } from '../unit.ts'
import { readFence } from '../unit.ts'
import type { Verb } from '../verb.ts'
import { linesOf, READ_DEADLINE_MS, readSection } from './reading.ts'
import { readUnitState } from './unit-state.ts'

/** The state of one unit, the fence for a change of it, and the variants that it may run with. */
export const unit: Verb<UnitArgs, UnitReading> = {
  name: 'unit',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words: (args) => [args.unit],
  parse: (reply) =>
    readSection(reply, 'unit', (section) => {
      const state = readUnitState(section)
      if (!state.ok) return failed(state.failure)
      return ok({ state: state.value, fence: fenceOf(reply), ...variantsOf(reply) })
    }),
}

export interface UnitArgs {
  /** its alias in /etc/pilotflame/units */
  readonly unit: string
}

export interface UnitReading {
  readonly state: UnitState
  /** null: the host keeps no record of changes, so none can be made */
  readonly fence: Fence | null
  /** the variant in force; null: none */
  readonly variant: string | null
  readonly variants: readonly string[]
}

function fenceOf(reply: GateReply): Fence | null {
  const [line = ''] = linesOf(sectionOf(reply, 'fence'))
  return readFence(line.trim())
}

function variantsOf(reply: GateReply): Pick<UnitReading, 'variant' | 'variants'> {
  const [selected = 'none', ...rest] = linesOf(sectionOf(reply, 'variants')).map((line) => line.trim())
  const variants = rest.flatMap((line) => (line.startsWith('available ') ? [line.slice('available '.length)] : []))
  return { variant: selected === 'none' ? null : selected, variants }
}
