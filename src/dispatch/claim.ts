import type { Policy } from '../authorise.ts'
import { codeKey } from '../domain/access-code.ts'
import type { Ask } from '../domain/ask.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Clock } from '../domain/ports.ts'
import type { Claimed, CodeState, Directory, Grant, Grants, Standing } from '../domain/role.ts'
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
  /** null: no chat is connected */
  directory(): Directory | null
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

  /** Others have read it: it must not make anybody admin. Only a right one leaves a trace. */
  async function spoil(code: string): Promise<Outcome<null>> {
    if (around.code(code) !== 'right') return ok(null)
    const noted = await grants.firstTime(codeKey(code), clock.now())
    return noted.ok ? ok(null) : failed(noted.failure)
  }

  async function claim(ask: Asking, code: string): Promise<Outcome<Claimed>> {
    const { team, id, kind, stale } = ask.person
    if (kind !== 'member' || stale === true) return ok('not a member')
    const all = await standingsIn(around)
    if (!all.ok) return failed(all.failure)
    const taken = await isTaken(all.value, around)
    if (!taken.ok) return failed(taken.failure)
    if (taken.value) return ok('taken')
    const who = `${team}:${id}`
    if (wrong.paused(who)) return ok('paused')
    const state = around.code(code)
    if (state === 'right') return once(ask, code)
    if (state === 'wrong') wrong.note(who)
    return ok(state)
  }

  return { claim, spoil }
}

/**
 * Whether anybody is admin. A group in which nobody is, or that Slack does not have, is nobody; where it only does not tell
 * now, nothing is decided.
 */
async function isTaken(all: readonly Standing[], { directory }: Around): Promise<Outcome<boolean>> {
  const admins = all.filter(({ role }) => role === 'admin').map(({ holder }) => holder)
  if (admins.some(({ kind }) => kind === 'person')) return ok(true)
  const chat = directory()
  // no chat tells of them, and no code is typed in one either
  if (chat === null) return ok(admins.length > 0)
  const groups = await Promise.all(admins.map(({ id }) => chat.group(id)))
  if (groups.some((one) => one.ok && one.value.length > 0)) return ok(true)
  const unread = groups.find((one) => !one.ok && one.failure.kind !== 'config')
  return unread === undefined || unread.ok ? ok(false) : failed(unread.failure)
}
