/** How much of a limit one character takes. */
type Cost = (character: string) => number

const ONE: Cost = () => 1

/** Without any of these, a text has as many code points as units. */
const SURROGATE = /[\ud800-\udfff]/

/** Code points, which is what Slack counts. */
export function lengthOf(text: string, cost: Cost = ONE): number {
  if (cost === ONE && !SURROGATE.test(text)) return text.length
  let length = 0
  for (const character of text) length += cost(character)
  return length
}

/** At most `max` code points, with an ellipsis where something is missing. */
export function cut(text: string, max: number, cost: Cost = ONE): string {
  return endOfHead(text, max, cost) === text.length ? text : `${text.slice(0, endOfHead(text, max - 1, cost))}…`
}

export interface Shown {
  /** what is shown before the gap, each piece within the limit; everything where there is no gap */
  readonly head: readonly string[]
  /** null where nothing was left out */
  readonly gap: { readonly characters: number; readonly tail: string } | null
}

/** Text in pieces of at most `max`: the whole where two pieces hold it, else its beginning and its end. */
export function headAndTail(text: string, max: number, cost: Cost = ONE): Shown {
  if (endOfHead(text, 2 * max, cost) === text.length) return { head: pieces(text, max, cost), gap: null }
  const from = nearBreak(text, endOfHead(text, max, cost))
  const to = startOfTail(text, max, cost)
  return { head: [text.slice(0, from)], gap: { characters: lengthOf(text.slice(from, to)), tail: text.slice(to) } }
}

/** The whole text in pieces of at most `max`, cut at line breaks and spaces where there are any. */
export function pieces(text: string, max: number, cost: Cost = ONE): readonly string[] {
  const found: string[] = []
  let rest = text
  for (let fits = endOfHead(rest, max, cost); fits < rest.length; fits = endOfHead(rest, max, cost)) {
    const end = nearBreak(rest, fits)
    found.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...found, rest]
}

/** Index of the first character that does not fit any more. Never inside a surrogate pair. */
function endOfHead(text: string, max: number, cost: Cost): number {
  if (cost === ONE && text.length <= max) return text.length
  let room = max
  let end = 0
  for (const character of text) {
    room -= cost(character)
    if (room < 0) break
    end += character.length
  }
  return end
}

function startOfTail(text: string, max: number, cost: Cost): number {
  let room = max
  let start = text.length
  while (start > 0) {
    const before = start - (isPair(text, start - 2) ? 2 : 1)
    room -= cost(text.slice(before, start))
    if (room < 0) break
    start = before
  }
  return start
}

function isPair(text: string, at: number): boolean {
  return at >= 0 && (text.codePointAt(at) ?? 0) > 0xff_ff
}

/** How far back a line break or a space may be to be cut at, in UTF-16 units. */
const NEAR = 200

function nearBreak(text: string, end: number): number {
  const near = [text.lastIndexOf('\n', end - 1), text.lastIndexOf(' ', end - 1)].find((at) => at > 0 && end - at < NEAR)
  return near === undefined ? end : near + 1
}
