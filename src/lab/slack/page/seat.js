import { h } from './dom.js'

/** Who sits at this page and in which channel: two lists in the bar. Another choice is another address. */
export function drawSeat({ viewer, seats, room, rooms }) {
  fill('seat', seats, viewer)
  fill('room', rooms, room)
}

/** What the server is told with everything that is typed and pressed. */
export function seatIn({ viewer, room }) {
  return { as: viewer, in: room }
}

for (const id of ['seat', 'room']) document.getElementById(id).addEventListener('change', move)

function move() {
  const chosen = (id) => document.getElementById(id).value
  location.search = String(new URLSearchParams({ as: chosen('seat'), in: chosen('room') }))
}

function fill(id, all, chosen) {
  const options = all.map((one) => h('option', { value: one.id, selected: one.id === chosen }, one.name))
  document.getElementById(id).replaceChildren(...options)
}
