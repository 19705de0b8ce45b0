import type { Person, Place } from '../domain/ask.ts'
import { called } from '../domain/called.ts'
import type { Command, Tools } from '../domain/command.ts'
import { excerpt } from '../domain/excerpt.ts'
import { sentence } from '../domain/failure.ts'
import type { Lock } from '../domain/lock.ts'
import type { Fact } from '../domain/report.ts'
import { isSamePerson } from '../domain/same-person.ts'
import type { Target } from '../domain/target.ts'
import { isOneUnit } from '../domain/target.ts'

interface About {
  readonly person: Pick<Person, 'team' | 'id'>
  readonly place: Place
  readonly target: string | null
}

/** What holds up a change of a target although it may be asked for: a lock, a second person. */
export async function targetFacts(
  { access, needsTarget }: Command,
  { person, place, target: name }: About,
  { who, records, targets }: Tools,
): Promise<readonly Fact[]> {
  if (access !== 'operate' || !needsTarget) return []
  if (name === null) return [{ label: 'Target', value: 'none named, so locks are not looked at' }]
  const target = who.targetIn(place.channel, name)
  if (target === null) return []
  const second = { label: 'Second person', value: 'must approve each change, since the target is protected' }
  const locks = await records.locks()
  const held = locks.ok
    ? locks.value
        .filter((one) => targets.some((other) => isNameOf(other, target) && isOn(one, other)))
        .map((one) => lockFact(one, person))
    : [{ label: 'Locks', value: `${sentence(locks.failure)} That counts as locked.` }]
  return [...(target.protected ? [second] : []), ...held]
}

/** The target itself, and other names of its unit that may be used here. */
function isNameOf(other: Target, target: Target): boolean {
  return other.name === target.name || isOneUnit(other, target)
}

function isOn({ on }: Lock, { name, host }: Target): boolean {
  return on.kind === 'target' ? on.name === name : on.name === host
}

function lockFact({ on, owner, reason, operation, at }: Lock, person: About['person']): Fact {
  const own = operation === null && isSamePerson(owner, person)
  const what = operation === null ? 'locked' : 'being changed'
  const then = own ? 'which holds up only others' : 'so changes are refused until then'
  const since = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  return {
    label: `${on.kind} ${on.name}`,
    value: `${what} by ${called(owner)} since ${since} UTC, ${then}: ${excerpt(reason, 100)}`,
  }
}
