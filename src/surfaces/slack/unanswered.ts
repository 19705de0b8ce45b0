import type { OpenAsk } from '../../domain/open-ask.ts'
import type { Clock, Log } from '../../domain/ports.ts'
import { say } from './deliver.ts'
import { mrkdwn, written } from './escape.ts'
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
  readonly post: Pick<Post, 'privately' | 'message'>
  readonly log: Log
}

/** Tells who asked an earlier process that it may have ended before it answered. Nothing here throws. */
export async function tellRestarted(ask: OpenAsk, { post, log }: Needs): Promise<Told> {
  const words = wordsFor(ask, 'Pilotflame was restarted and')
  const sent = await post.privately(ask.to, ask.user, say(words))
  if (!sent.ok) log.warn('Somebody is not told in private that Pilotflame was restarted', { ...sent.refusal })
  const told = toldIn(sent)
  return told === 'no' ? byName(ask, words, { post, log }) : told
}

/** How an ask came to be without an answer. */
interface Lost {
  /** whether Slack refused what was kept; else it may never have been reached */
  readonly isRefused: boolean
  /** the way to who asked where the bot is no member; null: Slack gave none */
  readonly respond: Respond | null
}

/** Tells who asked this process that Slack may not have taken the answer: alone, by the response_url, by name. */
export async function tellLost(
  ask: OpenAsk,
  { isRefused, respond }: Lost,
  { post, log, clock }: Needs & { readonly clock: Pick<Clock, 'now'> },
): Promise<Told> {
  const why = isRefused ? 'Slack refused an answer, and Pilotflame' : 'Slack could not be reached, and Pilotflame'
  const words = wordsFor(ask, why)
  const told = toldIn(await post.privately(ask.to, ask.user, say(words)))
  if (told !== 'no') return told
  const url = respond === null ? 'no' : await byUrl(say(words), respond, log)
  if (url === 'told' || (url === 'later' && clock.now() - ask.at < RESPONSE_MS)) return url
  return byName(ask, words, { post, log })
}

/** How long a response_url takes answers, in ms. */
const RESPONSE_MS = 30 * 60_000

async function byUrl({ text }: Message, respond: Respond, log: Log): Promise<Told> {
  const refusal = await respond({ response_type: 'ephemeral', replace_original: false, text: written(text) })
  if (refusal === null) return 'told'
  log.warn('A response_url did not take an apology', { ...refusal })
  return isFinal(refusal) ? 'no' : 'later'
}

/** The last ways, which others may see: where it was asked, then to the person directly. Nothing of an answer is in it. */
async function byName(ask: OpenAsk, words: string, { post, log }: Needs): Promise<Told> {
  const message: Message = { blocks: [], text: mrkdwn`<@${ask.user}> ${words}` }
  for (const to of [ask.to, { channel: ask.user, thread: null }]) {
    const sent = await post.message(to, message)
    const told = toldIn(sent)
    if (told !== 'no') return told
    if (!sent.ok) log.warn('An apology by name is refused', { channel: to.channel, ...sent.refusal })
  }
  return 'no'
}

function wordsFor({ how, maybeTold = false }: OpenAsk, why: string): string {
  return `${maybeTold ? 'You may have been told this already: ' : ''}${why} ${nextFor(how)}`
}

function nextFor(how: OpenAsk['how']): string {
  return how === 'button'
    ? 'may not have answered your press. Next: see what the message says; where it says nothing, press again.'
    : 'may not have answered you. Nothing goes on. Next: where you see no answer, ask again.'
}
