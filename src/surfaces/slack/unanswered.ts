import type { OpenAsk } from '../../domain/open-ask.ts'
import type { Clock, Log } from '../../domain/ports.ts'
import { say } from './deliver.ts'
import { written } from './escape.ts'
import type { Message } from './pages.ts'
import type { Post, Sent } from './post.ts'
import { isFinal } from './refusal.ts'
import type { Respond } from './response-url.ts'

/** told: Slack has it, or keeps it for later · no: Slack's last word · later: Slack may take it another time */
export type Told = 'told' | 'no' | 'later'

/** Whether somebody is told, or may be. */
export function toldIn(sent: Sent): Told {
  if (sent.ok || sent.kept !== undefined) return 'told'
  return isFinal(sent.refusal) ? 'no' : 'later'
}

interface Needs {
  readonly post: Pick<Post, 'privately'>
  readonly log: Log
}

/** Tells who asked an earlier process that it may have ended before it answered. Nothing here throws. */
export async function tellRestarted(ask: OpenAsk, { post, log }: Needs): Promise<Told> {
  const sent = await post.privately(ask.to, ask.user, wordsFor(ask, 'Pilotflame was restarted and'))
  if (!sent.ok) log.warn('Somebody is not told that Pilotflame was restarted', { ...sent.refusal })
  return toldIn(sent)
}

/** Tells who asked this process that Slack may not have taken the answer: where the bot is no member by the response_url. */
export async function tellLost(
  ask: OpenAsk,
  respond: Respond | null,
  { post, log, clock }: Needs & { readonly clock: Pick<Clock, 'now'> },
): Promise<Told> {
  const message = wordsFor(ask, 'Slack could not be reached, and Pilotflame')
  const sent = await post.privately(ask.to, ask.user, message)
  const told = toldIn(sent)
  if (told !== 'no' || respond === null) return told
  if (await byUrl(message, respond, log)) return 'told'
  return clock.now() - ask.at < RESPONSE_MS ? 'later' : 'no'
}

/** How long a response_url takes answers, in ms. */
const RESPONSE_MS = 30 * 60_000

async function byUrl({ text }: Message, respond: Respond, log: Log): Promise<boolean> {
  const refusal = await respond({ response_type: 'ephemeral', replace_original: false, text: written(text) })
  if (refusal !== null) log.warn('A response_url did not take an apology', { ...refusal })
  return refusal === null
}

function wordsFor({ how, maybeTold = false }: OpenAsk, why: string): Message {
  return say(`${maybeTold ? 'You may have been told this already: ' : ''}${why} ${nextFor(how)}`)
}

function nextFor(how: OpenAsk['how']): string {
  return how === 'button'
    ? 'may not have answered your press. Next: see what the message says; where it says nothing, press again.'
    : 'may not have answered you. Nothing goes on. Next: where you see no answer, ask again.'
}
