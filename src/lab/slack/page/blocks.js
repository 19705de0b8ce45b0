import { h, icon } from './dom.js'
import { mrkdwn, plain } from './mrkdwn.js'
import { markdown, richText } from './rich-text.js'

/** Block Kit as nodes. `at`: `{ ts, names }` of the message, for its buttons and mentions. */
export function drawBlocks(blocks, at) {
  return blocks.map((block, index) => {
    const draw = Object.hasOwn(DRAWINGS, block.type) ? DRAWINGS[block.type] : unknown
    const element = draw(block, at)
    element.dataset.key = `${index}:${block.type}`
    element.classList.add('block')
    return element
  })
}

const DRAWINGS = {
  header: (block) => h('h3', { class: 'heading' }, plain(block.text.text, block.text.emoji)),
  divider: () => h('hr'),
  markdown: (block, at) => markdown(block.text, at.names),
  rich_text: (block, at) => richText(block, at.names),
  section,
  context,
  actions: (block, at) =>
    h(
      'div',
      { class: 'actions', role: 'group' },
      block.elements.map((one) => button(one, at)),
    ),
  image: (block) => h('figure', {}, image(block), block.title && h('figcaption', {}, plain(block.title.text))),
  table,
  container,
}

function unknown(block) {
  return h('p', { class: 'unknown' }, `This page cannot draw a block of type ${block.type}.`)
}

/** A text object, by its type. */
function words(object, at, tag = 'div') {
  if (object.type === 'plain_text') return h(tag, { class: 'words plain' }, plain(object.text, object.emoji))
  return h(tag, { class: 'words' }, mrkdwn(object.text, at.names, object))
}

function section(block, at) {
  const accessory =
    block.accessory && (block.accessory.type === 'button' ? button(block.accessory, at) : image(block.accessory))
  return h(
    'div',
    { class: 'section' },
    h(
      'div',
      { class: 'section-words' },
      block.text && words(block.text, at),
      block.fields &&
        h(
          'div',
          { class: 'fields' },
          block.fields.map((field) => words(field, at)),
        ),
    ),
    accessory,
  )
}

function context(block, at) {
  const parts = block.elements.map((one) => (one.type === 'image' ? image(one) : words(one, at, 'span')))
  return h('div', { class: 'context' }, parts)
}

function container(block, at) {
  const title = block.rich_text_title
    ? richText(block.rich_text_title, at.names)
    : h('span', { class: 'title' }, plain(block.title.text, block.title.emoji))
  const subtitle = block.subtitle && h('span', { class: 'subtitle' }, words(block.subtitle, at, 'span'))
  const head = h('span', { class: 'head' }, title, subtitle)
  const body = h('div', { class: 'inside' }, drawBlocks(block.child_blocks, at))
  if (block.is_collapsible !== true) return h('section', { class: 'container' }, h('div', { class: 'top' }, head), body)
  const summary = h('summary', {}, icon('chevron'), head)
  return h('details', { class: 'container', open: block.default_collapsed !== true }, summary, body)
}

function table(block, at) {
  const align = (index) => block.column_settings?.[index]?.align ?? 'left'
  const cells = (row, tag) =>
    row.map((cell, index) =>
      h(tag, { class: `to-${align(index)}`, scope: tag === 'th' ? 'col' : null }, value(cell, at)),
    )
  const [first = [], ...rest] = block.rows
  const body = rest.map((row) => h('tr', {}, cells(row, 'td')))
  return h(
    'div',
    { class: 'table', tabindex: '0', role: 'region', 'aria-label': 'Table' },
    h('table', {}, h('thead', {}, h('tr', {}, cells(first, 'th'))), h('tbody', {}, body)),
  )
}

function value(cell, at) {
  if (cell.type === 'rich_text') return richText(cell, at.names)
  return cell.text
}

/** Pictures of our own server are shown; others are only named, so that reading a message fetches nothing. */
function image(block) {
  const url = URL.parse(block.image_url)
  if (url?.origin !== location.origin) return h('span', { class: 'picture-elsewhere' }, `Picture: ${block.alt_text}`)
  return h('img', { src: url.href, alt: block.alt_text, loading: 'lazy' })
}

/** What is pressed is read from these attributes, so that a redrawn button needs no new listener. */
function button(element, at) {
  return h(
    'button',
    {
      type: 'button',
      class: `button ${element.style ?? ''}`,
      'aria-label': element.accessibility_label,
      dataset: {
        press: at.ts,
        action: element.action_id,
        value: element.value,
        confirm: element.confirm && JSON.stringify(element.confirm),
      },
    },
    plain(element.text.text, element.text.emoji),
  )
}
