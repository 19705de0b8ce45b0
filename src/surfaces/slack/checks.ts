import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Check, CheckResult } from '../../domain/check.ts'
import type { Failure } from '../../domain/failure.ts'
import { slackFailure, wrongSort } from './faults.ts'
import type { SlackIdentity } from './identity.ts'
import { identify } from './identity.ts'
import type { SocketState } from './receiver.ts'
import { refusalOf } from './refusal.ts'
import { BOT_SCOPES } from './scopes.ts'

interface Needs {
  readonly botToken: string
  readonly appToken: string
  readonly apiUrl: string
  readonly channels: readonly string[]
  readonly lookups: WebClient
  /** speaks with the app token */
  readonly appClient: WebClient
  /** null where the surface was not started in this process */
  readonly sockets: () => SocketState | null
}

/** What `doctor` asks about Slack: both tokens, the socket, and each channel of the configuration. */
export function slackChecks(needs: Needs): readonly Check[] {
  return [
    { name: 'Slack: bot token', run: () => botToken(needs) },
    { name: 'Slack: app token', run: () => appToken(needs) },
    { name: 'Slack: sockets', run: async () => socketState(needs.sockets()) },
    ...needs.channels.map((id) => ({ name: `Slack: channel ${id}`, run: () => channel(id, needs) })),
  ]
}

/** Scopes that the manifest asks for and the token lacks. */
export function missingScopes({ scopes }: SlackIdentity): readonly string[] {
  return scopes === null ? [] : Object.keys(BOT_SCOPES).filter((scope) => !scopes.includes(scope))
}

async function botToken({ botToken: token, lookups }: Needs): Promise<CheckResult> {
  const wrong = wrongSort('bot', token)
  if (wrong !== null) return fault(wrong)
  const found = await identify(lookups)
  if (!found.ok) return fault(found.failure)
  const { botName, teamName, team } = found.value
  const missing = missingScopes(found.value)
  if (missing.length === 0) return { state: 'ok', saw: `@${botName} in ${teamName} (${team}), all scopes` }
  return {
    state: 'fault',
    saw: `@${botName} in ${teamName} lacks the scopes ${missing.join(', ')}`,
    next: 'paste manifest.yml again under App Manifest and reinstall the app',
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
    if (found.is_archived === true)
      return { state: 'fault', saw: `${name} is archived`, next: 'name another channel in pilotflame.yml' }
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

function fault({ thing, observed, next }: Failure): CheckResult {
  return { state: 'fault', saw: `${thing}: ${observed}`, next }
}
