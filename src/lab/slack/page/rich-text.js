import { h } from './dom.js'
import { emoji } from './emoji.js'
import { link, mrkdwn } from './mrkdwn.js'

/** A rich_text block: sections, lists, quotes and preformatted text. Its texts are literal. */
export function richText(block, names) {
  return h(
    'div',
    { class: 'rich' },
    block.elements.map((element) => part(element, names)),
  )
}

function part(element, names) {
  const inner = element.elements.map((one) => (one.elements === undefined ? leaf(one, names) : part(one, names)))
  if (element.type === 'rich_text_preformatted') return h('pre', {}, inner)
  if (element.type === 'rich_text_quote') return h('blockquote', {}, inner)
  if (element.type === 'rich_text_list') {
    const items = inner.map((item) => h('li', {}, item))
    return h(element.style === 'ordered' ? 'ol' : 'ul', {}, items)
  }
  return h('p', {}, inner)
}

function leaf(element, names) {
  if (element.type === 'link') return link(element.url, element.text ?? element.url)
  if (element.type === 'emoji') return emoji(element.name) ?? `:${element.name}:`
  if (element.type === 'user') return h('span', { class: 'mention' }, `@${names[element.user_id] ?? element.user_id}`)
  const { bold, italic, strike, code } = element.style ?? {}
  const tags = [bold && 'strong', italic && 'em', strike && 's', code && 'code'].filter(Boolean)
  return tags.reduce((node, tag) => h(tag, {}, node), element.text)
}

/** The markdown block, as far as an operator's message needs it. Slack reads `<…>` in it too. */
export function markdown(text, names) {
  const slack = text
    .replace(/^#{1,6}\s+(.*)$/gm, '*$1*')
    .replace(/\*\*([^*\n]+)\*\*/g, '*$1*')
    .replace(/^[-*]\s+/gm, '• ')
    .replace(/\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)/g, '<$2|$1>')
  return h('div', { class: 'words' }, mrkdwn(slack, names))
}
