import { z } from 'zod'
import type { Letter } from '../../../domain/letter.ts'
import type { Refusal } from '../refusal.ts'
import type { Call, Fields } from './call.ts'
import { EVENT } from './call.ts'
import type { Content } from './letter.ts'

/** found: it stands there · absent: it surely does not · later: Slack cannot say now · untold: it will not say */
export type Sight =
  | { readonly kind: 'found'; readonly ts: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'later' | 'untold'; readonly refusal: Refusal }

/** How far Slack's clock may be from ours, and how long it may take over a message, in ms. */
const BEFORE_MS = 60_000
const AFTER_MS = 600_000
const PAGES = 5
const PAGE = 200

/** Looks in the channel or thread for a letter whose sending was not answered. */
export async function find(
  letter: Pick<Letter, 'id' | 'place'>,
  sentAt: number,
  content: Content,
  call: Call,
): Promise<Sight> {
  let cursor = ''
  for (let page = 0; page < PAGES; page += 1) {
    const answer = await call(letter.place.thread === null ? 'conversations.history' : 'conversations.replies', {
      ...window(letter, sentAt),
      ...(cursor === '' ? {} : { cursor }),
    })
    if (!answer.ok) return unseen(answer.refusal)
    const read = Page.safeParse(answer.body)
    if (!read.success) return { kind: 'untold', refusal: MISREAD }
    const ts = read.data.messages.find((message) => isIt(message, letter, content))?.ts
    if (ts !== undefined) return { kind: 'found', ts }
    cursor = read.data.response_metadata?.next_cursor ?? ''
    if (cursor === '') return { kind: 'absent' }
  }
  return { kind: 'untold', refusal: { ...MISREAD, code: `more than ${PAGES * PAGE} messages` } }
}

function window({ place }: Pick<Letter, 'place'>, sentAt: number): Fields {
  return {
    channel: place.channel,
    ...(place.thread === null ? {} : { ts: place.thread }),
    oldest: seconds(sentAt - BEFORE_MS),
    latest: seconds(sentAt + AFTER_MS),
    inclusive: true,
    include_all_metadata: true,
    limit: PAGE,
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(6)
}

const Page = z.object({
  messages: z.array(
    z.object({
      ts: z.string(),
      metadata: z
        .object({ event_type: z.string().nullish(), event_payload: z.record(z.string(), z.unknown()).nullish() })
        .nullish()
        .catch(null),
      files: z
        .array(z.object({ name: z.string().nullish(), size: z.number().nullish() }))
        .nullish()
        .catch(null),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().nullish() }).nullish(),
})
type Message = z.infer<typeof Page>['messages'][number]

/** Files carry no metadata: the same names and sizes in the same minutes are taken for them. */
function isIt({ metadata, files }: Message, { id }: Pick<Letter, 'id'>, content: Content): boolean {
  if (content.files.length === 0) return metadata?.event_type === EVENT && metadata.event_payload?.['letter'] === id
  return content.files.every(({ name, text }) =>
    files?.some((file) => file.name === name && (file.size ?? Buffer.byteLength(text)) === Buffer.byteLength(text)),
  )
}

function unseen(refusal: Refusal): Sight {
  // where the thread is gone, so is whatever stood in it
  if (refusal.code === 'thread_not_found') return { kind: 'absent' }
  switch (refusal.kind) {
    case 'limited':
    case 'unsent':
    case 'unknown':
      return { kind: 'later', refusal }
    case 'place':
    case 'blocks':
    case 'long':
    case 'no':
      return { kind: 'untold', refusal }
  }
}

const MISREAD: Refusal = { kind: 'no', code: 'not what Slack answers', waitMs: 0, details: [] }
