import type { How, Place } from '../../domain/ask.ts'
import type { Log } from '../../domain/ports.ts'
import { refusal as refusalReport } from '../../domain/report.ts'
import type { Message } from './pages.ts'
import type { Post, Posted } from './post.ts'
import type { Refusal } from './refusal.ts'
import type { Rendered } from './render.ts'
import { headline } from './render.ts'

/** Where one ask came from, and how its person can be answered. */
export interface Line {
  readonly how: How
  /** where an answer belongs; without a thread it starts one */
  readonly to: Place
  /** Shows messages to the person who asked alone. Never throws. */
  whisper(messages: readonly Message[]): Promise<void>
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

/** Posts messages in their order, then the files. What Slack refuses is shown to the person who asked, never dropped. */
export async function deliver(to: Place, { messages, files }: Rendered, line: Line, desk: Desk): Promise<void> {
  for (const [at, message] of messages.entries()) {
    const sent = await desk.post.message(to, message)
    if (!sent.ok) {
      desk.log.error('Slack took no answer', { ...sent.refusal })
      return line.whisper([sorry(sent.refusal, desk.botName), ...messages.slice(at)])
    }
  }
  if (files.length === 0) return
  const sent = await desk.post.files(to, files)
  if (sent.ok) return
  desk.log.error('Slack took no file', { ...sent.refusal })
  const names = files.map(({ name }) => name).join(', ')
  const note = say(`${names} could not be uploaded: Slack says ${sent.refusal.code}. ${FILE_HINT}`)
  const told = await desk.post.message(to, note)
  if (!told.ok) await line.whisper([note])
}

const FILE_HINT = 'Next: pilotflame doctor checks the scopes; the bot needs files:write and must be a member here.'

/** The thread of a message: its own, or the one in which it stands. */
export function inThread(posted: Posted, to: Place): Place {
  return { channel: posted.channel, thread: to.thread ?? posted.ts }
}

/** Says that and why the answer is not in the channel. */
export function sorry({ kind, code }: Refusal, botName: string): Message {
  return kind === 'place'
    ? say(`I am not in this channel, so only you see the answer. Next: /invite @${botName}`)
    : say(`Slack did not take the answer here (${code}), so only you see it. Next: ask again, or see the bot’s log.`)
}

/** One sentence as a message. */
export function say(sentence: string): Message {
  return headline(refusalReport(sentence), [])
}
