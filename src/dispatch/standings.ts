import type { Policy } from '../authorise.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Grants, Role, Standing } from '../domain/role.ts'

interface Around {
  readonly policy: Policy
  readonly grants: Pick<Grants, 'grants'>
}

/** Everybody and every group with a role: of the configuration, then given in the chat; admins first. */
export async function standingsIn({ policy, grants }: Around): Promise<Outcome<readonly Standing[]>> {
  const given = await grants.grants()
  if (!given.ok) return failed(given.failure)
  const { admins, operators, adminGroups, operatorGroups } = policy.roles
  const all: readonly Standing[] = [
    ...admins.map((id) => written('person', id, 'admin')),
    ...adminGroups.map((id) => written('group', id, 'admin')),
    ...operators.map((id) => written('person', id, 'operator')),
    ...operatorGroups.map((id) => written('group', id, 'operator')),
    ...given.value.map((grant) => ({ holder: { kind: 'person', ...grant.person }, role: grant.role, grant }) as const),
  ]
  return ok([...all.filter(({ role }) => role === 'admin'), ...all.filter(({ role }) => role === 'operator')])
}

/** People stand there as TEAM:USER, groups by their id alone. */
function written(kind: Standing['holder']['kind'], text: string, role: Role): Standing {
  const [team = '', id = ''] = kind === 'group' ? ['', text] : text.split(':')
  return { holder: { kind, team, id }, role, grant: null }
}
