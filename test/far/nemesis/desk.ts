import type { GateDelivery } from '../../../src/domain/target.ts'
import type { Fence } from '../../../src/domain/unit.ts'
import type { Verb } from '../../../src/domain/verb.ts'
import type { Act, ChangeArgs } from '../../../src/domain/verbs/change.ts'
import { opstat, unit } from '../../../src/domain/verbs/index.ts'
import type { OperationFate } from '../../../src/domain/verbs/opstat.ts'
import { never, valueIn } from '../../adapters/tidy.ts'
import type { Gate } from '../box/install.ts'
import { newOp, verbsOver } from '../verbs-over.ts'

/** Where changes of one box are planned and confirmed, by either delivery of the gate. */
export interface Desk {
  plan(alias: string, by?: GateDelivery): Promise<Fence>
  /** `done`, `already`, `issued`, or the kind of the failure */
  confirm(verb: Verb<ChangeArgs, Act>, alias: string, fence: Fence, given?: Given): Promise<string>
  fate(op: string, by?: GateDelivery): Promise<OperationFate>
  close(): Promise<void>
}

interface Given {
  readonly by?: GateDelivery
  /** a new operation where none is given */
  readonly op?: string
}

export function deskOf({ installed, quick }: Gate): Desk {
  const { host, close } = verbsOver([installed, quick])
  return {
    async plan(alias, by = 'installed') {
      const { fence } = valueIn(await host(by).run(unit, { unit: alias }, { signal: never })).value
      if (fence === null) throw new Error('no fence: the account keeps no records')
      return fence
    },
    async confirm(verb, alias, fence, { by = 'installed', op = newOp() } = {}) {
      const ran = await host(by).run(verb, { unit: alias, fence }, { signal: never, op })
      return ran.ok ? ran.value.value.state : ran.failure.kind
    },
    async fate(op, by = 'installed') {
      return valueIn(await host(by).run(opstat, { target: op }, { signal: never })).value
    },
    close,
  }
}
