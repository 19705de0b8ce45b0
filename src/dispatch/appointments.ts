import type { Policy } from '../authorise.ts'
import type { Ask } from '../domain/ask.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Clock } from '../domain/ports.ts'
import type { Appointments, Directory, Grant, Granted, Grants, Revoked, Standing } from '../domain/role.ts'
import { MOST_GRANTS } from '../domain/role.ts'
import { isSamePerson } from '../domain/same-person.ts'
import type { Store } from '../domain/store.ts'
import type { Codes } from './claim.ts'
import { claiming } from './claim.ts'
import { standingsIn } from './standings.ts'

export interface Around extends Codes {
  readonly policy: Policy
  readonly grants: Grants & Pick<Store, 'addAudit' | 'firstTime'>
  readonly clock: Clock
  /** null: no chat is connected */
  directory(): Directory | null
}

type Asking = Pick<Ask, 'person' | 'place'>
type Holder = Grant['person']

/** Gives and takes roles, one after the other, so that who is the last admin is read and changed in one go. */
export function appointments(around: Around): Appointments {
  const { claim, spoil } = claiming(around, (ask, given) => add(ask, given, 'access claim', around))
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }

  return {
    grant: (ask, person, role) => inTurn(() => grant(ask, person, role, around)),
    revoke: (ask, person) => inTurn(() => revoke(ask, person, around)),
    claim: (ask, code) => inTurn(() => claim(ask, code)),
    spoil: (code) => inTurn(() => spoil(code)),
  }
}

async function grant(ask: Asking, person: Holder, role: Grant['role'], around: Around): Promise<Outcome<Granted>> {
  const all = await standingsIn(around)
  if (!all.ok) return failed(all.failure)
  if (role !== 'admin' && isLast(person, all.value)) return ok('last')
  const given = all.value.filter((one) => one.grant !== null)
  if (given.length >= MOST_GRANTS && !given.some((one) => isSamePerson(one.holder, person))) return ok('full')
  const made = { person, role, by: holderName(ask.person), at: around.clock.now() }
  const added = await add(ask, made, 'access grant', around)
  return added.ok ? ok('granted') : failed(added.failure)
}

async function revoke(ask: Asking, person: Holder, around: Around): Promise<Outcome<Revoked>> {
  const all = await standingsIn(around)
  if (!all.ok) return failed(all.failure)
  if (isLast(person, all.value)) return ok('last')
  if (!all.value.some((one) => one.grant !== null && isSamePerson(one.holder, person))) return ok('none')
  const recorded = await record(ask, 'access revoke', `${holderName(person)} loses the role given here`, around)
  if (!recorded.ok) return failed(recorded.failure)
  const dropped = await around.grants.dropGrant(person)
  return dropped.ok ? ok('revoked') : failed(dropped.failure)
}

/** A grant that cannot be recorded is not given. */
async function add(ask: Asking, given: Grant, command: string, around: Around): Promise<Outcome<null>> {
  const recorded = await record(ask, command, `${holderName(given.person)} becomes ${given.role}`, around)
  return recorded.ok ? around.grants.addGrant(given) : recorded
}

/** Whom it was about; the ask has a line of its own. */
function record({ person, place }: Asking, command: string, result: string, { grants, clock }: Around) {
  return grants.addAudit({ at: clock.now(), person, place, command, target: null, decision: 'allowed', result })
}

/** Whether without this person’s grant nobody would be admin. */
function isLast(person: Holder, all: readonly Standing[]): boolean {
  const admins = all.filter(({ role }) => role === 'admin')
  return (
    admins.length === 1 && admins.every(({ grant: given, holder }) => given !== null && isSamePerson(holder, person))
  )
}

function holderName({ team, id }: Holder): string {
  return `${team}:${id}`
}
