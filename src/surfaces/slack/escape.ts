import type { MrkdwnElement, PlainTextElement } from '@slack/types'
import { cut, lengthOf } from './cut.ts'

const markup: unique symbol = Symbol('mrkdwn')

/** Text that Slack reads as markup. Only this file can make one, so no literal text gets there unescaped. */
export interface Mrkdwn {
  readonly [markup]: string
}

/** A template whose fixed parts are our own markup and whose values are literal text. */
export function mrkdwn(fixed: TemplateStringsArray, ...values: readonly (string | Mrkdwn)[]): Mrkdwn {
  const filled = values.map(
    (value, at) => `${typeof value === 'string' ? literal(value) : value[markup]}${fixed[at + 1]}`,
  )
  return { [markup]: `${fixed[0]}${filled.join('')}` }
}

/** A code fence that its own content cannot end. */
export function fence(code: string): Mrkdwn {
  return { [markup]: `\`\`\`\n${literal(code)}\n\`\`\`` }
}

/** What `fence` puts around its content, in characters. */
export const FENCE_COST = 8

/** Parts one under the other, at most `max` code points: what does not fit is left out whole. */
export function stack(parts: readonly Mrkdwn[], max: number): Mrkdwn {
  let room = max
  const kept: string[] = []
  for (const part of parts) {
    const cost = lengthOf(part[markup]) + 1
    if (cost > room) break
    kept.push(part[markup])
    room -= cost
  }
  return { [markup]: kept.join('\n') }
}

/** For a field of the Web API that is read as markup. */
export function written(text: Mrkdwn): string {
  return text[markup]
}

/** `verbatim` stops Slack from making links of bare addresses. */
export function mrkdwnObject(text: Mrkdwn): MrkdwnElement {
  return { type: 'mrkdwn', text: text[markup], verbatim: true }
}

/** Text that has one line only: whoever writes a break into it cannot begin a line that looks like ours. */
export function oneLine(text: string): string {
  return BREAK.test(text) ? text.replace(BROKEN_BLANKS, ' ') : text
}

const BREAK = /[\n\r\u2028\u2029\v\f\u0085]/
/** A run of blanks with a break in it. It is read once, from its first blank on, and not once for each of its blanks. */
const BROKEN_BLANKS = /(?<![\s\u0085])[^\S\n\r\u2028\u2029\v\f]*[\n\r\u2028\u2029\v\f\u0085][\s\u0085]*/g

/** Literal text: no mention, link or `:emoji:` is read in it. Slack refuses an empty one, so it becomes words. */
export function plainObject(text: string): PlainTextElement {
  return { type: 'plain_text', text: text.trim() === '' ? '(blank)' : text, emoji: false }
}

/** Code points that one literal character takes in markup. */
export function escapedCost(character: string): number {
  // asked for each character of every text: a look-up in a map takes several times as long
  if (character === '&') return AMPERSAND
  return character === '<' || character === '>' ? ANGLE : 1
}

const AMPERSAND = entities('&').length
const ANGLE = entities('<').length

/** Literal text cut so that it takes at most `max` code points in markup. */
export function cutForMarkup(text: string, max: number): string {
  return cut(breakFences(text), max, escapedCost)
}

/** Three backticks would end a fence; a visible space keeps them apart. */
export function breakFences(code: string): string {
  return code.replace(/``(?=`)/g, '`` ')
}

function literal(text: string): string {
  return entities(breakFences(text))
}

/** Slack's own rule: exactly these three (docs.slack.dev/messaging/formatting-message-text). */
function entities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
