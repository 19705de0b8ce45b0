import type { Check } from './checks.ts'
import { address, both, flag, kinds, list, number, object, oneOf, rule, text } from './checks.ts'
import { isFields } from './json.ts'
import { CONTAINER_CHILDREN, LIMITS } from './limits.ts'

const is = (type: string) => ({ type: oneOf(type) })
const id = { block_id: text(LIMITS.blockId) }

function plain(max: number): Check {
  return object({ ...is('plain_text'), text: text(max) }, { emoji: flag })
}

function mrkdwn(max: number): Check {
  return object({ ...is('mrkdwn'), text: text(max) }, { verbatim: flag })
}

function words(max: number): Check {
  return kinds({ plain_text: plain(max), mrkdwn: mrkdwn(max) })
}

const confirm = object(
  {
    title: plain(LIMITS.confirm.title),
    text: words(LIMITS.confirm.text),
    confirm: plain(LIMITS.confirm.answer),
    deny: plain(LIMITS.confirm.answer),
  },
  { style: oneOf('primary', 'danger') },
)

const button = object(
  { ...is('button'), text: plain(LIMITS.button.text) },
  {
    action_id: text(LIMITS.actionId),
    value: text(LIMITS.button.value),
    url: address(LIMITS.button.url),
    style: oneOf('primary', 'danger'),
    accessibility_label: text(LIMITS.button.label),
    confirm,
  },
)

const picture = object({
  ...is('image'),
  alt_text: text(LIMITS.image.alt),
  image_url: address(LIMITS.image.url),
})

const section = both(
  object(is('section'), {
    ...id,
    text: words(LIMITS.section.text),
    fields: list(words(LIMITS.section.field), LIMITS.section.fields),
    accessory: kinds({ button, image: picture }),
    expand: flag,
  }),
  rule((value) => isFields(value) && (value['text'] ?? value['fields']) !== undefined, 'missing required field: text'),
)

const style = object({}, { bold: flag, italic: flag, strike: flag, code: flag })
const richText = object({ ...is('text'), text: text(LIMITS.blockText) }, { style })
const richLink = object(
  { ...is('link'), url: text(LIMITS.button.url) },
  { text: text(LIMITS.blockText), style, unsafe: flag },
)
const richInline = kinds({
  text: richText,
  link: richLink,
  emoji: object({ ...is('emoji'), name: text(100) }, { unicode: text(50) }),
  user: object({ ...is('user'), user_id: text(30) }, { style }),
})
const richSection = object({ ...is('rich_text_section'), elements: list(richInline, 1_000, 0) })
const rich = object(
  {
    ...is('rich_text'),
    elements: list(
      kinds({
        rich_text_section: richSection,
        rich_text_preformatted: object(
          { ...is('rich_text_preformatted'), elements: list(kinds({ text: richText, link: richLink }), 1_000) },
          { border: number, language: text(50) },
        ),
        rich_text_quote: object({ ...is('rich_text_quote'), elements: list(richInline, 1_000) }, { border: number }),
        rich_text_list: object(
          { ...is('rich_text_list'), style: oneOf('bullet', 'ordered'), elements: list(richSection, 1_000) },
          { indent: number, offset: number, border: number },
        ),
      }),
      1_000,
    ),
  },
  id,
)

const cell = kinds({
  raw_text: object({ ...is('raw_text'), text: text(LIMITS.blockText) }),
  raw_number: object({ ...is('raw_number'), value: number, text: text(LIMITS.section.text) }),
  rich_text: rich,
})

const table = object(
  { ...is('table'), rows: list(list(cell, LIMITS.table.columns), LIMITS.table.rows) },
  {
    ...id,
    column_settings: list(
      object({}, { align: oneOf('left', 'center', 'right'), is_wrapped: flag }),
      LIMITS.table.columns,
      0,
    ),
  },
)

const simple: Readonly<Record<string, Check>> = {
  section,
  table,
  header: object({ ...is('header'), text: plain(LIMITS.header) }, id),
  divider: object(is('divider'), id),
  image: object(
    { ...is('image'), alt_text: text(LIMITS.image.alt), image_url: address(LIMITS.image.url) },
    { ...id, title: plain(LIMITS.image.title) },
  ),
  context: object(
    {
      ...is('context'),
      elements: list(
        kinds({ plain_text: plain(LIMITS.context.text), mrkdwn: mrkdwn(LIMITS.context.text), image: picture }),
        LIMITS.context.elements,
      ),
    },
    id,
  ),
  actions: object({ ...is('actions'), elements: list(kinds({ button }), LIMITS.actions) }, id),
}

const childTypes: readonly string[] = CONTAINER_CHILDREN
const children = Object.fromEntries(Object.entries(simple).filter(([type]) => childTypes.includes(type)))

const container = both(
  object(
    { ...is('container'), child_blocks: list(kinds(children), LIMITS.container.children) },
    {
      ...id,
      title: plain(LIMITS.container.title),
      rich_text_title: rich,
      subtitle: words(LIMITS.container.subtitle),
      width: oneOf('narrow', 'standard', 'wide', 'full'),
      icon: picture,
      is_collapsible: flag,
      default_collapsed: flag,
      has_header_divider: flag,
    },
  ),
  rule(
    (value) => isFields(value) && (value['title'] ?? value['rich_text_title']) !== undefined,
    'missing required field: title',
  ),
  rule(
    (value) => isFields(value) && !(value['default_collapsed'] === true && value['is_collapsible'] !== true),
    'default_collapsed requires is_collapsible',
  ),
  rule(
    (value) => isFields(value) && !(value['has_header_divider'] === true && value['is_collapsible'] === true),
    'has_header_divider is not allowed with is_collapsible',
  ),
)

/** A block of a message. What is not named here, the stand-in refuses: `alert` and `file` are refused by Slack too. */
export const messageBlock: Check = kinds({
  ...simple,
  container,
  rich_text: rich,
  markdown: object({ ...is('markdown'), text: text(LIMITS.markdown) }, id),
})

const { table: _, ...ofViews } = simple
const level = oneOf('default', 'info', 'warning', 'error', 'success')

/** A block of a modal or a home tab: tables, containers and markdown are of messages only, alerts of modals only. */
export const viewBlock: Check = kinds({
  ...ofViews,
  rich_text: rich,
  alert: object({ ...is('alert'), text: words(LIMITS.alert) }, { ...id, level }),
  input: object(
    { ...is('input'), label: plain(LIMITS.input.label), element: rule(isFields, 'must be an object') },
    { ...id, hint: plain(LIMITS.input.hint), optional: flag, dispatch_action: flag },
  ),
})
