/** Reads a time span as systemd prints it, in ms: `1min 30s`, `500ms`; null for `infinity` and for what is none. */
export function timeSpanMs(text: string): number | null {
  const parts = text.split(' ').map(partMs)
  const known = parts.filter((part) => part !== null)
  return known.length === parts.length ? known.reduce((sum, part) => sum + part, 0) : null
}

function partMs(part: string): number | null {
  const [, number = '', unit = 's'] = /^(\d{1,12}(?:\.\d{1,6})?)([a-z]{1,5})?$/.exec(part) ?? []
  const ms = UNITS.get(unit)
  return number === '' || ms === undefined ? null : Number(number) * ms
}

const DAY = 86_400_000

/** Months and years have systemd's lengths (systemd.time(7)). */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['us', 0.001],
  ['ms', 1],
  ['s', 1000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', DAY],
  ['w', 7 * DAY],
  ['month', 30.44 * DAY],
  ['y', 365.25 * DAY],
])
