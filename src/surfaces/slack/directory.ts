import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Failure } from '../../domain/failure.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { failed, ok } from '../../domain/outcome.ts'
import type { Clock } from '../../domain/ports.ts'
import type { Directory } from '../../domain/role.ts'
import { slackFailure } from './faults.ts'
import type { Accounts } from './people.ts'
import { refusalOf } from './refusal.ts'
import { remembered } from './remembered.ts'

/** A minute old at most; a failure ten seconds, and nothing older is taken in its place. */
const AGES = { freshMs: 60_000, failedMs: 10_000, staleMs: 0 }
/** A group of more is not read whole; whoever stands behind is not in it. */
const MOST_MEMBERS = 10_000

const Members = z.object({ users: z.array(z.string()) })

const Channel = z.object({
  channel: z.object({
    is_ext_shared: z.boolean(),
    is_pending_ext_shared: z.boolean().nullish(),
    is_org_shared: z.boolean().nullish(),
    pending_shared: z.array(z.unknown()).nullish(),
    pending_connected_team_ids: z.array(z.unknown()).nullish(),
  }),
})

/** What Slack tells of groups, channels and people. `account` is null until it is known whose bot we are. */
export function directory(client: WebClient, account: () => Accounts | null, clock: Clock): Directory {
  const ask = async <T>(call: () => Promise<T>, words: Words): Promise<Outcome<T>> => {
    try {
      return ok(await call())
    } catch (error) {
      return failed(failureOf(error, words, client.slackApiUrl))
    }
  }

  async function members(id: string): Promise<Outcome<readonly string[]>> {
    const answer = await ask(() => client.usergroups.users.list({ usergroup: id, include_disabled: false }), group(id))
    if (!answer.ok) return failed(answer.failure)
    const read = Members.safeParse(answer.value)
    return read.success ? ok(read.data.users.slice(0, MOST_MEMBERS)) : failed(noShape(group(id), 'its members'))
  }

  async function shared(id: string): Promise<Outcome<boolean>> {
    const answer = await ask(() => client.conversations.info({ channel: id }), channel(id))
    if (!answer.ok) return failed(answer.failure)
    const read = Channel.safeParse(answer.value)
    return read.success ? ok(isShared(read.data.channel)) : failed(noShape(channel(id), 'who is in it'))
  }

  return {
    group: remembered(members, AGES, clock),
    shared: remembered(shared, AGES, clock),
    person: async (id) => account()?.(id) ?? failed(NOT_YET),
  }
}

/** Also while another organisation is only invited: it may accept between the look and the change. */
function isShared(seen: z.infer<typeof Channel>['channel']): boolean {
  const flags = [seen.is_ext_shared, seen.is_pending_ext_shared, seen.is_org_shared]
  const invited = [...(seen.pending_shared ?? []), ...(seen.pending_connected_team_ids ?? [])]
  return flags.includes(true) || invited.length > 0
}

interface Words {
  readonly thing: string
  /** what to do where Slack has no such thing */
  readonly lost: string
}

function group(id: string): Words {
  return {
    thing: `Slack user group ${id}`,
    lost: 'correct its id in pilotflame.yml under roles, or enable it in Slack',
  }
}

function channel(id: string): Words {
  return { thing: `Slack channel ${id}`, lost: 'invite the bot there with /invite' }
}

const LOST: readonly string[] = [
  'channel_not_found',
  'not_in_channel',
  'no_such_subteam',
  'subteam_not_found',
  'usergroup_not_found',
]

function failureOf(error: unknown, { thing, lost }: Words, url: string): Failure {
  const { code } = refusalOf(error)
  if (LOST.includes(code)) return { kind: 'config', thing, observed: `Slack says ${code}`, next: lost }
  if (code === 'plan_upgrade_required') return { kind: 'config', thing, observed: NO_GROUPS, next: BY_NAME }
  return slackFailure(error, 'bot', url)
}

const NO_GROUPS = 'Slack says plan_upgrade_required: the plan of this workspace has no user groups'
const BY_NAME = 'name the people themselves in pilotflame.yml under roles'

function noShape({ thing }: Words, what: string): Failure {
  return { kind: 'shape', thing, observed: `Slack’s answer does not tell ${what}`, next: 'try again in a minute' }
}

const NOT_YET: Failure = {
  kind: 'config',
  thing: 'Slack',
  observed: 'the bot has not connected yet',
  next: 'try again in a minute',
}
