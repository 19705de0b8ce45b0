/**
 * A moment as logs and tools write it, in ms since 1970; null where none is found. Without a zone it counts as UTC, so
 * that moments of one clock can be compared. `2026-01-02 09:00:00`, `2026-01-02T09:00:00.5+02:00`, epoch seconds.
 */
export function momentIn(text: string): number | null {
  const [, date, time, fraction = '', zone = ''] = ISO.exec(text) ?? []
  if (date !== undefined && time !== undefined)
    return parsed(`${date.replaceAll('/', '-')}T${time}${fraction.replace(',', '.')}${zoneOf(zone)}`)
  const [, seconds] = /^\s*(1[5-9]\d{8}|2\d{9})(?:\.\d+)?\s*$/.exec(text) ?? []
  return seconds === undefined ? null : 1000 * Number(seconds)
}

const ISO =
  /(?<!\d)(20\d\d[-/](?:0[1-9]|1[0-2])[-/](?:0[1-9]|[12]\d|3[01]))[T ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)([.,]\d{1,9})?(?: ?(Z\b|UTC\b|[+-]\d\d:?\d\d))?/

function zoneOf(zone: string): string {
  return zone === '' || zone === 'UTC' ? 'Z' : zone
}

function parsed(text: string): number | null {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? null : ms
}
