import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Person } from '../../domain/ask.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { failed, ok } from '../../domain/outcome.ts'
import type { Clock, Log } from '../../domain/ports.ts'
import { slackFailure } from './faults.ts'
import { refusalOf } from './refusal.ts'
import { remembered } from './remembered.ts'

/** Who acted, as a payload says it. */
export interface Actor {
  readonly id: string
  /** every team that the payload names as theirs; none: not known */
  readonly teams: readonly string[]
  readonly name: string | null
}

/** What Slack knows of a user id. */
export type Account = Pick<Person, 'kind' | 'name'>

/** Whoever was dismissed loses everything within a minute; while Slack does not answer, they may look for ten. */
const AGES = { freshMs: 60_000, failedMs: 0, staleMs: 10 * 60_000 }

const User = z.object({
  team_id: z.string().nullish(),
  deleted: z.boolean().nullish(),
  is_bot: z.boolean().nullish(),
  is_stranger: z.boolean().nullish(),
  is_restricted: z.boolean().nullish(),
  is_ultra_restricted: z.boolean().nullish(),
  name: z.string().nullish(),
  profile: z.object({ display_name: z.string().nullish() }).nullish(),
})

export type Accounts = (id: string) => Promise<Outcome<Account>>

/** Looks accounts up, seen from our team. A failure may hold what was known before as its `partial`. */
export function accounts(client: WebClient, team: string, clock: Clock): Accounts {
  async function look(id: string): Promise<Outcome<Account>> {
    try {
      const answer = await client.users.info({ user: id })
      const user = User.safeParse(answer.user)
      if (!user.success) return failed({ ...of(id), observed: 'users.info gave no account', next: 'check the address' })
      const name = user.data.profile?.display_name || user.data.name || id
      return ok({ kind: kindOf(id, user.data, team), name })
    } catch (error) {
      return failed(
        refusalOf(error).code === 'user_not_found' ? nobody(id) : slackFailure(error, 'bot', client.slackApiUrl),
      )
    }
  }
  return remembered(look, AGES, clock)
}

/** What kind of person acts. Where Slack does not tell, the kind is `unknown`. */
export function people(account: Accounts, team: string, log: Log): (actor: Actor) => Promise<Person> {
  return async ({ id, teams, name }) => {
    const foreign = teams.find((one) => one !== team)
    if (foreign !== undefined) return { team: foreign, id, name: name ?? id, kind: 'outsider' }
    const found = await account(id)
    if (!found.ok) log.warn('A person could not be looked up', { user: id, failure: found.failure })
    const known = found.ok ? found.value : found.partial
    const kind = teams.length === 0 ? 'unknown' : (known?.kind ?? 'unknown')
    return { team, id, name: known?.name ?? name ?? id, kind, ...(found.ok ? {} : { stale: true }) }
  }
}

/** Anybody whom Slack does not show as a full member of our team is something else. */
function kindOf(id: string, user: z.infer<typeof User>, team: string): Person['kind'] {
  // Slack’s own bot says of itself that it is none
  if (user.is_bot === true || id === 'USLACKBOT') return 'bot'
  if (user.is_stranger === true || user.deleted === true) return 'outsider'
  if (user.team_id === null || user.team_id === undefined) return 'unknown'
  if (user.team_id !== team) return 'outsider'
  return user.is_restricted === true || user.is_ultra_restricted === true ? 'guest' : 'member'
}

function of(id: string) {
  return { kind: 'shape', thing: `Slack user ${id}` } as const
}

function nobody(id: string) {
  return { ...of(id), observed: 'Slack knows nobody of that id', next: 'copy the member id from their profile' }
}
