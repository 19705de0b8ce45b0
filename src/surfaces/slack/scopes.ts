import type { AppsManifestCreateArguments } from '@slack/web-api'

type Manifest = AppsManifestCreateArguments['manifest']
type Scope = NonNullable<NonNullable<NonNullable<Manifest['oauth_config']>['scopes']>['bot']>[number]
type BotEvent = NonNullable<NonNullable<NonNullable<Manifest['settings']>['event_subscriptions']>['bot_events']>[number]

/** Every scope of the bot token, with what needs it. manifest.yml asks for exactly these. */
export const BOT_SCOPES = {
  commands: 'slash commands',
  'chat:write': 'posting, updating, answering in private',
  'app_mentions:read': 'hearing @pilotflame',
  'channels:history': 'hearing replies in threads of public channels',
  'groups:history': 'hearing replies in threads of private channels',
  'channels:read': 'doctor: whether it is a member of a public channel',
  'groups:read': 'doctor: whether it is a member of a private channel',
  'files:write': 'the whole of a long text as a file',
  'users:read': 'telling members from guests, bots and people of other organisations',
} as const satisfies Partial<Record<Scope, string>>

/** The events that we listen to, as manifests name them. */
export const BOT_EVENTS = ['app_mention', 'message.channels', 'message.groups'] as const satisfies readonly BotEvent[]
