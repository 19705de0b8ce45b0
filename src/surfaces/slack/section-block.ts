import type { ContainerBlock, ContextBlock, SectionBlock } from '@slack/types'
import type { Section } from '../../domain/report.ts'
import { count } from '../../domain/report.ts'
import type { Can } from './abilities.ts'
import type { Shown } from './cut.ts'
import { cut, headAndTail } from './cut.ts'
import { breakFences, escapedCost, FENCE_COST, fence, mrkdwn, mrkdwnObject, oneLine, plainObject } from './escape.ts'
import { heading } from './heading.ts'
import { excerptOf, replies, titled } from './in-words.ts'
import { LIMITS } from './limits.ts'
import type { Drawn, Part } from './pages.ts'

type Child = SectionBlock | ContextBlock

/** Names the file that holds the whole of a section. */
type Filing = (section: Section) => string

/**
 * One section of a report: a box that opens and closes; where boxes are refused it stands under a bold title, and Slack
 * may fold it behind "see more"; where blocks are refused it is replies of words. A long body shows its two ends.
 */
export function sectionPart(section: Section, wholeIn: Filing): Drawn {
  const title = cut(oneLine(section.title), LIMITS.container.title)
  const shown = shownOf(section)
  return (can) => {
    if (!can.blocks) return inReplies(section, shown, wholeIn)
    const children = bodyBlocks(section, shown, wholeIn, folding(section, can))
    const text = excerptOf(title, section.body)
    return [{ blocks: can.container ? [box(title, section.folded, children)] : [heading(title), ...children], text }]
  }
}

function shownOf({ kind, body }: Section): Shown {
  return isCode(kind)
    ? headAndTail(breakFences(body), LIMITS.section - FENCE_COST, escapedCost)
    : headAndTail(body, LIMITS.section)
}

function bodyBlocks(section: Section, { head, gap }: Shown, wholeIn: Filing, fold: Fold): Child[] {
  const block = (text: string): SectionBlock => ({
    type: 'section',
    text: isCode(section.kind) ? mrkdwnObject(fence(text)) : plainObject(text),
    ...fold,
  })
  if (gap === null) return head.map(block)
  const note = between(gap.characters, wholeIn(section))
  return [...head.map(block), { type: 'context', elements: [plainObject(note)] }, block(gap.tail)]
}

function inReplies(section: Section, { head, gap }: Shown, wholeIn: Filing): readonly Part[] {
  const title = oneLine(section.title)
  const begin = replies(title, head.join(''))
  if (gap === null) return begin
  const note: Part = { blocks: [], text: mrkdwn`${between(gap.characters, wholeIn(section))}`, below: () => [note] }
  return [...begin, note, ...replies(`${titled(title)}, its end`, gap.tail)]
}

function between(characters: number, file: string): string {
  return `${count(characters)} characters between are in ${file}`
}

function isCode(kind: Section['kind']): boolean {
  switch (kind) {
    case 'tool-calls':
    case 'code':
    case 'log':
      return true
    case 'reasoning':
    case 'content':
    case 'diagnosis':
    case 'text':
      return false
  }
}

type Fold = Pick<SectionBlock, 'expand'>

/** Without `expand` Slack may fold even a short text behind "see more"; a box folds by itself. */
function folding({ folded }: Section, { container, expand }: Can): Fold {
  return expand ? { expand: container || !folded } : {}
}

function box(title: string, folded: boolean, children: Child[]): ContainerBlock {
  return {
    type: 'container',
    title: plainObject(title),
    is_collapsible: true,
    default_collapsed: folded,
    child_blocks: children,
  }
}
