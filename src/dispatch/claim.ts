import type { Policy } from '../authorise.ts'
import { codeKey } from '../domain/access-code.ts'
import type { Ask } from '../domain/ask.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Clock } from '../domain/ports.ts'
import type { Claimed, CodeState, Grant, Grants } from '../domain/role.ts'
import type { Store } from '../domain/store.ts'
import { standingsIn } from './standings.ts'
import { tries } from './tries.ts'

/** Judges a first admin’s code, however it was typed. */
export interface Codes {
  code(typed: string): CodeState
}

interface Around extends Codes {
  readonly policy: Policy
  readonly grants: Pick<Grants, 'grants'> & Pick<Store, 'firstTime'>
  readonly clock: Clock
}

type Asking = Pick<Ask, 'person' | 'place'>

/** Makes whoever has the code the first admin; while there is one, no code is looked at. */
export function claiming(around: Around, add: (ask: Asking, given: Grant) => Promise<Outcome<null>>) {
  const { grants, clock } = around
  const wrong = tries(clock)

  async function once(ask: Asking, code: string): Promise<Outcome<Claimed>> {
    const { team, id } = ask.person
    // forgotten after an hour, when the code has long expired
    const unused = await grants.firstTime(codeKey(code), clock.now())
    if (!unused.ok) return failed(unused.failure)
    if (!unused.value) return ok('used')
    const added = await add(ask, { person: { team, id }, role: 'admin', by: 'code', at: clock.now() })
    return added.ok ? ok('claimed') : failed(added.failure)
  }

  return async (ask: Asking, code: string): Promise<Outcome<Claimed>> => {
    const { team, id, kind, stale } = ask.person
    if (kind !== 'member' || stale === true) return ok('not a member')
    const all = await standingsIn(around)
    if (!all.ok) return failed(all.failure)
    if (all.value.some(({ role }) => role === 'admin')) return ok('taken')
    const who = `${team}:${id}`
    if (wrong.paused(who)) return ok('paused')
    const state = around.code(code)
    if (state === 'right') return once(ask, code)
    if (state === 'wrong') wrong.note(who)
    return ok(state)
  }
}
