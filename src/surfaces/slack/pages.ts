import type { KnownBlock } from '@slack/types'
import { lengthOf } from './cut.ts'
import type { Mrkdwn } from './escape.ts'
import { stack } from './escape.ts'
import { LIMITS } from './limits.ts'

/** Blocks that stay together, and the same in words: for notifications, and where Slack refuses the blocks. */
export interface Part {
  readonly blocks: readonly KnownBlock[]
  readonly text: Mrkdwn
}

/** One Slack message. `text` is never empty. */
export interface Message {
  readonly blocks: readonly KnownBlock[]
  readonly text: Mrkdwn
}

/** Parts in as few messages as the limits allow, in their order. */
export function paginate(parts: readonly Part[]): readonly Message[] {
  const pages: Part[][] = []
  let page: Part[] = []
  for (const part of parts) {
    if (page.length > 0 && !fits([...page, part])) {
      pages.push(page)
      page = []
    }
    page.push(part)
  }
  if (page.length > 0) pages.push(page)
  return pages.map((kept) => ({
    blocks: kept.flatMap((part) => part.blocks),
    text: stack(
      kept.map((part) => part.text),
      LIMITS.text,
    ),
  }))
}

function fits(parts: readonly Part[]): boolean {
  const blocks = parts.flatMap((part) => part.blocks).flatMap(withChildren)
  return (
    blocks.length <= LIMITS.blocks &&
    blocks.filter((block) => block.type === 'table').length <= LIMITS.table.perMessage &&
    textLength(parts.map((part) => part.blocks)) <= LIMITS.blockText
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
