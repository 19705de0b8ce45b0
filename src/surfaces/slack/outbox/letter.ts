import { z } from 'zod'
import type { Letter } from '../../../domain/letter.ts'
import type { Clock } from '../../../domain/ports.ts'
import type { ReportFile } from '../../../domain/report.ts'
import { written } from '../escape.ts'
import type { Message } from '../pages.ts'
import type { Refusal } from '../refusal.ts'

/** What became of a message. */
export type Sent =
  /** `ts` names the message from now on */
  | { readonly ok: true; readonly ts: string }
  /** `kept`: not lost, the letter of this id goes out when Slack can be reached. `maybe`: it may stand there all the same. */
  | { readonly ok: false; readonly refusal: Refusal; readonly kept?: Letter['id']; readonly maybe?: Maybe }

/** A message that Slack may have taken without our hearing of it. */
export type Maybe = Pick<Letter, 'id' | 'sentAt'>

/** What goes over the wire, of files or of words and blocks. */
export interface Wire {
  /** markup already */
  readonly text: string
  readonly blocks: readonly unknown[]
  readonly files: readonly ReportFile[]
}

/** What a letter holds, in the store as JSON. */
const Content = z.object({
  text: z.string(),
  blocks: z.array(z.unknown()).readonly(),
  files: z.array(z.object({ name: z.string(), text: z.string() })).readonly(),
  /** an earlier form of it may stand under the same id: that one is changed */
  over: z.boolean(),
  /** the letter whose message begins its thread; null: the place says all */
  under: z.string().nullable(),
  /** tells what was kept while Slack could not be reached */
  digest: z.boolean(),
  /** where the message that it changes cannot be changed, it goes into that one's thread */
  below: z.boolean().default(false),
})
export type Content = z.infer<typeof Content>

/** A letter on its way. */
export interface Entry {
  letter: Letter
  readonly content: Content
  /** as it was rendered, for a plainer form; null after a restart */
  readonly message: Message | null
  /** how many rungs lower it is than it was handed in */
  readonly rung: number
  /** whether a row stands for it */
  row: boolean
  /** given up where Slack cannot be reached: a later one says more */
  readonly passing: boolean
  /** monotonic ms at which it was handed in */
  readonly since: number
  /** whether an earlier process left it */
  readonly left: boolean
  /** tries that failed, each after the whole wait of the one before */
  failures: number
  /** monotonic ms; 0 before the first failure */
  failedAt: number
  /** monotonic ms from which on the next try counts */
  dueAt: number
  /** whether the others go first until then */
  aside: boolean
  /** Told when Slack has it, where no row stands for it. */
  kept: (() => Promise<void>) | null
  /** whether the one who handed it in heard what became of it */
  told: boolean
  tell(sent: Sent): void
}

export type Draft = Pick<Letter, 'id' | 'place' | 'ts' | 'sentAt'> &
  Pick<Entry, 'message' | 'rung' | 'passing' | 'tell'> & { readonly content: Content; readonly ask?: string | null }

/** A letter that was just handed in. */
export function entryOf(draft: Draft, clock: Clock): Entry {
  const { id, ask = null, place, ts, sentAt, content, message, rung, passing, tell } = draft
  const title = content.under === null && !content.digest && content.files.length === 0 ? titleOf(content.text) : ''
  const answers = ask === null ? {} : { ask }
  const letter = { id, ...answers, place, ts, sentAt, at: clock.now(), title, content: JSON.stringify(content) }
  return { ...FRESH, letter, content, message, rung, passing, since: clock.monotonic(), told: false, tell }
}

const FRESH = { row: false, left: false, failures: 0, failedAt: 0, dueAt: 0, aside: false, kept: null } as const

/** A letter that an earlier process left; null where nobody can read it any more. */
export function entryFrom(letter: Letter, clock: Clock): Entry | null {
  const content = readContent(letter.content)
  if (content === null) return null
  const waited = Math.max(0, clock.now() - letter.at)
  const since = clock.monotonic() - waited
  const inherited = { message: null, rung: 0, row: true, left: true, passing: false, told: true }
  return { ...FRESH, ...inherited, letter, content, since, tell() {} }
}

function readContent(json: string): Content | null {
  try {
    return Content.safeParse(JSON.parse(json)).data ?? null
  } catch {
    return null
  }
}

/** A message as content. */
export function contentOf(message: Message, more: Partial<Content> = {}): Content {
  return { ...NOTHING, text: written(message.text), blocks: [...message.blocks], ...more }
}

export const NOTHING: Content = {
  text: '',
  blocks: [],
  files: [],
  over: false,
  under: null,
  digest: false,
  below: false,
}

/** Code points of a title in a digest. */
const TITLE = 120

/** The first line, for a digest. */
function titleOf(text: string): string {
  const [line = ''] = text.split('\n')
  const characters = [...line]
  // an entity that was cut in two would be read as something else
  return characters.length <= TITLE
    ? line
    : `${characters
        .slice(0, TITLE)
        .join('')
        .replace(/&\w{0,3}$/, '')}…`
}
