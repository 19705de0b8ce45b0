import { ACTING } from '../sanitise.ts'
import type { Span } from './exact.ts'
import { matchesIn } from './matches.ts'
import { piecesIn } from './pieces.ts'

/** A text as somebody may read it, and where each of its units stands in the text itself. */
export interface View {
  readonly text: string
  startOf(unit: number): number
  endOf(unit: number): number
}

/**
 * The readings of a text in which a secret may stand whole: as it is; what the pieces of a streamed answer say together;
 * without what nobody sees, with look-alike letters as ASCII and escapes as what they stand for (`\u001b`, our own
 * `\u{1b}`); and the same with a space where something unseen stood. So neither pieces nor colours, carriage returns,
 * zero-width characters and foreign letters hide a secret, sanitised or not.
 */
export function viewsOf(text: string): readonly View[] {
  const plain: View = { text, startOf: (unit) => unit, endOf: (unit) => unit + 1 }
  const streamed = piecesIn(text).map((pieces) => joined(plain, pieces))
  return [plain, ...streamed].flatMap(undisguised)
}

function joined(view: View, pieces: readonly Span[]): View {
  const made = maker(view)
  for (const [from, to] of pieces) made.copy(from, to)
  return made.view()
}

function undisguised(view: View): readonly View[] {
  if (!DISGUISED.test(view.text)) return [view]
  const spelled = unescaped(view)
  const views = [view, folded(spelled, ''), ...(spelled.text.search(ACTING) === -1 ? [] : [folded(spelled, ' ')])]
  return views.filter(({ text }, at) => views.findIndex((other) => other.text === text) === at)
}

const DISGUISED = /[^\n\t\x20-\x7e]|\\(?:[nrtu/]|x[0-9a-f]|033)/i
const ESCAPE = /\\{1,15}(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|033|[nrt/])/gi
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['/', '/'],
  ['3', '\u001b'],
])

function unescaped(view: View): View {
  const made = maker(view)
  let at = 0
  for (const { 0: found, 1: braced, 2: four, 3: two, index } of matchesIn(view.text, ESCAPE)) {
    made.copy(at, index)
    at = index + found.length
    made.put(spelledBy(braced ?? four ?? two, found), index, at)
  }
  made.copy(at, view.text.length)
  return made.view()
}

function spelledBy(hex: string | undefined, written: string): string {
  if (hex === undefined) return SHORT_ESCAPES.get(written.slice(-1).toLowerCase()) ?? ''
  const code = Number.parseInt(hex, 16)
  return code > 0x10_ff_ff ? written : String.fromCodePoint(code)
}

/** Line ends stay; what acts instead of being seen becomes `gap`. */
function folded(view: View, gap: string): View {
  const made = maker(view)
  let at = 0
  for (const { 0: found, 2: letters, index } of matchesIn(view.text, FOLDED)) {
    const ascii = letters === undefined ? [gapOf(found, gap)] : Array.from(letters, asAscii)
    if (letters !== undefined && ascii.join('') === letters) continue
    made.copy(at, index)
    if (letters === undefined) made.put(ascii.join(''), index, index + found.length)
    else putLetters(made, letters, ascii, index)
    at = index + found.length
  }
  made.copy(at, view.text.length)
  return made.view()
}

function gapOf(unseen: string, gap: string): string {
  return unseen === '\r\n' ? '\n' : gap
}

/** What acts; or, in the last group, letters that may look like others, and what decorates them. */
const FOLDED = new RegExp(
  String.raw`${ACTING.source}|([[[\xA0-\u33FF\uE000-\u{10FFFF}]--[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]]\uFE0E\uFE0F]+)`,
  'gv',
)

/** As one piece where each letter has as many units as before, else one by one. */
function putLetters(made: Maker, letters: string, ascii: readonly string[], from: number): void {
  const each = [...letters]
  if (each.every((letter, at) => letter.length === ascii[at]?.length)) {
    made.copy(from, from + letters.length, ascii.join(''))
    return
  }
  let at = from
  for (const [place, letter] of each.entries()) {
    made.put(ascii[place] ?? '', at, at + letter.length)
    at += letter.length
  }
}

