/**
 * Slack's event text as a person would have typed it (slack.md 3): links become what they show where that is the same
 * host, else their address, so that a label never hides where it leads; mentions stay literal; entities are decoded
 * once, in the same pass, so that `&amp;lt;` is the text `&lt;`.
 */
export function decoded(text: string): string {
  return text.replace(/<([^<>]*)>|&(amp|lt|gt);/g, (whole, inside: string | undefined, entity: string | undefined) => {
    if (entity !== undefined) return CHARACTERS[entity] ?? whole
    return inside === undefined || /^[@#!]/.test(inside) ? whole : linked(inside)
  })
}

/** The text after the mentions it begins with, `<@U000BOT>  gpu status`; where it begins with none, before the last: `status <@U000BOT>`. */
export function withoutMention(text: string): string {
  const after = text.replace(/^(?:[\s\u200B-\u200F\u2060\uFEFF]*<@[A-Z0-9]+(?:\|[^<>]*)?>[:,]?)+/, '')
  return after === text ? text.replace(/<@[A-Z0-9]+(?:\|[^<>]*)?>\s*(?:[.!?]\s*)?$/, '') : after
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }

function linked(inside: string): string {
  const bar = inside.indexOf('|')
  const address = plain(bar === -1 ? inside : inside.slice(0, bar))
  const label = bar === -1 ? '' : plain(inside.slice(bar + 1))
  return label !== '' && showsItsHost(label, address) ? label : address.replace(/^mailto:(?=[^@]+@)/, '')
}

function plain(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (whole, entity: string) => CHARACTERS[entity] ?? whole)
}

function showsItsHost(label: string, address: string): boolean {
  if (/\s|@/.test(label)) return false
  const shown = URL.parse(label.includes('://') ? label : `http://${label}`)
  const real = URL.parse(address)
  return shown !== null && real !== null && real.host !== '' && shown.host === real.host
}
