import { h } from './dom.js'

/**
 * What people do on a box past the chat: the next deed as a button, or the line that makes the last one count. Once nothing
 * is left to them: the line that shows whether it was enough.
 */
export function drawTeam({ target, next, restart, proof }) {
  const name = h('code', {}, target)
  if (restart !== null) {
    return [h('span', {}, 'The team changed ', name, ', and it counts from the next start on:'), lineOf(restart)]
  }
  if (proof !== null) {
    const first = h('span', {}, 'The team of ', name, ' has done its part. The proof is yours:')
    return [first, lineOf(proof), h('span', {}, 'then Retry ×2 budget in its thread.')]
  }
  if (next === null) return [h('span', {}, 'The story of ', name, ' is told: its model has answered.')]
  const deed = h('button', { type: 'button', class: 'button', dataset: { deed: '' }, 'data-testid': 'deed' }, next)
  return [h('span', {}, 'The team of ', name), deed]
}

/** A line that is written where one types. */
function lineOf(line) {
  return h('button', { type: 'button', class: 'line', dataset: { line } }, h('code', {}, line))
}
