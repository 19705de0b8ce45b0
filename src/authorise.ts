import type { Ask } from './domain/ask.ts'
import type { Access } from './domain/command.ts'
import type { ChannelSettings, Roles } from './domain/config.ts'

export interface Policy {
  readonly roles: Roles
  readonly channels: readonly ChannelSettings[]
}

export type Decision = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/**
 * Who may ask for what, and where. Reading needs an allowed channel, changing needs a role as well;
 * people of other organisations, guests and bots may do nothing. A refusal says why and what would change it.
 */
export function authorise(ask: Ask, access: Access, policy: Policy): Decision {
  if (ask.person.kind === 'local') return { ok: true }
  return strangers(ask, access) ?? places(ask, access, policy) ?? roles(ask, access, policy) ?? { ok: true }
}

/** Whether a target may be used in a channel. A channel without a list may use all. */
export function allowedHere(channel: string, target: string, policy: Policy): boolean {
  const settings = policy.channels.find((one) => one.id === channel)
  if (settings === undefined) return channel === 'terminal'
  return settings.targets.length === 0 || settings.targets.includes(target)
}

function strangers(ask: Ask, access: Access): Decision | null {
  switch (ask.person.kind) {
    case 'outsider':
      return no('you belong to another organisation, and Pilotflame answers only members of its own workspace')
    case 'guest':
      return no('guests of this workspace may not use Pilotflame; ask a full member')
    case 'bot':
      return no('bots and apps may not ask Pilotflame for anything')
    case 'unknown':
      if (access === 'anyone') return null
      return no('Slack did not say whether you are a full member of this workspace; try again in a minute')
    case 'member':
    case 'local':
      return null
  }
}

function places(ask: Ask, access: Access, policy: Policy): Decision | null {
  if (access === 'anyone') return null
  if (policy.channels.some((one) => one.id === ask.place.channel)) return null
  return no(
    `this channel (${ask.place.channel}) is not one in which Pilotflame may be asked; whoever runs Pilotflame adds it to pilotflame.yml under slack.channels`,
  )
}

function roles(ask: Ask, access: Access, policy: Policy): Decision | null {
  if (access === 'anyone' || access === 'read') return null
  const id = `${ask.person.team}:${ask.person.id}`
  const admins = policy.roles.admins
  const enough = access === 'admin' ? admins : [...admins, ...policy.roles.operators]
  if (enough.includes(id)) return null
  const role = access === 'admin' ? 'admins' : 'operators'
  return no(`you (${id}) do not have that role; whoever runs Pilotflame adds you to pilotflame.yml under roles.${role}`)
}

function no(reason: string): Decision {
  return { ok: false, reason }
}
