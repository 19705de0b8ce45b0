import { h } from './dom.js'

/**
 * The list above a text field. An entry: `{ insert, label, about }`; `insert: null` is a hint that cannot be chosen.
 * Follows the combobox pattern: the field keeps the focus and names the chosen entry.
 */
export function createSuggestions(box, field, take) {
  let shown = []
  let chosen = -1
  const draw = () => {
    box.hidden = shown.length === 0
    field.setAttribute('aria-expanded', String(!box.hidden))
    if (chosen < 0) field.removeAttribute('aria-activedescendant')
    else field.setAttribute('aria-activedescendant', idOf(box, chosen))
    box.replaceChildren(...shown.map((one, index) => drawEntry(one, index, index === chosen, box)))
  }
  box.addEventListener('mousedown', (event) => {
    event.preventDefault()
    const entry = shown[Number(event.target.closest('[role=option]')?.dataset.index)]
    if (entry !== undefined) take(entry.insert)
  })
  return {
    show(list) {
      shown = list
      // a line that may be sent as it is has no better one beside it
      chosen = field.value.includes(' ') ? -1 : list.findIndex((one) => one.insert !== null)
      draw()
    },
    move(step) {
      const places = shown.flatMap((one, index) => (one.insert === null ? [] : [index]))
      chosen = places.at((places.indexOf(chosen) + step) % places.length) ?? -1
      draw()
    },
    isOpen: () => shown.some((one) => one.insert !== null),
    /** What the chosen entry would write; null where none is chosen. */
    chosen: () => shown[chosen]?.insert ?? null,
  }
}

function drawEntry({ insert, label, about }, index, isChosen, box) {
  const words = [h('span', { class: 'label' }, label), h('span', { class: 'about' }, about)]
  if (insert === null) return h('div', { class: 'hint' }, words)
  const at = { id: idOf(box, index), dataset: { index: String(index) } }
  return h('div', { ...at, class: 'offer', role: 'option', 'aria-selected': String(isChosen) }, words)
}

function idOf(box, index) {
  return `${box.id}-${index}`
}
