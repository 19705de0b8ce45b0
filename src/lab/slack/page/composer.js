import { createSuggestions } from './suggestions.js'

const HIGHEST = 180

/**
 * A text field that sends on Enter (Shift+Enter: a new line), completes commands and remembers what was sent.
 * `send(text)` says whether it went; `offers(text)` gives what to suggest (see suggestions.js).
 */
export function createComposer(form, { send, offers = () => [] }) {
  const field = form.querySelector('textarea')
  const box = form.querySelector('.suggestions')
  const history = createHistory()
  const set = (text) => {
    field.value = text
    field.style.height = 'auto'
    field.style.height = `${Math.min(field.scrollHeight, HIGHEST)}px`
  }
  const write = (text) => {
    set(text)
    suggestions?.show(offers(text))
    field.focus()
    field.setSelectionRange(text.length, text.length)
  }
  const suggestions = box === null ? null : createSuggestions(box, field, write)
  const submit = async () => {
    const text = field.value.trim()
    if (text === '') return
    set('')
    suggestions?.show([])
    if (await send(text)) history.add(text)
    else write(text)
  }
  const recall = (step) => {
    const text = history.walk(field.value, step)
    if (text !== null) set(text)
    return text !== null
  }
  const keys = keysFor({ field, suggestions, write, submit, recall })

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
  field.addEventListener('input', () => {
    set(field.value)
    suggestions?.show(offers(field.value))
  })
  field.addEventListener('blur', () => suggestions?.show([]))
  field.addEventListener('keydown', (event) => {
    if (!event.isComposing && keys[event.key]?.(event)) event.preventDefault()
  })
  return { write, focus: () => field.focus() }
}

/** What a key does; true where the browser must not do its own. */
function keysFor({ field, suggestions, write, submit, recall }) {
  const move = (step) => {
    if (suggestions?.isOpen() !== true) return recall(step)
    suggestions.move(step)
    return true
  }
  const complete = () => {
    const text = suggestions?.chosen() ?? null
    if (text !== null) write(text)
    return text !== null
  }
  return {
    Enter(event) {
      if (event.shiftKey) return false
      const isHalfWord = !field.value.includes(' ') && suggestions?.chosen()?.trimEnd() !== field.value
      if (!(isHalfWord && complete())) void submit()
      return true
    },
    Tab: (event) => !event.shiftKey && complete(),
    ArrowUp: () => move(-1),
    ArrowDown: () => move(1),
    Escape() {
      const open = suggestions?.isOpen() === true
      suggestions?.show([])
      return open
    },
  }
}

/** What was sent, for the arrow keys; walking begins only in an empty field. */
function createHistory() {
  const sent = []
  let at = 0
  return {
    add(text) {
      sent.push(text)
      at = sent.length
    },
    walk(now, step) {
      if (now === '') at = sent.length
      else if (now !== sent[at]) return null
      at = Math.max(0, Math.min(sent.length, at + step))
      return sent[at] ?? ''
    },
  }
}
