import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Outcome } from '../../domain/outcome.ts'
import { failed, ok } from '../../domain/outcome.ts'
import { slackFailure } from './faults.ts'

/** Who we are in Slack, as auth.test says. */
export interface SlackIdentity {
  readonly team: string
  readonly teamName: string
  readonly botUser: string
  readonly botId: string
  /** `pilotflame`, for mentions and invitations */
  readonly botName: string
  /** what the token may do; null where Slack did not say */
  readonly scopes: readonly string[] | null
}

const Answer = z.object({
  team_id: z.string(),
  team: z.string().nullish(),
  user_id: z.string(),
  user: z.string().nullish(),
  bot_id: z.string().nullish(),
  response_metadata: z.object({ scopes: z.array(z.string()).nullish() }).nullish(),
})

/** Asks Slack whose bot token it is. */
export async function identify(client: WebClient): Promise<Outcome<SlackIdentity>> {
  const url = client.slackApiUrl
  try {
    const answer = Answer.safeParse(await client.auth.test())
    if (!answer.success) {
      return failed({
        kind: 'shape',
        thing: `Slack (${url})`,
        observed: 'auth.test gave no team',
        next: 'check the address',
      })
    }
    const { team_id: team, team: teamName, user_id: botUser, user, bot_id: botId } = answer.data
    const scopes = answer.data.response_metadata?.scopes ?? null
    return ok({ team, teamName: teamName ?? team, botUser, botId: botId ?? '', botName: user ?? 'pilotflame', scopes })
  } catch (error) {
    return failed(slackFailure(error, 'bot', url))
  }
}
