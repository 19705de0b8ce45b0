import type { Person } from './cast.ts'

/** What Slack makes of a typed message: entities encoded, `@name` as a mention, web addresses as links. */
export function encode(typed: string, people: readonly Person[]): string {
  const escaped = typed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return escaped
    .replace(/(?<![\w@])@([a-z][\w.-]*)/gi, (whole, name: string) => {
      const person = people.find((one) => one.name === name.toLowerCase())
      return person === undefined ? whole : `<@${person.id}>`
    })
    .replace(/\bhttps?:\/\/[^\s<>]+/g, (url) => `<${url}>`)
}