/** A piece of a view: a copy of another view's units, or units that stand for a piece of it. */
interface Run {
  readonly at: number
  readonly from: number
  /** null: a copy */
  readonly to: number | null
}

interface Maker {
  /** A piece unit by unit, as it is or spelled with as many other units. */
  copy(from: number, to: number, spelled?: string): void
  /** Units that stand for a piece of the view this one is made of. */
  put(units: string, from: number, to: number): void
  view(): View
}

function maker(of: View): Maker {
  const [parts, runs]: [string[], Run[]] = [[], []]
  let length = 0
  const add = (units: string, from: number, to: number | null): void => {
    if (units === '') return
    parts.push(units)
    runs.push({ at: length, from, to })
    length += units.length
  }
  return {
    copy: (from, to, spelled = of.text.slice(from, to)) => add(spelled, from, null),
    put: add,
    view: () => ({
      text: parts.join(''),
      startOf(unit) {
        const { at, from, to } = runAt(runs, unit)
        return of.startOf(to === null ? from + unit - at : from)
      },
      endOf(unit) {
        const { at, from, to } = runAt(runs, unit)
        return of.endOf(to === null ? from + unit - at : to - 1)
      },
    }),
  }
}

/** The last run that begins at or before a unit. */
function runAt(runs: readonly Run[], unit: number): Run {
  let [low, high] = [0, runs.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((runs[middle]?.at ?? 0) <= unit) low = middle
    else high = middle - 1
  }
  return runs[low] ?? { at: 0, from: 0, to: null }
}

/** What a character looks like among ASCII; itself where it looks like nothing there, nothing where it only decorates. */
function asAscii(character: string): string {
  const alike = LOOK_ALIKES.get(character)
  if (alike !== undefined) return alike
  // every other letter up to here is made of none of ASCII
  return character < '\u2000' ? character : composed(character)
}

/** The letter of ASCII that a character is a width, a style or an accent of. */
function composed(character: string): string {
  const [base = '', ...marks] = character.normalize('NFKD')
  if (DECORATION.test(base)) return ''
  return base <= '\x7f' && marks.every((mark) => DECORATION.test(mark)) ? base : character
}

const DECORATION = /^[\u0300-\u036f\u20d0-\u20ff\ufe0e\ufe0f]$/

/** Letters of other alphabets, quotes and dashes (unicode.org/reports/tr39, confusables); widths and styles are NFKD's. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  ...between(0xa0, 0x370),
  ...between(0x1e00, 0x2000),
  ...alike('АВЕЅІЈКМНОРСТУХҮԚԜҺ', 'ABESIJKMHOPCTYXYQWh'),
  ...alike('авеѕіјкмнорстухүԛԝһԁ', 'aBesijkMHopcTyxyqwhd'),
  ...alike('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ', 'ABEZHIKMNOPTYXC'),
  ...alike('αεικνορτυχϲγ', 'aeikvoptuxcy'),
  ...alike('ıɑɡՕօԼոսᎪᏴᏟᎬᏀᎻᎥᏦᏞᎷᏢᏒᏚᎢᏙᏃ', 'iagOoLnuABCEGHiKLMPRSTVZ'),
  ...alike('“”„‟«»‘’‚‛＂＇', `""""""''''''`),
  ...alike('‐‑‒–−﹣', '------'),
  ['—', '--'],
  ['ꓽ', ':'],
  ['∶', ':'],
])

function alike(letters: string, ascii: string): readonly (readonly [string, string])[] {
  return [...letters].map((letter, at) => [letter, ascii[at] ?? letter])
}

function between(from: number, to: number): readonly (readonly [string, string])[] {
  const letters = Array.from({ length: to - from }, (_, at) => String.fromCharCode(from + at))
  return letters.map((letter) => [letter, composed(letter)] as const).filter(([letter, ascii]) => letter !== ascii)
}
