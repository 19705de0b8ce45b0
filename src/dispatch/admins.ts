import type { Policy } from '../authorise.ts'
import { called } from '../domain/called.ts'
import { sentence } from '../domain/failure.ts'
import type { Directory, Grants, Standing } from '../domain/role.ts'
import { standingsIn } from './standings.ts'

interface Around {
  readonly policy: Policy
  readonly grants: Pick<Grants, 'grants'>
  directory(): Directory | null
}

/** People that a refusal names. */
const NAMED = 3

/** Whom to ask, or how the first admin is made; without the last full stop. */
export async function adminsInWords(around: Around): Promise<string> {
  const all = await standingsIn(around)
  if (!all.ok) return `Who is admin could not be read (${sentence(all.failure)})`
  const admins = all.value.filter(({ role }) => role === 'admin')
  if (admins.length === 0) return FIRST
  const people = [...new Set(admins.filter(({ holder }) => holder.kind === 'person').map(({ holder }) => holder.id))]
  const named = await Promise.all(people.slice(0, NAMED).map((id) => nameOf(id, around)))
  const groups = admins.filter(({ holder }) => holder.kind === 'group').map(groupInWords)
  const more = people.length > NAMED ? [`${people.length - NAMED} more`] : []
  return `Admins are: ${[...named, ...more, ...groups].join(', ')}`
}

/** What to do where nobody is admin. */
const FIRST =
  'Nobody is admin yet: whoever runs Pilotflame types “pilotflame access code” on its machine and gives the code that it prints to the first one'

function groupInWords({ holder }: Standing): string {
  return `the members of user group ${holder.id}`
}

/** The name where Slack tells it, and always the id, by which alone anything is decided. */
async function nameOf(id: string, { directory }: Around): Promise<string> {
  const found = await directory()?.person(id)
  return called({ id, name: found?.ok === true ? found.value.name : id })
}
