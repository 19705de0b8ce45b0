import type { AppsManifestCreateArguments } from '@slack/web-api'

type Manifest = AppsManifestCreateArguments['manifest']
type Scope = NonNullable<NonNullable<NonNullable<Manifest['oauth_config']>['scopes']>['bot']>[number]
type BotEvent = NonNullable<NonNullable<NonNullable<Manifest['settings']>['event_subscriptions']>['bot_events']>[number]

/**
 * When something is wanted. replies: where bare replies in threads are read · groups: where user groups give roles ·
 * files: where uploaded files are read
 */
type When = 'always' | 'replies' | 'groups' | 'files'

interface Wanted {
  readonly when: When
  /** what needs it */
  readonly why: string
}

/** What of the settings decides which scopes and events are wanted. */
export interface Wishes {
  readonly mentionsOnly: boolean
  /** whether user groups give roles */
  readonly groups: boolean
  /** whether files that people upload are read; absent: they are not */
  readonly readFiles?: boolean
}

/** Every scope of the bot token, and no other one is ever asked for. */
const BOT_SCOPES = {
  commands: { when: 'always', why: 'slash commands' },
  'chat:write': { when: 'always', why: 'posting, updating, answering in private' },
  'app_mentions:read': { when: 'always', why: 'hearing @pilotflame' },
  'channels:history': { when: 'replies', why: 'hearing replies in threads of public channels' },
  'groups:history': { when: 'replies', why: 'hearing replies in threads of private channels' },
  'channels:read': { when: 'always', why: 'hearing of an invitation to a public channel, and who is there' },
  'groups:read': { when: 'always', why: 'the same for a private channel' },
  'files:write': { when: 'always', why: 'the whole of a long text as a file' },
  'files:read': { when: 'files', why: 'reading a file that somebody uploads for explain' },
  'users:read': { when: 'always', why: 'telling members from guests, bots and people of other organisations' },
  'usergroups:read': { when: 'groups', why: 'who is in a user group that gives a role' },
} as const satisfies Partial<Record<Scope, Wanted>>

/** The events that we listen to, as manifests name them. */
const BOT_EVENTS = {
  app_mention: { when: 'always', why: 'asks in threads' },
  'message.channels': { when: 'replies', why: 'replies in threads of public channels' },
  'message.groups': { when: 'replies', why: 'replies in threads of private channels' },
  member_joined_channel: { when: 'always', why: 'saying hello where the bot is invited' },
} as const satisfies Partial<Record<BotEvent, Wanted>>

/** The scopes that these settings need, in the order of the manifest. */
export function scopesFor(wishes: Wishes): readonly string[] {
  return namesOf(BOT_SCOPES, wishes)
}

/** The events that these settings need. */
export function eventsFor(wishes: Wishes): readonly string[] {
  return namesOf(BOT_EVENTS, wishes)
}

function namesOf(table: Readonly<Record<string, Wanted>>, wishes: Wishes): readonly string[] {
  return Object.entries(table).flatMap(([name, { when }]) => (isWanted(when, wishes) ? [name] : []))
}

function isWanted(when: When, { mentionsOnly, groups, readFiles = false }: Wishes): boolean {
  switch (when) {
    case 'always':
      return true
    case 'replies':
      return !mentionsOnly
    case 'groups':
      return groups
    case 'files':
      return readFiles
  }
}
