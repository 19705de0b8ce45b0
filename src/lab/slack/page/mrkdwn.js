import { h } from './dom.js'
import { emoji } from './emoji.js'

/** Slack's mrkdwn as nodes. What Slack would make a mention or a link is one here too, so that an injection shows. */
export function mrkdwn(text, names, { verbatim = false } = {}) {
  const look = { names, verbatim }
  return text
    .split(/(```[\s\S]*?```)/)
    .filter((part) => part !== '')
    .flatMap((part) => {
      const fence = /^```\n?([\s\S]*?)\n?```$/.exec(part)
      return fence === null ? quotes(part, look) : [h('pre', {}, tokens(fence[1], look))]
    })
}

/** plain_text: no tokens, no markup; short names of emoji unless they are turned off. */
export function plain(text, withEmoji = true) {
  return withEmoji ? text.split(SHORT_NAME).map((part, index) => (index % 2 === 0 ? part : picture(part))) : [text]
}

/** Only `&amp; &lt; &gt;` are entities in Slack; the ampersand comes last. */
export function decode(text) {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** A link that opens outside and tells nobody where it was pressed. Other schemes than these stay words. */
export function link(url, label) {
  if (!/^(https?:\/\/|mailto:)/i.test(url)) return label
  return h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, label)
}

const SHORT_NAME = /:([a-z0-9_+-]+):/g
const INLINE =
  /`([^`\n]+)`|<([^<>\n]+)>|(?<![\w*])\*([^*\n]+)\*(?![\w*])|(?<![\w_])_([^_\n]+)_(?![\w_])|(?<![\w~])~([^~\n]+)~(?![\w~])|:([a-z0-9_+-]+):|(\bhttps?:\/\/[^\s<>|]+)/g
const TOKEN = /<([^<>\n]+)>/g

function quotes(text, look) {
  const groups = []
  for (const line of text.split('\n')) {
    const quoted = /^(?:&gt;|>)\s?(.*)$/.exec(line)
    const last = groups.at(-1)
    const kind = quoted !== null
    const words = quoted === null ? line : quoted[1]
    if (last?.kind === kind) last.lines.push(words)
    else groups.push({ kind, lines: [words] })
  }
  return groups.flatMap(({ kind, lines }) => {
    const nodes = inline(lines.join('\n'), look)
    return kind ? [h('blockquote', {}, nodes)] : nodes
  })
}

function inline(text, look) {
  return pieces(text, INLINE, (match) => {
    const [whole, code, token, bold, italic, strike, short, address] = match
    if (code !== undefined) return h('code', {}, tokens(code, look))
    if (token !== undefined) return reference(token, look.names) ?? decode(whole)
    if (bold !== undefined) return h('strong', {}, inline(bold, look))
    if (italic !== undefined) return h('em', {}, inline(italic, look))
    if (strike !== undefined) return h('s', {}, inline(strike, look))
    if (short !== undefined) return picture(short)
    return look.verbatim ? decode(whole) : link(decode(address), decode(address))
  })
}

/** Inside code only the `<…>` tokens are alive, as in Slack. */
function tokens(text, look) {
  return pieces(text, TOKEN, ([whole, token]) => reference(token, look.names) ?? decode(whole))
}

function pieces(text, pattern, draw) {
  const nodes = []
  let from = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) nodes.push(decode(text.slice(from, match.index)))
    nodes.push(draw(match))
    from = match.index + match[0].length
  }
  if (from < text.length) nodes.push(decode(text.slice(from)))
  return nodes
}

/** `!channel`, `@U0ANNA`, `#C0GPU`, `https://…|label`; null where Slack knows no such token. */
function reference(token, names) {
  const [target, label] = token.split(/\|(.*)/s)
  if (/^!(channel|here|everyone)$/.test(target)) return h('span', { class: 'mention loud' }, `@${target.slice(1)}`)
  if (/^!subteam\^/.test(target)) return h('span', { class: 'mention loud' }, label ?? `@${target.slice(9)}`)
  if (/^!date\^/.test(target)) return decode(label ?? target)
  if (/^@[UW]\w+$/.test(target)) {
    return h('span', { class: 'mention' }, `@${names[target.slice(1)] ?? label ?? target.slice(1)}`)
  }
  if (/^#C\w+$/.test(target)) return h('span', { class: 'mention' }, `#${label ?? target.slice(1)}`)
  if (/^(https?:\/\/|mailto:)/i.test(target)) return link(decode(target), decode(label ?? target))
  return null
}

function picture(name) {
  const sign = emoji(name)
  return sign === null
    ? `:${name}:`
    : h('span', { class: 'emoji', role: 'img', 'aria-label': name, dataset: { name } }, sign)
}
