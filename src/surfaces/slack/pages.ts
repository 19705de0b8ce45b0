import type { KnownBlock } from '@slack/types'
import type { Can, Kind } from './abilities.ts'
import { EVERYTHING } from './abilities.ts'
import { lengthOf } from './cut.ts'
import type { Mrkdwn } from './escape.ts'
import { stack, written } from './escape.ts'
import { LIMITS } from './limits.ts'

/** Blocks that stay together, and the same in words: for notifications, and where Slack refuses the blocks. */
export interface Part {
  /** none: the words stand for themselves */
  readonly blocks: readonly KnownBlock[]
  /** at most `LIMITS.text` */
  readonly text: Mrkdwn
  /** how this part alone is drawn with less; absent: as the whole that it was drawn from */
  readonly below?: Drawn
}

/** Draws something with what the workspace accepts: the rungs of the ladder. */
export type Drawn = (can: Can) => readonly Part[]

/** One Slack message. `text` is never empty. */
export interface Message {
  readonly blocks: readonly KnownBlock[]
  readonly text: Mrkdwn
  /** The same content with less, in as many messages as that takes. Absent: there is no other form. */
  readonly again?: (without: readonly Kind[]) => readonly Message[]
}

/** What was drawn, in as few messages as the limits allow, in its order. */
export function paginate(drawn: readonly Drawn[], can: Can = EVERYTHING): readonly Message[] {
  const pages: Placed[][] = []
  let page: Placed[] = []
  for (const placed of drawn.flatMap((draw) => draw(can).map((part) => place(part, part.below ?? draw)))) {
    if (page.length > 0 && !fits([...page, placed])) {
      pages.push(page)
      page = []
    }
    page.push(placed)
  }
  if (page.length > 0) pages.push(page)
  return pages.map((kept) => messageOf(kept, can))
}

interface Placed {
  readonly part: Part
  readonly redraw: Drawn
  /** what it takes of the limits */
  readonly blocks: number
  readonly tables: number
  readonly blockText: number
  readonly text: number
}

function place(part: Part, redraw: Drawn): Placed {
  const blocks = part.blocks.flatMap(withChildren)
  return {
    part,
    redraw,
    blocks: blocks.length,
    tables: blocks.filter((block) => block.type === 'table').length,
    blockText: textLength(part.blocks),
    // with the line break after it
    text: lengthOf(written(part.text)) + 1,
  }
}

function messageOf(page: readonly Placed[], can: Can): Message {
  const texts = page.map(({ part }) => part.text)
  return {
    blocks: page.flatMap(({ part }) => part.blocks),
    text: stack(texts, LIMITS.text),
    again(without) {
      const less = Object.fromEntries(without.map((kind) => [kind, false]))
      // parts of one whole are drawn again as that whole, once
      const drawn = new Set(page.map(({ redraw }) => redraw))
      return paginate([...drawn], { ...can, ...less })
    },
  }
}

/** Words may be left out beside blocks, which say the same; where they stand for themselves they have to fit. */
function fits(page: readonly Placed[]): boolean {
  const sum = (of: 'blocks' | 'tables' | 'blockText' | 'text'): number => page.reduce((all, one) => all + one[of], 0)
  const wordy = page.filter(({ blocks }) => blocks === 0).length
  if (wordy > 0) return wordy === page.length && sum('text') <= LIMITS.text
  return (
    sum('blocks') <= LIMITS.blocks && sum('tables') <= LIMITS.table.perMessage && sum('blockText') <= LIMITS.blockText
  )
}

/** Whether children of a container count as blocks is not documented: they do, here. */
function withChildren(block: KnownBlock): readonly KnownBlock[] {
  return block.type === 'container' ? [block, ...block.child_blocks] : [block]
}

/** The sum of everything under a key `text`, however deep. */
export function textLength(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce(
    (sum: number, [key, inner]: [string, unknown]) =>
      sum + (key === 'text' && typeof inner === 'string' ? lengthOf(inner) : textLength(inner)),
    0,
  )
}
