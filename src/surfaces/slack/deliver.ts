import type { How, Place } from '../../domain/ask.ts'
import type { Log } from '../../domain/ports.ts'
import { refusal as refusalReport } from '../../domain/report.ts'
import type { Message } from './pages.ts'
import type { Answer, Answered, Kept, Post, Posted, Sent, Spot } from './post.ts'
import type { Refusal } from './refusal.ts'
import type { Rendered } from './render.ts'
import { headline } from './render.ts'

/** Where one ask came from, and how its person can be answered. */
export interface Line {
  readonly how: How
  /** the ask's id; null: nobody asked */
  readonly ask: string | null
  /** where an answer belongs; without a thread it starts one */
  readonly to: Place
  /** the message whose button was pressed, where others see it too */
  readonly pressed: Posted | null
  /**
   * Shows messages to the person who asked alone, after a word of why only they see them. False where one of the messages
   * was not taken; the word is none of the answer. Never throws.
   */
  whisper(messages: readonly Message[], why?: Message): Promise<boolean>
}

/** What every conversation of the surface works with. */
export interface Desk {
  readonly post: Post
  readonly log: Log
  /** `pilotflame`, for `/invite @pilotflame` */
  readonly botName: string
  /** Sanitises and redacts. */
  clean(text: string): string
  /** ms until the next update of a running message may go out */
  turn(): number
  sleep(ms: number): Promise<void>
}

/**
 * Posts messages in their order, then the files. What Slack refuses is shown to the person who asked, never dropped. Gives
 * the last message, which has the buttons; null where none stands yet.
 */
export async function deliver(
  to: Place,
  { messages, files }: Rendered,
  line: Pick<Line, 'whisper' | 'ask'>,
  desk: Pick<Desk, 'post' | 'log' | 'botName'>,
  kept: Kept = async () => {},
): Promise<string | null> {
  const [first, ...rest] = messages
  if (first === undefined) return null
  const answer: Answer = { to, ask: line.ask, at: null, over: null, first, rest, files, inThread: to.thread !== null }
  const answered = await desk.post.answer(answer, kept)
  if (!isRefused(answered.first)) return showRest(answer, answered, line, desk)
  if (await whisperRefused(messages, [answered.first, ...answered.rest], line, desk)) await kept()
  return null
}

/** Slack's last word: neither does it stand nor is it kept. */
type Refused = Extract<Sent, { readonly ok: false }> & { readonly kept?: never }

export function isRefused(sent: Sent): sent is Refused {
  return !sent.ok && sent.kept === undefined
}

/** Shows what Slack refused of what follows a first message that stands, or is kept. Gives the last message, as above. */
export async function showRest(
  { to, at, rest, files }: Answer,
  answered: Answered,
  line: Pick<Line, 'whisper'>,
  desk: Pick<Desk, 'post' | 'log' | 'botName'>,
): Promise<string | null> {
  const { first } = answered
  await whisperRefused(rest, answered.rest, line, desk)
  if (answered.files !== null && isRefused(answered.files)) {
    const thread = to.thread ?? at?.ts ?? (first.ok ? first.ts : null)
    const under = thread === null && !first.ok ? (first.kept ?? null) : null
    await tellOfFiles({ ...to, thread, under }, files, answered.files.refusal, line, desk)
  }
  const last = answered.rest.at(-1) ?? first
  return last.ok ? last.ts : null
}

/** True where all of them were shown. */
async function whisperRefused(
  messages: readonly Message[],
  sent: readonly Sent[],
  line: Pick<Line, 'whisper'>,
  { log, botName }: Pick<Desk, 'log' | 'botName'>,
): Promise<boolean> {
  const refusal = sent.find(isRefused)?.refusal
  if (refusal === undefined) return true
  log.error('Slack took no answer', { ...refusal })
  const refused = messages.filter((_, at) => {
    const one = sent[at]
    return one !== undefined && isRefused(one)
  })
  return line.whisper(refused, sorry(refusal, botName))
}

async function tellOfFiles(
  to: Spot,
  files: Rendered['files'],
  refusal: Refusal,
  line: Pick<Line, 'whisper'>,
  { post, log }: Pick<Desk, 'post' | 'log'>,
): Promise<void> {
  log.error('Slack took no file', { ...refusal })
  const names = files.map(({ name }) => name).join(', ')
  const note = say(`${names} could not be uploaded: Slack says ${refusal.code}. ${FILE_HINT}`)
  if (isRefused(await post.message(to, note))) await line.whisper([note])
}

const FILE_HINT =
  'Next: pilotflame doctor checks the scopes; the bot needs files:write and must be a member here, and the workspace must allow uploads.'

/** The thread of a message: its own, or the one in which it stands. */
export function inThread(posted: Posted, to: Place): Place {
  return { channel: posted.channel, thread: to.thread ?? posted.ts }
}

/** Says that and why the answer is not in the channel, and the click that mends it. */
export function sorry({ kind, code, details }: Refusal, botName: string): Message {
  const invite = `/invite @${botName}`
  if (kind === 'place') return say(`I am not in this channel, so only you see the answer. Next: ${invite}`)
  const known = Object.hasOwn(CLICKS, code) ? CLICKS[code] : undefined
  if (known === undefined)
    return say(
      `Slack did not take the answer here (${code}), so only you see it. Next: ask again, or see the bot’s log.`,
    )
  const scope = details[0] ?? 'that it misses'
  return say(known.replaceAll('{invite}', invite).replaceAll('{bot}', botName).replaceAll('{scope}', scope))
}

const RESTRICTED =
  'Only some people may post in this channel, so only you see the answer. Next: a channel manager opens the channel’s name → Settings → Channel posting permissions and lets @{bot} post'
const TOKEN =
  'Slack does not accept the bot’s token any more, so only you see the answer. Next: api.slack.com/apps → the app → OAuth & Permissions → Reinstall to Workspace, set SLACK_BOT_TOKEN anew and restart the bot'

/** What mends a refusal, by Slack's code. */
const CLICKS: Readonly<Record<string, string>> = {
  is_archived:
    'This channel is archived, so only you see the answer. Next: the channel’s name → Settings → Unarchive channel, then {invite}',
  missing_scope:
    'The Slack app lacks the scope {scope}, so only you see the answer. Next: api.slack.com/apps → the app → OAuth & Permissions → Bot Token Scopes: add {scope}, then Reinstall to Workspace',
  restricted_action: RESTRICTED,
  restricted_action_read_only_channel: RESTRICTED,
  restricted_action_thread_only_channel:
    'This channel takes replies in threads only, so only you see the answer. Next: ask in a thread by @{bot}',
  restricted_action_non_threadable_channel:
    'This channel takes no replies in threads, so only you see the answer. Next: ask in another channel',
  restricted_action_thread_locked: 'This thread is locked, so only you see the answer. Next: ask outside of it',
  outbox_full:
    'Too many answers wait for Slack already, so only you see this one. Next: pilotflame doctor says how many, and why',
  invalid_auth: TOKEN,
  not_authed: TOKEN,
  token_revoked: TOKEN,
  token_expired: TOKEN,
  account_inactive: TOKEN,
}

/** One sentence as a message. */
export function say(sentence: string): Message {
  return headline(refusalReport(sentence), [])
}
