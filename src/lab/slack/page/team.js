import { h } from './dom.js'

/** What people do on a box past the chat: the next deed as a button, or the line that makes the last one count. */
export function drawTeam({ target, next, restart }) {
  const name = h('code', {}, target)
  if (restart !== null) {
    const line = h('button', { type: 'button', class: 'line', dataset: { line: restart } }, h('code', {}, restart))
    return [h('span', {}, 'The team changed ', name, ', and it counts from the next start on:'), line]
  }
  if (next === null) return [h('span', {}, 'The team of ', name, ' has done all it had to.')]
  const deed = h('button', { type: 'button', class: 'button', dataset: { deed: '' }, 'data-testid': 'deed' }, next)
  return [h('span', {}, 'The team of ', name), deed]
}
