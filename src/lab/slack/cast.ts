/** Somebody of the workspace, or of another one. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly realName: string
  /** the workspace whose member this is */
  readonly team: string
  readonly admin: boolean
  readonly bot: boolean
  /** a guest of the workspace: of several channels, or of a single one (`ultra`) */
  readonly guest: boolean
  readonly ultra: boolean
  /** the account was closed */
  readonly deleted: boolean
}

export interface Channel {
  readonly id: string
  readonly name: string
  /** `im`: the bot and one person */
  readonly kind: 'public' | 'private' | 'im'
  /** whether the bot was invited */
  readonly member: boolean
  /** whether people of another organisation are in it (Slack Connect) */
  readonly shared: boolean
  /** whether another organisation was invited and has not come yet */
  readonly pending: boolean
  readonly archived: boolean
}

/** A user group, such as `@gpu-ops`. */
export interface Group {
  readonly id: string
  readonly handle: string
  /** user ids */
  readonly users: readonly string[]
}

export const TEAM = 'T0DEMO'
/** another organisation */
export const OTHER_TEAM = 'T0OTHER'

export const BOT = person({ id: 'U0PILOT', name: 'pilotflame', realName: 'Pilotflame', bot: true })

/** Who sits at the console page. */
export const VIEWER = person({ id: 'U0ANNA', name: 'anna', realName: 'Anna', admin: true })

/** Everybody whom the stand-in knows without being told. */
export const PEOPLE: readonly Person[] = [
  VIEWER,
  person({ id: 'U0BEN', name: 'ben', realName: 'Ben' }),
  person({ id: 'U0CARL', name: 'carl', realName: 'Carl' }),
  person({ id: 'U0GUEST', name: 'gil', realName: 'Gil (guest)', guest: true }),
  person({ id: 'U0ULTRA', name: 'uma', realName: 'Uma (guest of one channel)', guest: true, ultra: true }),
  person({ id: 'U0OTHER', name: 'olga', realName: 'Olga (another organisation)', team: OTHER_TEAM }),
  person({ id: 'U0GONE', name: 'dora', realName: 'Dora (left)', deleted: true }),
  person({ id: 'U0ROBOT', name: 'robot', realName: 'Robot', bot: true }),
  BOT,
  person({ id: 'USLACKBOT', name: 'slackbot', realName: 'Slackbot', bot: true }),
]

export const CHANNELS: readonly Channel[] = [
  channel({ id: 'C0GPU', name: 'gpu' }),
  channel({ id: 'C0QUIET', name: 'quiet', member: false }),
  channel({ id: 'C0SHARED', name: 'partners', shared: true }),
  channel({ id: 'C0PENDING', name: 'partners-soon', pending: true }),
  channel({ id: 'C0OLD', name: 'old-gpu', archived: true }),
  channel({ id: 'C0PRIVATE', name: 'private-gpu', kind: 'private' }),
  channel({ id: 'C0HIDDEN', name: 'hidden', kind: 'private', member: false }),
  channel({ id: 'D0ANNA', name: 'directmessage', kind: 'im' }),
]

export const GROUPS: readonly Group[] = [{ id: 'S0OPS', handle: 'gpu-ops', users: ['U0BEN'] }]

/** A full member of the workspace where nothing else is said. */
export function person(one: Pick<Person, 'id' | 'name'> & Partial<Person>): Person {
  const usual = { team: TEAM, admin: false, bot: false, guest: false, ultra: false, deleted: false }
  return { ...usual, realName: one.name, ...one }
}

/** A public channel with the bot in it where nothing else is said. */
export function channel(one: Pick<Channel, 'id' | 'name'> & Partial<Channel>): Channel {
  return { kind: 'public', member: true, shared: false, pending: false, archived: false, ...one }
}
