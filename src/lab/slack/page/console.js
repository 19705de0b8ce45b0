import { createComposer } from './composer.js'
import { morph } from './dom.js'
import { drawMessage, drawThread } from './messages.js'
import { drawSeat, seatIn } from './seat.js'
import { drawTeam } from './team.js'
import { drawWelcome, offersFor } from './welcome.js'

const place = (id) => document.getElementById(id)
const messages = new Map()
const state = {
  people: {},
  names: {},
  commands: [],
  examples: [],
  thread: null,
  chase: false,
  expects: false,
  follows: new Set(),
}

const composer = createComposer(place('composer'), {
  offers: (text) => offersFor(text, state),
  send(text) {
    if (text.startsWith('/')) state.expects = true
    return post('/say', { text, thread: null })
  },
})
const reply = createComposer(place('thread-composer'), {
  send(text) {
    state.chase = true
    return post('/say', { text, thread: state.thread })
  },
})

listen()
document.addEventListener('click', (event) => {
  const pressed = event.target.closest('button')
  if (pressed?.dataset.press !== undefined) void press(pressed)
  else if (pressed?.dataset.thread !== undefined) openThread(pressed.dataset.thread)
  else if (pressed?.dataset.line !== undefined) composer.write(pressed.dataset.line)
  else if (pressed?.dataset.deed !== undefined) void deed(pressed)
})
place('thread-close').addEventListener('click', closeThread)
place('thread-scroll').addEventListener('wheel', () => {
  state.chase = false
})
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.defaultPrevented && !place('confirm').open) closeThread()
})

/** Follows the server: everything at first, then every change. The browser reconnects by itself. */
function listen() {
  const live = new EventSource(`/live${location.search}`)
  live.addEventListener('hello', ({ data }) => {
    const { messages: all, connections, people, ...rest } = JSON.parse(data)
    const names = Object.fromEntries(people.map((person) => [person.id, person.name]))
    Object.assign(state, rest, { people: Object.fromEntries(people.map((person) => [person.id, person])), names })
    messages.clear()
    for (const message of all) messages.set(message.ts, message)
    drawSeat(state)
    showTeam(state.team)
    place('composer').hidden = state.rooms.some(({ id, archived }) => id === state.room && archived)
    place('welcome').replaceChildren(drawWelcome(state))
    tellConnections(connections)
    const asked = decodeURIComponent(location.hash.slice(1))
    if (!messages.has(state.thread)) closeThread()
    if (messages.has(asked)) openThread(asked)
    else composer.focus()
    draw()
  })
  live.addEventListener('put', ({ data }) => put(JSON.parse(data)))
  live.addEventListener('gone', ({ data }) => {
    const { ts } = JSON.parse(data)
    messages.delete(ts)
    if (ts === state.thread) closeThread()
    draw()
  })
  live.addEventListener('team', ({ data }) => showTeam(JSON.parse(data)))
  live.addEventListener('connections', ({ data }) => tellConnections(JSON.parse(data)))
  live.addEventListener('error', () => tell('lost', 'The console lost its server. Is npm start still running?'))
}

function put(message) {
  messages.set(message.ts, message)
  if (state.expects && isRun(message)) {
    state.expects = false
    state.follows.add(message.ts)
  }
  if (state.follows.has(message.thread) && isWide()) {
    state.follows.delete(message.thread)
    openThread(message.thread)
  }
  draw()
}

/** The first sign of what was asked for. Its thread is opened once there is something in it. */
function isRun({ user, thread, onlyFor }) {
  return thread === null && onlyFor === null && state.people[user]?.bot === true
}

/** There is room for a thread beside the channel. */
function isWide() {
  return matchMedia('(min-width: 900px)').matches
}

function tellConnections(count) {
  if (count > 0) tell('on', 'Pilotflame is connected')
  else tell('off', 'Waiting for Pilotflame to connect …')
}

function tell(kind, text) {
  place('state').textContent = text
  place('state').dataset.kind = kind
}

function draw() {
  const all = [...messages.values()].sort((a, b) => a.ts.localeCompare(b.ts))
  const repliesTo = (ts) => all.filter((message) => message.thread === ts)
  const top = all.filter((message) => message.thread === null)
  place('welcome').hidden = top.length > 0
  const scroll = place('channel-scroll')
  const isAtEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 60
  const about = ({ ts }) => ({ ...state, replies: repliesTo(ts), open: ts === state.thread })
  drawList(
    place('channel'),
    top.map((message) => drawMessage(message, about(message))),
  )
  if (isAtEnd && top.length > 0) toEnd(scroll)
  if (state.thread === null) return
  const parent = messages.get(state.thread)
  drawList(place('thread'), drawThread(parent, repliesTo(state.thread), state))
  if (state.chase) toEnd(place('thread-scroll'))
}

function toEnd(scroll) {
  scroll.scrollTop = scroll.scrollHeight
}

/** Redraws a list in place. */
function drawList(list, drawn) {
  const present = new Map([...list.children].map((child) => [child.dataset.key, child]))
  for (const [index, wanted] of drawn.entries()) {
    const old = present.get(wanted.dataset.key)
    if (old === undefined) list.insertBefore(wanted, list.children[index] ?? null)
    else morph(old, wanted)
    present.delete(wanted.dataset.key)
  }
  for (const gone of present.values()) gone.remove()
}

function openThread(ts) {
  if (state.thread !== ts) place('thread').replaceChildren()
  state.thread = ts
  state.chase = false
  place('thread-pane').hidden = false
  document.body.classList.add('with-thread')
  history.replaceState(null, '', `#${ts}`)
  draw()
  place('thread-scroll').scrollTop = 0
  if (!isWide()) reply.focus()
}

function closeThread() {
  if (state.thread === null) return
  state.thread = null
  place('thread-pane').hidden = true
  document.body.classList.remove('with-thread')
  history.replaceState(null, '', `${location.pathname}${location.search}`)
  draw()
  composer.focus()
}

async function press(button) {
  const { press: ts, action, value = null, confirm } = button.dataset
  if (confirm !== undefined && !(await isConfirmed(JSON.parse(confirm)))) return
  state.chase = place('thread').contains(button)
  button.setAttribute('aria-busy', 'true')
  const done = await post('/press', { ts, action_id: action, value })
  button.removeAttribute('aria-busy')
  if (!done) say('That button is no longer there: the message has changed.')
}

/** The team does what the button says; its message and the next button come by the stream. */
async function deed(button) {
  button.disabled = true
  if (!(await post('/team', {}))) button.disabled = false
}

function showTeam(team) {
  place('team').hidden = team === null
  if (team !== null) place('team').replaceChildren(...drawTeam(team))
}

function isConfirmed({ title, text, confirm, deny, style = 'primary' }) {
  const dialog = place('confirm')
  for (const [id, words] of Object.entries({ title, text, yes: confirm, no: deny })) {
    place(`confirm-${id}`).textContent = words.text
  }
  place('confirm-yes').className = `button ${style}`
  dialog.returnValue = 'no'
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true })
  })
}

/** Whether the server took it. */
async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, ...seatIn(state) }),
    })
    return response.ok
  } catch {
    say('Not sent: the console lost its server. Is npm start still running?')
    return false
  }
}

function say(text) {
  const toast = place('toast')
  toast.textContent = text
  toast.hidden = false
  setTimeout(() => {
    toast.hidden = true
  }, 6_000)
}
