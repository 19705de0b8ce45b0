import { z } from 'zod'
import { called } from '../domain/called.ts'
import { defineCommand } from '../domain/command.ts'
import { sentence } from '../domain/failure.ts'
import { counted, refusal, report } from '../domain/report.ts'
import type { Standing, Who } from '../domain/role.ts'

/** `access list`: who has a role, and where it comes from. */
export const accessList = defineCommand({
  word: 'access',
  verb: 'list',
  summary: 'Show who has a role, and where it comes from',
  usage: 'access list',
  access: 'read',
  where: 'chat',
  needsMention: true,
  takes: 'nothing',
  args: z.object({}),
  async run(_given, { who, typed }) {
    const all = await who.standings()
    if (!all.ok) return refusal(sentence(all.failure), 'failed')
    const names = await namesOf(all.value, who)
    const admins = all.value.filter(({ role }) => role === 'admin').length
    return report({
      tone: 'neutral',
      status: 'done',
      title: `${counted(admins, 'admin')}, ${counted(all.value.length - admins, 'operator')}`,
      summary:
        admins === 0
          ? 'Nobody is admin yet. Whoever runs Pilotflame types “pilotflame access code” on its machine, and passes on what it prints.'
          : `Why somebody may do something or not: ${typed('access explain')}`,
      tables:
        all.value.length === 0
          ? []
          : [
              {
                title: 'Roles',
                columns: ['Who', 'Role', 'From', 'Since'],
                rows: all.value.map((one) => row(one, names)),
              },
            ],
      json: all.value.map(({ holder, role, grant }) => ({
        ...holder,
        role,
        by: grant?.by ?? null,
        at: grant?.at ?? null,
      })),
    })
  },
})

/** So many are looked up by name; the others are shown by id alone. */
const NAMED = 20

async function namesOf(all: readonly Standing[], who: Who): Promise<ReadonlyMap<string, string>> {
  const people = all.filter(({ holder }) => holder.kind === 'person').slice(0, NAMED)
  const found = await Promise.all(people.map(({ holder: { team, id } }) => who.person({ team, id })))
  return new Map(found.map((person) => [person.id, called(person)]))
}

function row({ holder, role, grant }: Standing, names: ReadonlyMap<string, string>): readonly string[] {
  const whom = holder.kind === 'group' ? `members of user group ${holder.id}` : (names.get(holder.id) ?? holder.id)
  if (grant === null) return [whom, role, 'pilotflame.yml', '']
  return [
    whom,
    role,
    grant.by === 'code' ? 'the first admin’s code' : grant.by,
    new Date(grant.at).toISOString().slice(0, 10),
  ]
}
