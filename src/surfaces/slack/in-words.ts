import { pieces } from './cut.ts'
import { breakFences, cutForMarkup, escapedCost, fence, mrkdwn } from './escape.ts'
import { LIMITS } from './limits.ts'
import type { Part } from './pages.ts'

/** Code points of a body in the words beside blocks. */
const IN_WORDS = 1_000
/** Code points of a body in a reply of words alone, markup counted; leaves room for title and fence. */
const REPLY = 3_000

/** A text without any block, whole: replies of words, each as long as one message holds. */
export function replies(title: string, body: string): readonly Part[] {
  return pieces(breakFences(body), REPLY, escapedCost).map((piece, at) => {
    const name = cutForMarkup(at === 0 ? titled(title) : `${titled(title)}, continued`, LIMITS.header)
    const part: Part = { blocks: [], text: mrkdwn`*${name}*\n${fence(piece)}`, below: () => [part] }
    return part
  })
}

/** Title and beginning, for notifications. */
export function excerptOf(title: string, body: string): Part['text'] {
  return mrkdwn`*${cutForMarkup(titled(title), LIMITS.header)}*\n${fence(cutForMarkup(body, IN_WORDS))}`
}

/** Slack refuses an empty text, and two asterisks with nothing between are none of a title. */
export function titled(title: string): string {
  return title.trim() === '' ? '(no title)' : title
}
