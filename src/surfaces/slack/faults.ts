import { WebAPIPlatformError } from '@slack/web-api'
import type { Failure } from '../../domain/failure.ts'
import { refusalOf } from './refusal.ts'

/** Which of the two tokens a call was made with. */
export type Token = 'bot' | 'app'

const WORDS: Readonly<Record<Token, { readonly name: string; readonly start: string; readonly where: string }>> = {
  bot: {
    name: 'bot token (SLACK_BOT_TOKEN)',
    start: 'xoxb-',
    where:
      'copy the Bot User OAuth Token (xoxb-…) from OAuth & Permissions at api.slack.com/apps, after Install to Workspace',
  },
  app: {
    name: 'app token (SLACK_APP_TOKEN)',
    start: 'xapp-',
    where: 'make one with connections:write (xapp-…) at api.slack.com/apps, Basic Information, App-Level Tokens',
  },
}

/** A token of another sort is named before Slack is asked; null where its beginning is right. */
export function wrongSort(token: Token, value: string): Failure | null {
  const { name, start, where } = WORDS[token]
  if (value.startsWith(start)) return null
  const looksLike = /^x[a-z]{3}-/.exec(value)?.[0]
  const observed =
    looksLike === undefined ? `does not begin with ${start}` : `begins with ${looksLike}, not with ${start}`
  return { kind: 'config', thing: name, observed, next: where }
}

/** Why Slack did not answer a call as it should, in words that name the token and what to do. */
export function slackFailure(error: unknown, token: Token, url: string): Failure {
  const { code, kind } = refusalOf(error)
  if (error instanceof WebAPIPlatformError) {
    const said = {
      kind: 'http-status',
      thing: `Slack (${url})`,
      observed: `it says ${code}`,
      next: SOCKETS.get(code) ?? 'try again; if it stays, see status.slack.com',
    } as const
    return tokenFailure(code, error.data, token) ?? said
  }
  if (kind === 'limited')
    return {
      kind: 'http-status',
      thing: `Slack (${url})`,
      observed: 'too many calls (429)',
      next: 'try again in a minute',
    }
  return {
    kind: networkKind(code),
    thing: `Slack (${url})`,
    observed: code,
    next: REACH,
  }
}

const REACH = 'check DNS, proxy and firewall of this machine for that address'
const SOCKETS: ReadonlyMap<string, string> = new Map([
  ['too_many_websockets', 'stop other programs that use the same app token; Slack allows ten connections'],
  ['link_disabled', 'turn on Socket Mode in the settings of the app'],
])

/** Why a socket was not greeted. Of its address only the host is named: the rest lets anybody in. */
export function noHello(address: string, observed: string, reason: string): Failure {
  const url = URL.parse(address)
  const at = url === null ? 'an address that is none' : `${url.protocol}//${url.host}`
  return { kind: 'lost', thing: `Slack (${at})`, observed, next: SOCKETS.get(reason) ?? REACH }
}

/** Why a token does not do, by an answer that says `ok: false`; null where Slack says something else. */
export function tokenFailure(code: string, answer: object, token: Token): Failure | null {
  const { name, where } = WORDS[token]
  if (code === 'missing_scope') return missingScope(name, 'needed' in answer ? String(answer.needed) : '(not named)')
  return TOKEN.includes(code) ? { kind: 'config', thing: name, observed: `Slack says ${code}`, next: where } : null
}

function missingScope(thing: string, needed: string): Failure {
  return {
    kind: 'config',
    thing,
    observed: `the scope ${needed} is missing`,
    next: addScopes(needed),
  }
}

/** The clicks that give the bot scopes which it lacks; `pilotflame manifest` has them too. */
export function addScopes(scopes: string): string {
  return `api.slack.com/apps → your app → OAuth & Permissions → Bot Token Scopes → Add an OAuth Scope: ${scopes}; then Install App → Reinstall to Workspace`
}

/** Codes by which Slack refuses the token itself. */
const TOKEN: readonly string[] = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
  'team_access_not_granted',
  'user_removed_from_team',
  'team_disabled',
]

function networkKind(code: string): Failure['kind'] {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'dns'
    case 'ECONNREFUSED':
      return 'refused'
    case 'UND_ERR_CONNECT_TIMEOUT':
      return 'connect-timeout'
  }
  return /^HTTP \d/.test(code) ? 'http-status' : 'lost'
}
