import { WebClient } from '@slack/web-api'
import type { Person } from '../../src/domain/ask.ts'
import type { Directory } from '../../src/domain/role.ts'
import { directory } from '../../src/surfaces/slack/directory.ts'
import { accounts, people } from '../../src/surfaces/slack/people.ts'
import { recordingLog } from '../surfaces/slack/harness.ts'

const TEAM = 'T0'

/** What Slack says of accounts, by the sort that their id names: `U0GUEST-…` would be a guest. */
const ACCOUNTS: Readonly<Record<string, object>> = {
  MEMBER: { team_id: TEAM },
  GUEST: { team_id: TEAM, is_restricted: true },
  SINGLE: { team_id: TEAM, is_ultra_restricted: true },
  STRANGER: { team_id: 'T9', is_stranger: true },
  DELETED: { team_id: TEAM, deleted: true },
  BOT: { team_id: TEAM, is_bot: true },
  FOREIGN: { team_id: TEAM },
}

const alone = { is_ext_shared: false, is_pending_ext_shared: false, is_org_shared: false }

const CHANNELS: Readonly<Record<string, object>> = {
  C0ALL: alone,
  C0QWEN: alone,
  C0SHARED: { ...alone, is_ext_shared: true },
  C0PENDING: { ...alone, is_pending_ext_shared: true },
  C0OTHER: alone,
}

export interface Workspace {
  readonly directory: Directory
  /** who acts, as the surface makes it of a payload */
  person(id: string, teams: readonly string[], name?: string): Promise<Person>
  /** From now on Slack tells nothing of accounts, but still of channels. */
  fail(): void
  later(ms: number): void
}

/** User groups of everybody whose id ends so, whatever sort they are. */
const GROUPS: Readonly<Record<string, string>> = { S0OPS: '0OPERATOR', S0ADM: '0ADMIN' }

/** Slack’s answers about accounts, groups and channels, read by the surface’s own code. Ids are `U0SORT0ROLE`. */
export function workspace(): Workspace {
  let [now, down] = [0, false]
  const clock = { now: () => now, monotonic: () => now }
  const client = new WebClient('xoxb-1', {
    retryConfig: { retries: 0 },
    fetch: async (url, init) => {
      const given = new URLSearchParams(String(init?.body))
      const silent = down && String(url).endsWith('users.info')
      return silent ? new Response('', { status: 503 }) : Response.json(answer(String(url), given))
    },
  })
  const account = accounts(client, TEAM, clock)
  const find = people(account, TEAM, recordingLog())
  return {
    directory: directory(client, () => account, clock),
    person: (id, teams, name) => find({ id, teams, name: name ?? null }),
    fail: () => {
      down = true
    },
    later: (ms) => {
      now += ms
    },
  }
}

function answer(url: string, given: URLSearchParams): object {
  if (url.endsWith('users.info')) {
    const user = ACCOUNTS[given.get('user')?.split('0')[1] ?? '']
    return user === undefined ? { ok: false, error: 'user_not_found' } : { ok: true, user }
  }
  if (url.endsWith('usergroups.users.list')) {
    const end = GROUPS[given.get('usergroup') ?? ''] ?? ''
    return { ok: true, users: Object.keys(ACCOUNTS).map((sort) => `U0${sort}${end}`) }
  }
  const channel = CHANNELS[given.get('channel') ?? '']
  return channel === undefined ? { ok: false, error: 'channel_not_found' } : { ok: true, channel }
}
