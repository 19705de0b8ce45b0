import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Check, CheckResult } from '../../domain/check.ts'
import type { Failure } from '../../domain/failure.ts'
import { counted, seconds } from '../../domain/report.ts'
import { addScopes, slackFailure, wrongSort } from './faults.ts'
import type { SlackIdentity } from './identity.ts'
import { identify } from './identity.ts'
import type { Waiting } from './outbox.ts'
import type { SocketState } from './receiver.ts'
import { refusalOf } from './refusal.ts'
import type { Wishes } from './scopes.ts'
import { scopesFor } from './scopes.ts'

interface Needs extends Wishes {
  readonly botToken: string
  readonly appToken: string
  readonly apiUrl: string
  readonly channels: readonly string[]
  readonly lookups: WebClient
  /** speaks with the app token */
  readonly appClient: WebClient
  /** null where the surface was not started in this process */
  readonly sockets: () => SocketState | null
  /** the same */
  readonly waiting: () => Waiting | null
}

/** What `doctor` asks about Slack: both tokens, the socket, and each channel of the configuration. */
export function slackChecks(needs: Needs): readonly Check[] {
  return [
    { name: 'Slack: bot token', run: () => botToken(needs) },
    { name: 'Slack: app token', run: () => appToken(needs) },
    { name: 'Slack: sockets', run: async () => socketState(needs.sockets()) },
    { name: 'Slack: outbox', run: async () => outboxState(needs.waiting()) },
    { name: 'Slack: hears', run: async () => ({ state: 'ok', saw: needs.mentionsOnly ? MENTIONS : REPLIES }) },
    ...needs.channels.map((id) => ({ name: `Slack: channel ${id}`, run: () => channel(id, needs) })),
  ]
}

const MENTIONS = 'slash commands and mentions; a reply in a thread needs a mention (slack.mentions_only)'
const REPLIES = 'slash commands, mentions, and bare replies in its threads'

/** Scopes that these settings need and the token lacks. */
export function missingScopes({ scopes }: SlackIdentity, wishes: Wishes): readonly string[] {
  return scopes === null ? [] : scopesFor(wishes).filter((scope) => !scopes.includes(scope))
}

async function botToken(needs: Needs): Promise<CheckResult> {
  const { botToken: token, lookups } = needs
  const wrong = wrongSort('bot', token)
  if (wrong !== null) return fault(wrong)
  const found = await identify(lookups)
  if (!found.ok) return fault(found.failure)
  const { botName, teamName, team } = found.value
  const missing = missingScopes(found.value, needs)
  if (missing.length === 0) return { state: 'ok', saw: `@${botName} in ${teamName} (${team}), all scopes` }
  return {
    state: 'fault',
    saw: `@${botName} in ${teamName} lacks the scopes ${missing.join(', ')}`,
    next: addScopes(missing.join(', ')),
  }
}

async function appToken({ appToken: token, apiUrl, appClient }: Needs): Promise<CheckResult> {
  const wrong = wrongSort('app', token)
  if (wrong !== null) return fault(wrong)
  try {
    // Asks for an address and does not use it: a second socket would take events away from the bot.
    await appClient.apps.connections.open({})
    return { state: 'ok', saw: 'Slack offers a socket' }
  } catch (error) {
    return fault(slackFailure(error, 'app', apiUrl))
  }
}

function socketState(state: SocketState | null): CheckResult {
  if (state === null) return { state: 'skipped', saw: 'the bot does not run in this process' }
  const { live, wanted, foreign, heardMs, trouble } = state
  const why = trouble === null ? 'the other follows' : `${trouble.thing}: ${trouble.observed}`
  if (live === 0) {
    return { state: 'fault', saw: `none is open: ${why}`, next: trouble?.next ?? 'wait; it is being opened again' }
  }
  const open = live === wanted && trouble === null ? `${live} open` : `${live} of ${wanted} open; ${why}`
  const saw = `${open}; ${heardMs === null ? 'nothing came yet' : `last heard ${Math.round(heardMs / 1000)} s ago`}`
  if (foreign > 0) {
    return {
      state: 'warning',
      saw: `${saw}; ${foreign} of another program, which gets some of what people say`,
      next: 'stop what else runs with this app token, or revoke it under Basic Information and make a new one',
    }
  }
  return trouble === null ? { state: 'ok', saw } : { state: 'warning', saw, next: trouble.next }
}

/** What waits longer than this is worth a word, in ms. */
const LATE_MS = 60_000

function outboxState(waiting: Waiting | null): CheckResult {
  if (waiting === null) return { state: 'skipped', saw: 'the bot does not run in this process' }
  const { count, oldestMs, refusal } = waiting
  if (oldestMs === null) return { state: 'ok', saw: 'no message waits' }
  const saw = `${counted(count, 'message')} wait${count === 1 ? 's' : ''}, the oldest for ${seconds(oldestMs)}`
  if (oldestMs < LATE_MS) return { state: 'ok', saw }
  return {
    state: 'warning',
    saw: refusal === null ? saw : `${saw}; Slack’s last refusal: ${refusal}`,
    next: 'see whether this machine reaches Slack (slack-status.com tells of outages); they go out by themselves then',
  }
}

const Info = z.object({
  channel: z.object({
    name: z.string().nullish(),
    is_member: z.boolean().nullish(),
    is_ext_shared: z.boolean().nullish(),
    is_archived: z.boolean().nullish(),
  }),
})

async function channel(id: string, { lookups, apiUrl }: Needs): Promise<CheckResult> {
  const invite = 'in that channel: /invite @pilotflame'
  try {
    const { channel: found } = Info.parse(await lookups.conversations.info({ channel: id }))
    const name = `#${found.name ?? id}`
    if (found.is_archived === true) return { state: 'fault', saw: `${name} is archived`, next: UNARCHIVE }
    if (found.is_member !== true) return { state: 'fault', saw: `the bot is not in ${name}`, next: invite }
    if (found.is_ext_shared !== true) return { state: 'ok', saw: `member of ${name}` }
    return {
      state: 'warning',
      saw: `${name} is shared with another organisation, whose people see every answer`,
      next: 'use a channel of your own team, unless that is meant',
    }
  } catch (error) {
    if (refusalOf(error).code !== 'channel_not_found') return fault(slackFailure(error, 'bot', apiUrl))
    return {
      state: 'fault',
      saw: 'Slack shows no such channel to the bot (a private one looks the same)',
      next: `correct the id in pilotflame.yml, or ${invite}`,
    }
  }
}

const UNARCHIVE =
  'in Slack, that channel → its name → Settings → Unarchive channel, then /invite @pilotflame; or name another one in pilotflame.yml'

function fault({ thing, observed, next }: Failure): CheckResult {
  return { state: 'fault', saw: `${thing}: ${observed}`, next }
}
