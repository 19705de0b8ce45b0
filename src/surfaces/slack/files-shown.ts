import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Place } from '../../domain/ask.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { failed, ok } from '../../domain/outcome.ts'
import type { Shown, ShownMessage } from '../../domain/shown.ts'
import { slackFailure } from './faults.ts'
import type { FileNeeds, Upload } from './files-read.ts'
import { Uploads, uploaded } from './files-read.ts'

/** A message that asks, as far as it shows something. */
export interface Showing {
  readonly ts: string
  readonly files: readonly Upload[]
}

export interface ShownNeeds extends FileNeeds {
  readonly lookups: WebClient
  readonly mentionsOnly: boolean
}

/** Looks at what was put beside a line: files of its message, and what people wrote above it in the thread. */
export function shownIn(needs: ShownNeeds): (place: Place, message: Showing | null) => Promise<Shown> {
  return async (place, message) => {
    if (message === null) return { files: [], above: ok([]) }
    const files = uploaded(message.files, needs)
    return { files, above: place.thread === null ? ok([]) : await above(place, message.ts, needs) }
  }
}

/** Of a thread so many messages are read, in so many calls; of a longer one the first of them. */
const PAGE = 200
const PAGES = 5

async function above(
  { channel, thread }: Place,
  latest: string,
  needs: ShownNeeds,
): Promise<Outcome<readonly ShownMessage[]>> {
  if (needs.mentionsOnly) return failed(ONLY_MENTIONS)
  const all: Written[] = []
  let cursor = ''
  try {
    for (let page = 0; page < PAGES; page += 1) {
      const asked = { channel, ts: thread ?? '', latest, limit: PAGE, ...(cursor === '' ? {} : { cursor }) }
      const read = Replies.parse(await needs.lookups.conversations.replies(asked))
      all.push(...read.messages)
      cursor = read.response_metadata?.next_cursor ?? ''
      if (cursor === '') break
    }
  } catch (error) {
    return failed(slackFailure(error, 'bot', needs.lookups.slackApiUrl))
  }
  const byPeople = all.filter((one) => one.ts !== latest && isByPerson(one))
  return ok(byPeople.map((one) => messageOf(one, one.ts === thread, needs)).toReversed())
}

const ONLY_MENTIONS = {
  kind: 'config',
  thing: 'the messages above in this thread',
  observed: 'they are not read, since slack.mentions_only is set',
  next: 'put the text, or the file, into the message that mentions the bot',
} as const

const text = z.string().nullish()
const Message = z.object({ ts: z.string(), text, user: text, bot_id: text, subtype: text, files: Uploads })
const Replies = z.object({
  messages: z.array(Message),
  response_metadata: z.object({ next_cursor: text }).nullish(),
})
type Written = z.infer<typeof Message>

function isByPerson({ user, bot_id, subtype }: Written): boolean {
  return Boolean(user) && !bot_id && (!subtype || subtype === 'file_share')
}

function messageOf({ ts, text: said, files }: Written, isFirst: boolean, needs: FileNeeds): ShownMessage {
  return { at: Math.round(Number(ts) * 1000), text: said ?? '', files: uploaded(files, needs), isFirst }
}
