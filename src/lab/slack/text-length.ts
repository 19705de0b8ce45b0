import type { Fields } from './json.ts'
import { fieldsIn, isFields, textAt } from './json.ts'

/** Code points that one block shows. Written by the documents of each kind, apart from the renderer's own sum. */
export function textLength(block: Fields): number {
  const length = LENGTHS[String(block['type'])]
  return length === undefined ? 0 : length(block)
}

/** How many characters Slack counts in a text: a pair of UTF-16 units is one. */
export function codePoints(text: string): number {
  return text.length - (text.match(PAIRS)?.length ?? 0)
}

const PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g

type Length = (value: Fields) => number

const points = (value: Fields, ...keys: readonly string[]): number =>
  keys.reduce((sum, key) => sum + codePoints(textAt(value, key) ?? ''), 0)

/** A text object: `{ type: 'plain_text', text }`. */
const worded = (value: unknown): number => (isFields(value) ? points(value, 'text') : 0)

const all = (items: unknown, length: Length): number => fieldsIn(items).reduce((sum, item) => sum + length(item), 0)

const confirmed = (value: unknown): number =>
  isFields(value) ? ['title', 'text', 'confirm', 'deny'].reduce((sum, key) => sum + worded(value[key]), 0) : 0

/** What stands inside of a block: buttons, pictures, texts, and the pieces of rich text. */
const element: Length = (value) => {
  switch (value['type']) {
    case 'button':
      return worded(value['text']) + points(value, 'accessibility_label') + confirmed(value['confirm'])
    case 'image':
      return points(value, 'alt_text')
    case 'emoji':
      return points(value, 'name')
    case 'user':
      return points(value, 'user_id')
    case 'link':
      // without a text the address is shown
      return points(value, textAt(value, 'text') === null ? 'url' : 'text')
  }
  return points(value, 'text') + all(value['elements'], element)
}

const cell: Length = (value) => {
  switch (value['type']) {
    case 'raw_number':
      return textAt(value, 'text') === null ? String(value['value']).length : points(value, 'text')
    case 'rich_text':
      return textLength(value)
  }
  return points(value, 'text')
}

const LENGTHS: Readonly<Record<string, Length>> = {
  section: ({ text, fields, accessory }) =>
    worded(text) + all(fields, worded) + (isFields(accessory) ? element(accessory) : 0),
  header: ({ text }) => worded(text),
  image: (block) => points(block, 'alt_text') + worded(block['title']),
  context: ({ elements }) => all(elements, element),
  actions: ({ elements }) => all(elements, element),
  rich_text: ({ elements }) => all(elements, element),
  markdown: (block) => points(block, 'text'),
  table: ({ rows }) => (Array.isArray(rows) ? rows.reduce((sum: number, row: unknown) => sum + all(row, cell), 0) : 0),
  container: ({ title, rich_text_title, subtitle, icon, child_blocks }) =>
    worded(title) +
    worded(subtitle) +
    (isFields(rich_text_title) ? textLength(rich_text_title) : 0) +
    (isFields(icon) ? element(icon) : 0) +
    all(child_blocks, textLength),
}
