import type { SectionBlock } from '@slack/types'
import { mrkdwn, mrkdwnObject } from './escape.ts'
import { titled } from './in-words.ts'

/** The bold title above what has none of its own. */
export function heading(title: string): SectionBlock {
  return { type: 'section', text: mrkdwnObject(mrkdwn`*${titled(title)}*`) }
}
