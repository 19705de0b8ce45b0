import type { Person, Place } from '../domain/ask.ts'
import type { Command, Tools } from '../domain/command.ts'
import { excerpt } from '../domain/excerpt.ts'
import { sentence } from '../domain/failure.ts'
import type { Lock } from '../domain/lock.ts'
import type { Fact } from '../domain/report.ts'
import type { Target } from '../domain/target.ts'

interface About {
  readonly person: Pick<Person, 'team' | 'id'>
  readonly place: Place
  readonly target: string | null
}

/** What holds up a change of a target although it may be asked for: a lock, a second person. */
export async function targetFacts(
  { access, needsTarget }: Command,
  { person, place, target: name }: About,
  { who, records }: Tools,
): Promise<readonly Fact[]> {
  if (access !== 'operate' || !needsTarget) return []
  if (name === null) return [{ label: 'Target', value: 'none named, so locks are not looked at' }]
  const target = who.targetIn(place.channel, name)
  if (target === null) return []
  const second = { label: 'Second person', value: 'must approve each change, since the target is protected' }
  const locks = await records.locks()
  const held = locks.ok
    ? locks.value.filter((one) => isOn(one, target)).map((one) => lockFact(one, person))
    : [{ label: 'Locks', value: `${sentence(locks.failure)} That counts as locked.` }]
  return [...(target.protected ? [second] : []), ...held]
}

function isOn({ on }: Lock, { name, host }: Target): boolean {
  return on.kind === 'target' ? on.name === name : on.name === host
}

function lockFact({ on, owner, reason, operation, at }: Lock, person: About['person']): Fact {
  const own = operation === null && owner.team === person.team && owner.id === person.id
  const what = operation === null ? 'locked' : 'being changed'
  const then = own ? 'which holds up only others' : 'so changes are refused until then'
  const since = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  return {
    label: `${on.kind} ${on.name}`,
    value: `${what} by ${excerpt(owner.name, 40)} (${owner.id}) since ${since} UTC, ${then}: ${excerpt(reason, 100)}`,
  }
}
