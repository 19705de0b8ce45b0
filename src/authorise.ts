import type { Ask } from './domain/ask.ts'
import type { ChannelSettings, Roles } from './domain/config.ts'
import type { Access, Held, Step, Why } from './domain/role.ts'
import type { Target } from './domain/target.ts'

/** What was looked up for one ask. */
export interface Known {
  readonly held: Held
  /** whether people of other organisations are in the channel; null: Slack does not tell */
  readonly shared: boolean | null
}

export interface Policy {
  readonly roles: Roles
  readonly channels: readonly ChannelSettings[]
}

type Weighed = Passed | Refused

interface Passed extends Step {
  readonly ok: true
}

/** A no: why, what would change it, and whether an admin can. */
export interface Refused extends Step {
  readonly ok: false
  readonly why: Why
  readonly admins: boolean
}

/**
 * Who may ask for what, and where: the questions in their order, of which the first no decides. Reading needs an allowed
 * channel, changing needs a role as well; people of other organisations, guests and bots may do nothing.
 */
export function weigh(
  ask: Pick<Ask, 'person' | 'place'>,
  access: Access,
  policy: Policy,
  { held, shared }: Known,
): readonly Weighed[] {
  if (ask.person.kind === 'local') return [AT_THE_MACHINE]
  return [person(ask, access), channel(ask, access, policy), company(ask, access, shared), role(ask, access, held)]
}

/** The first no; undefined: it may be. */
export function authorise(...given: Parameters<typeof weigh>): Refused | undefined {
  return weigh(...given).find((step) => !step.ok)
}

/** Whether something of that access changes the world, or who may. */
export function changes(access: Access): boolean {
  return access === 'operate' || access === 'admin'
}

/** Whether a target may be used in a channel. A channel without a list may use all. */
export function allowedHere(channel: string, target: string, policy: Policy): boolean {
  const settings = policy.channels.find((one) => one.id === channel)
  if (settings === undefined) return channel === 'terminal'
  return settings.targets.length === 0 || settings.targets.includes(target)
}

/** Hosts that may be looked at in a channel: all, or where it has a list of targets those that these stand on. */
export function hostsHere(
  channel: string,
  targets: readonly Pick<Target, 'host'>[],
  { hosts, policy }: { readonly hosts: readonly string[]; readonly policy: Policy },
): readonly string[] {
  const settings = policy.channels.find((one) => one.id === channel)
  if (settings === undefined ? channel === 'terminal' : settings.targets.length === 0) return hosts
  return hosts.filter((name) => targets.some(({ host }) => host === name))
}

function person({ person: { kind, stale } }: Pick<Ask, 'person'>, access: Access): Weighed {
  switch (kind) {
    case 'outsider':
      return refused('person', 'outsider', {
        says: 'people of another organisation, and closed accounts, may not use Pilotflame',
        next: 'ask somebody of that workspace to do it',
      })
    case 'guest':
      return refused('person', 'guest', {
        says: 'guests of this workspace may not use Pilotflame',
        next: 'ask a full member to do it',
      })
    case 'bot':
      return refused('person', 'bot', {
        says: 'bots and apps may not ask Pilotflame for anything',
        next: 'let a person ask',
      })
    case 'unknown':
      return access === 'anyone' ? passed('person', 'Slack did not say who asks; this needs no more') : UNKNOWN
    case 'member':
      return stale === true && changes(access) ? UNKNOWN : passed('person', 'a full member of this workspace')
    case 'local':
      return AT_THE_MACHINE
  }
}

const AT_THE_MACHINE = passed('person', 'somebody at the machine itself')

const UNKNOWN = refused('person', 'unknown person', {
  says: 'Slack did not say whether this is a full member of the workspace',
  next: 'try again in a minute; if it stays, whoever runs Pilotflame looks with doctor',
})

function channel({ place }: Pick<Ask, 'place'>, access: Access, { channels }: Policy): Weighed {
  if (channels.some(({ id }) => id === place.channel)) return passed('channel', 'the channel is in pilotflame.yml')
  if (access === 'anyone') return passed('channel', 'this may be asked everywhere')
  return refused('channel', 'channel not listed', {
    says: `${place.channel} is not a channel in which Pilotflame may be asked`,
    next: 'ask in one that is, or have it added to pilotflame.yml under slack.channels by whoever runs Pilotflame',
    admins: true,
  })
}

/** Where people of other organisations look on, nothing is changed. */
function company({ place }: Pick<Ask, 'place'>, access: Access, shared: boolean | null): Weighed {
  if (!changes(access)) return passed('company', 'it does not matter who else is in the channel, since this only looks')
  // Slack shows its bots no direct message, and nobody else would see what is done there
  if (place.channel.startsWith('D')) {
    return refused('company', 'direct message', {
      says: 'nothing is changed in a direct message, where nobody else sees it',
      next: 'ask in a channel',
    })
  }
  if (shared === false) return passed('company', 'nobody of another organisation is in the channel')
  if (shared === null) {
    return refused('company', 'channel unknown', {
      says: `Slack did not say whether people of other organisations are in ${place.channel}`,
      next: 'try again in a minute; if it stays, whoever runs Pilotflame looks with doctor',
      admins: true,
    })
  }
  return refused('company', 'shared channel', {
    says: `people of another organisation are in ${place.channel} or are invited, so nothing is changed there`,
    next: 'ask in a channel of your own workspace',
    admins: true,
  })
}

function role({ person: { team, id } }: Pick<Ask, 'person'>, access: Access, held: Held): Weighed {
  if (!changes(access)) return passed('role', 'no role is needed to look')
  const wanted = access === 'admin' ? 'admin' : 'operator'
  if (held.role === 'admin' || held.role === wanted) return passed('role', `${held.role}, by ${held.from}`)
  const doubt = held.unsure === null ? '' : `, as far as could be read (${held.unsure})`
  return refused('role', 'no role', {
    says: `${team}:${id} is not ${wanted}${doubt}, and this takes that role`,
    next: `have an admin say “access grant ${id} ${wanted}”, or whoever runs Pilotflame write you into pilotflame.yml under roles.${wanted}s`,
    admins: true,
  })
}

function passed(about: Step['about'], says: string): Passed {
  return { about, ok: true, says, next: '' }
}

interface Words extends Pick<Step, 'says' | 'next'> {
  readonly admins?: boolean
}

function refused(about: Step['about'], why: Why, { says, next, admins = false }: Words): Refused {
  return { about, ok: false, why, says, next, admins }
}
