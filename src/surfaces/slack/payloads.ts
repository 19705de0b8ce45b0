import { z } from 'zod'
import { Uploads } from './files-read.ts'
import type { Actor } from './people.ts'

/** What we read of Slack's payloads, and nothing else. Each has keys, any of which tells a second delivery. */

const text = z.string().nullish()

export const Command = z
  .object({
    command: z.string(),
    text,
    trigger_id: z.string(),
    user_id: z.string(),
    user_name: text,
    team_id: text,
    channel_id: z.string(),
    response_url: text,
  })
  .transform((body) => ({
    keys: [`slash:${body.trigger_id}`] as const,
    word: body.command.replace(/^\//, ''),
    text: body.text ?? '',
    channel: body.channel_id,
    actor: actor(body.user_id, body.user_name, [body.team_id]),
    response: body.response_url ?? null,
  }))

/** app_mention and message events. Of bots, edits and other subtypes only that they are such. */
export const Event = z
  .object({
    team_id: text,
    event_id: text,
    event: z.object({
      channel: z.string(),
      ts: z.string(),
      thread_ts: text,
      text,
      user: text,
      team: text,
      user_team: text,
      source_team: text,
      bot_id: text,
      subtype: text,
      files: Uploads,
    }),
  })
  .transform(({ event, event_id, team_id }) => ({
    // One mention arrives as app_mention and as message, with the same ts.
    keys: named(`event:${event.channel}:${event.ts}`, 'event-id', event_id),
    text: event.text ?? '',
    channel: event.channel,
    ts: event.ts,
    thread: event.thread_ts ?? null,
    byPerson: isSet(event.user) && !isSet(event.bot_id) && (!isSet(event.subtype) || event.subtype === 'file_share'),
    files: event.files,
    actor: actor(event.user ?? '', null, sendersTeams(event, team_id)),
  }))

/** member_joined_channel, of whomever. */
export const Joined = z
  .object({
    event_id: text,
    event_time: z.number().nullish(),
    event: z.object({ user: z.string(), channel: z.string(), event_ts: text }),
  })
  .transform(({ event: { user, channel, event_ts }, event_id, event_time }) => ({
    keys: named(`joined:${channel}:${event_ts ?? event_time ?? event_id}`, 'event-id', event_id),
    user,
    channel,
  }))

export const Press = z
  .object({
    user: z.object({ id: z.string(), team_id: text, name: text, username: text }),
    team: z.object({ id: z.string() }).nullish(),
    channel: z.object({ id: z.string() }).nullish(),
    container: z
      .object({ channel_id: text, message_ts: text, thread_ts: text, is_ephemeral: z.boolean().nullish() })
      .nullish(),
    message: z.object({ thread_ts: text }).nullish(),
    actions: z.tuple([z.object({ action_id: z.string(), action_ts: text })], z.unknown()),
    trigger_id: text,
    response_url: text,
  })
  .transform(({ user, team, channel, container, message, actions: [action], trigger_id, response_url }) => ({
    keys: named(`press:${action.action_ts ?? trigger_id}:${action.action_id}:${user.id}`, 'trigger', trigger_id),
    action: action.action_id,
    channel: channel?.id ?? container?.channel_id ?? '',
    thread: container?.thread_ts ?? message?.thread_ts ?? ownThread(container),
    message: ownThread(container),
    response: response_url ?? null,
    actor: actor(user.id, user.username ?? user.name, [user.team_id ?? team?.id]),
  }))

function named(key: string, sort: string, id: string | null | undefined): readonly [string, ...string[]] {
  return isSet(id) ? [key, `${sort}:${id}`] : [key]
}

function actor(id: string, name: string | null | undefined, teams: readonly (string | null | undefined)[]): Actor {
  return { id, name: name ?? null, teams: teams.filter(isSet) }
}

/** A message of the channel has a thread of its own; one that a single person sees has none. */
function ownThread(container: Container | null | undefined): string | null {
  return container?.is_ephemeral === true ? null : (container?.message_ts ?? null)
}

interface Container {
  readonly message_ts?: string | null | undefined
  readonly is_ephemeral?: boolean | null | undefined
}

interface Sender {
  readonly team?: string | null | undefined
  readonly user_team?: string | null | undefined
  readonly source_team?: string | null | undefined
}

/** In shared channels the event's own fields name the sender's team; the envelope's is where it was delivered. */
function sendersTeams(event: Sender, delivered: string | null | undefined): readonly (string | null | undefined)[] {
  const own = [event.user_team, event.source_team, event.team]
  return own.some(isSet) ? own : [delivered]
}

function isSet(value: string | null | undefined): value is string {
  return value !== null && value !== undefined && value !== ''
}
