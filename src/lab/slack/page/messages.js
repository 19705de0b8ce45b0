import { drawBlocks } from './blocks.js'
import { h, icon } from './dom.js'
import { mrkdwn } from './mrkdwn.js'

/** The messages of a thread: the first, how many follow, and these. */
export function drawThread(parent, replies, state) {
  const quiet = { ...state, replies: null, open: false }
  const line = h('p', { class: 'replies-follow', dataset: { key: 'replies' } }, countOf(replies))
  const drawn = replies.map((reply, index) => {
    return drawMessage(reply, { ...quiet, again: index > 0 && goesOn(replies[index - 1], reply) })
  })
  return [drawMessage(parent, quiet), ...(replies.length === 0 ? [] : [line]), ...drawn]
}

/** Whether a message needs no name of its own. One with a heading begins something new. */
function goesOn(before, message) {
  const isNew = message.blocks[0]?.type === 'header'
  return !isNew && before.user === message.user && before.onlyFor === message.onlyFor
}

/** One message. `state`: people's names, the replies to it (null inside a thread) and whether its thread is open. */
export function drawMessage(message, state) {
  const at = { ts: message.ts, names: state.names }
  const author = state.people[message.user]
  const body = message.blocks.length > 0 ? drawBlocks(message.blocks, at) : said(message, at)
  const kinds = {
    'only-you': message.onlyFor !== null,
    open: state.open,
    again: state.again === true,
  }
  const kind = Object.keys(kinds).filter((name) => kinds[name])
  return h(
    'article',
    { class: ['message', ...kind].join(' '), dataset: { ts: message.ts, key: message.ts } },
    face(message.user, author),
    h(
      'div',
      { class: 'body' },
      h(
        'header',
        {},
        h('span', { class: 'author' }, author?.name ?? message.user),
        author?.bot ? h('span', { class: 'app' }, 'app') : null,
        time(message.ts),
      ),
      message.onlyFor === null ? null : h('p', { class: 'note' }, icon('eye'), 'Only visible to you'),
      h('div', { class: 'blocks' }, body),
      message.files.map(drawFile),
      message.reactions.length === 0
        ? null
        : h('p', { class: 'reactions' }, mrkdwn(message.reactions.map((one) => `:${one}:`).join(' '), {})),
      state.replies === null ? null : threadLink(message, state.replies),
    ),
  )
}

function said(message, at) {
  return message.text === '' ? null : h('div', { class: 'words block' }, mrkdwn(message.text, at.names))
}

function face(id, author) {
  if (id === 'U0PILOT') return h('span', { class: 'face flame', 'aria-hidden': 'true' }, icon('flame'))
  return h(
    'span',
    { class: `face ${author?.bot ? 'quiet' : ''}`, 'aria-hidden': 'true' },
    (author?.name ?? '?').slice(0, 1),
  )
}

/** `1700000000.000100` as the local time of day. */
function time(ts) {
  const date = new Date(Number(ts) * 1000)
  const short = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  return h('time', { datetime: date.toISOString(), title: date.toLocaleString() }, short)
}

function threadLink(message, replies) {
  if (replies.length === 0) {
    return message.onlyFor === null
      ? h(
          'button',
          { type: 'button', class: 'thread-link quiet', dataset: { thread: message.ts } },
          icon('reply'),
          'Reply in thread',
        )
      : null
  }
  return h(
    'button',
    { type: 'button', class: 'thread-link', dataset: { thread: message.ts } },
    icon('thread'),
    countOf(replies),
  )
}

function countOf(replies) {
  return `${replies.length} ${replies.length === 1 ? 'reply' : 'replies'}`
}

function drawFile(file) {
  const size = file.size < 1024 ? `${file.size} bytes` : `${Math.round(file.size / 1024)} KiB`
  const preview = file.picture
    ? h('img', { src: file.url, alt: file.title, loading: 'lazy' })
    : h('pre', { class: 'preview' }, file.preview)
  return h(
    'div',
    { class: 'file' },
    h(
      'a',
      { href: file.url, target: '_blank', rel: 'noopener' },
      icon('file'),
      h('span', { class: 'name' }, file.title),
      h('span', { class: 'size' }, size),
    ),
    preview,
  )
}
