import type { ContainerBlock, ContextBlock, SectionBlock } from '@slack/types'
import type { Section } from '../../domain/report.ts'
import { count } from '../../domain/report.ts'
import { cut, headAndTail } from './cut.ts'
import {
  breakFences,
  cutForMarkup,
  escapedCost,
  FENCE_COST,
  fence,
  mrkdwn,
  mrkdwnObject,
  plainObject,
} from './escape.ts'
import { LIMITS } from './limits.ts'
import type { Part } from './pages.ts'

type Child = SectionBlock | ContextBlock

/** Code points of a body in the words that stand in for the blocks. */
const IN_WORDS = 1_000

/**
 * One section of a report. In a box it can be opened and closed; where boxes are not known to work (private answers)
 * it stands under a bold title. A long body shows its beginning and its end; `wholeIn` names the file that has it all.
 */
export function sectionPart(section: Section, boxes: boolean, wholeIn: (section: Section) => string): Part {
  const children = bodyBlocks(section, wholeIn)
  const title = cut(section.title, LIMITS.container.title)
  const text = mrkdwn`*${title}*\n${fence(cutForMarkup(section.body, IN_WORDS))}`
  return { blocks: boxes ? [box(title, section.folded, children)] : [heading(title), ...children], text }
}

function bodyBlocks(section: Section, wholeIn: (section: Section) => string): Child[] {
  const code = isCode(section.kind)
  const shown = code
    ? headAndTail(breakFences(section.body), LIMITS.section - FENCE_COST, escapedCost)
    : headAndTail(section.body, LIMITS.section)
  const block = code ? codeBlock : proseBlock
  const head = shown.head.map(block)
  if (shown.gap === null) return head
  const note = `${count(shown.gap.characters)} characters between are in ${wholeIn(section)}`
  return [...head, { type: 'context', elements: [plainObject(note)] }, block(shown.gap.tail)]
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

/** Without `expand` Slack may fold even a short text behind "see more". */
function proseBlock(text: string): SectionBlock {
  return { type: 'section', text: plainObject(text), expand: true }
}

function codeBlock(text: string): SectionBlock {
  return { type: 'section', text: mrkdwnObject(fence(text)), expand: true }
}

function heading(title: string): SectionBlock {
  return { type: 'section', text: mrkdwnObject(mrkdwn`*${title}*`) }
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
