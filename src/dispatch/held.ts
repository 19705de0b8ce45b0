import type { Policy } from '../authorise.ts'
import type { Person } from '../domain/ask.ts'
import { sentence } from '../domain/failure.ts'
import type { Directory, Grants, Held, Role } from '../domain/role.ts'
import { isSamePerson } from '../domain/same-person.ts'

interface Around {
  readonly policy: Policy
  readonly grants: Pick<Grants, 'grants'>
  directory(): Directory | null
}

type Holder = Pick<Person, 'team' | 'id'>

/** No role, and nothing that could not be read. */
export const NOTHING: Held = { role: null, from: '', unsure: null }

/** The highest role that somebody has, of whatever is written and could be read. */
export async function heldBy(person: Holder, around: Around): Promise<Held> {
  const { admins, operators } = around.policy.roles
  const id = `${person.team}:${person.id}`
  const file = { from: 'pilotflame.yml', unsure: null }
  if (admins.includes(id)) return { role: 'admin', ...file }
  const found = await Promise.all([granted(person, around), ...inGroups(person, around)])
  const all: readonly Held[] = operators.includes(id) ? [{ role: 'operator', ...file }, ...found] : found
  const best = all.find(({ role }) => role === 'admin') ?? all.find(({ role }) => role !== null) ?? NOTHING
  return { ...best, unsure: all.find(({ unsure }) => unsure !== null)?.unsure ?? null }
}

async function granted(person: Holder, { grants }: Around): Promise<Held> {
  const read = await grants.grants()
  if (!read.ok) return { ...NOTHING, unsure: sentence(read.failure) }
  const grant = read.value.find((one) => isSamePerson(one.person, person))
  if (grant === undefined) return NOTHING
  const from = grant.by === 'code' ? 'the first admin’s code' : `a grant of ${grant.by}`
  return { role: grant.role, from, unsure: null }
}

function inGroups({ id }: Holder, { policy, directory }: Around): readonly Promise<Held>[] {
  const { adminGroups, operatorGroups } = policy.roles
  const chat = directory()
  const look = async (group: string, role: Role): Promise<Held> => {
    if (chat === null) return { ...NOTHING, unsure: `no chat is connected that knows user group ${group}` }
    const members = await chat.group(group)
    if (!members.ok) return { ...NOTHING, unsure: sentence(members.failure) }
    return members.value.includes(id) ? { role, from: `user group ${group}`, unsure: null } : NOTHING
  }
  return [
    ...adminGroups.map((group) => look(group, 'admin')),
    ...operatorGroups.map((group) => look(group, 'operator')),
  ]
}
