import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Person } from '../../domain/ask.ts'
import type { Clock, Log } from '../../domain/ports.ts'
import { refusalOf } from './refusal.ts'

/** Who acted, as a payload says it. */
export interface Actor {
  readonly id: string
  /** every team that the payload names as theirs; none: not known */
  readonly teams: readonly string[]
  readonly name: string | null
}

const KEPT_MS = 10 * 60_000
const KEPT_MOST = 1_000

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

type Known = Pick<Person, 'kind' | 'name'>

/** Looks up what kind of person acts, kept for ten minutes. Where Slack does not tell, the kind is `unknown`. */
export function people(client: WebClient, team: string, clock: Clock, log: Log): (actor: Actor) => Promise<Person> {
  const kept = new Map<string, { readonly known: Known; readonly until: number }>()

  async function known(id: string): Promise<Known | null> {
    const found = kept.get(id)
    if (found !== undefined && found.until > clock.monotonic()) return found.known
    try {
      const answer = await client.users.info({ user: id })
      const user = User.parse(answer.user)
      const read: Known = { kind: kindOf(user, team), name: user.profile?.display_name || user.name || id }
      if (kept.size >= KEPT_MOST) kept.clear()
      kept.set(id, { known: read, until: clock.monotonic() + KEPT_MS })
      return read
    } catch (error) {
      log.warn('A person could not be looked up', { user: id, code: refusalOf(error).code })
      return null
    }
  }

  return async ({ id, teams, name }) => {
    const foreign = teams.find((one) => one !== team)
    if (foreign !== undefined) return { team: foreign, id, name: name ?? id, kind: 'outsider' }
    const found = await known(id)
    const kind = teams.length === 0 ? 'unknown' : (found?.kind ?? 'unknown')
    return { team, id, name: found?.name ?? name ?? id, kind }
  }
}

/** Anybody whom Slack does not show as a full member of our team is something else. */
function kindOf(user: z.infer<typeof User>, team: string): Person['kind'] {
  if (user.is_bot === true) return 'bot'
  if (user.is_stranger === true || user.deleted === true) return 'outsider'
  if (user.team_id === null || user.team_id === undefined) return 'unknown'
  if (user.team_id !== team) return 'outsider'
  return user.is_restricted === true || user.is_ultra_restricted === true ? 'guest' : 'member'
}
