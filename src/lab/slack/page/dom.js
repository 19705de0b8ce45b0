/**
 * Makes an element. `props`: attributes by name; `dataset` and null values are understood. Texts become text nodes:
 * nothing on this page is ever read as HTML.
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag)
  const { dataset = {}, ...attributes } = props
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value)
  for (const [name, value] of Object.entries(dataset)) {
    if (value !== null && value !== undefined) element.dataset[name] = value
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== ''))
  return element
}

/** One of the drawings at the top of index.html. */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use')
  use.setAttribute('href', `#icon-${name}`)
  svg.setAttribute('aria-hidden', 'true')
  svg.setAttribute('class', `icon icon-${name}`)
  svg.append(use)
  return svg
}

/** Makes `from` look like `to` and keeps what the reader did: open sections, focus, selection, scroll. */
export function morph(from, to) {
  if (from.nodeType !== to.nodeType || from.nodeName !== to.nodeName || from.dataset?.key !== to.dataset?.key) {
    from.replaceWith(to)
    return
  }
  if (from.nodeType === Node.TEXT_NODE) {
    if (from.data !== to.data) from.data = to.data
    return
  }
  morphAttributes(from, to)
  const wanted = [...to.childNodes]
  wanted.forEach((child, index) => {
    const present = from.childNodes[index]
    if (present === undefined) from.append(child)
    else morph(present, child)
  })
  while (from.childNodes.length > wanted.length) from.lastChild.remove()
}

function morphAttributes(from, to) {
  const keep = from.nodeName === 'DETAILS' ? ['open'] : []
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !keep.includes(name)) from.removeAttribute(name)
  }
  for (const { name, value } of [...to.attributes]) {
    if (!keep.includes(name) && from.getAttribute(name) !== value) from.setAttribute(name, value)
  }
}

function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) return
  element.setAttribute(name, value === true ? '' : String(value))
}
