/**
 * Whether the prompt asked for this repetition: it quotes the unit and a count, says "repeat", names the sign, or wants
 * data (an array, digits, a table) that the unit could be a part of. A requested repetition is no fault.
 */
export function requested(prompt: string, unit: string): boolean {
  const asked = prompt.toLowerCase()
  const sought = unit.toLowerCase()
  if (core(sought) === '') return BLANKS.test(asked) && WRITES.test(asked)
  return repeats(asked, sought) || namesSign(asked, sought) || wantsData(asked, sought) || wantsSong(asked, sought)
}

const REPEATS = /\b(repeat\w*|over and over|again and again|forever|endless\w*|non-?stop)\b/
const TIMES =
  /(\d{1,6}|\b(ten|twenty|thirty|forty|fifty|hundred|thousand|many)) ?(x\b|×|times\b(?! ?\d)|mal\b|fois\b|veces\b|vezes\b|volte\b|kr[aá]t\b|раз|次|遍|回|번)/
const COUNT = /\d{2,}/
const WRITES = /\b(print|write|draw|output|type|give|generate|create|make|fill|show|list|display|send|say)\b|\b\d{2,}\b/
const QUOTED =
  /'([^']{1,200})'|"([^"]{1,200})"|`([^`]{1,200})`|“([^”]{1,200})”|„([^“”]{1,200})[“”]|«([^»]{1,200})»|「([^」]{1,200})」/g
const BLANKS = /\b(blanks?|spaces|newlines|empty lines|white ?space)\b/

/** "Write 'ha' 500 times", "repeat hello", "重复“好”100次". */
function repeats(asked: string, unit: string): boolean {
  const wants = REPEATS.test(asked) || TIMES.test(asked)
  const quotes = [...asked.matchAll(QUOTED)].flatMap(([, ...groups]) => groups.filter((text) => text !== undefined))
  if ((wants || COUNT.test(asked)) && quotes.some((quote) => sameCycle(quote, unit))) return true
  if (!wants) return false
  const words = wordsOf(asked)
  const repeated = wordsOf(unit.repeat(3)).slice(1, -1)
  if (repeated.length === 0) return words.some((word) => sameCycle(word, unit))
  return repeated.every((word) => words.includes(word))
}

const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/\bexclamation/, '!'],
  [/\bquestion marks/, '?'],
  [/\b(dash|hyphen|minus|rule\b|line\b|separator|border)/, '-=_─━*'],
  [/\bzero(e?s)?\b/, '0'],
  [/\bones\b/, '1'],
  [/\b(star|asterisk)s?\b/, '*★⭐'],
  [/\b(dots|periods|full stops)\b/, '.·•'],
  [/\b(hash|pound)/, '#'],
  [/\bunderscore/, '_'],
  [/\bequals? signs?/, '='],
  [/\bplus(es| signs)\b/, '+'],
]

/** "Print exactly 40 exclamation marks". */
function namesSign(asked: string, unit: string): boolean {
  const signs = new Set(core(unit))
  return WRITES.test(asked) && SIGNS.some(([name, chars]) => name.test(asked) && signs.isSubsetOf(new Set(chars)))
}

const DATA =
  /\b(array|matrix|table|grid|csv|vector|tensor|count (from|to|up|down)|base64|hex|hexdump|bitmap|ascii art|board|list of \d+|rows|columns)\b/
/** Common words of any question, so that a wish for them must stand before. */
const SERIES =
  /\b(first|list|print|write|generate|output|show|give|calculate|compute)\b.{0,40}\b(digits|numbers|sequence|pattern|bits|bytes|binary)\b/
const DATA_WORDS = /null|true|false|none|nan|0x[\da-f]+/g
const DATA_UNIT = /^[\d\s.,;:|+\-*/=_#()[\]{}"'<>]*$/
const DATA_IN_IT = /[\d|+\-=_#*]/

/** "JSON array of 100 zeros", "count from 1 to 500"; "base64" of zeros is AAAA. */
function wantsData(asked: string, unit: string): boolean {
  if (!DATA.test(asked) && !SERIES.test(asked)) return false
  const signs = unit.replace(DATA_WORDS, '0')
  if (DATA_UNIT.test(signs) && DATA_IN_IT.test(signs)) return true
  return /\b(base64|hex|hexdump)\b/.test(asked) && /^[\da-z+/=\s]+$/.test(unit)
}

/** A chorus repeats; a single senseless word does not become one by it. */
function wantsSong(asked: string, unit: string): boolean {
  if (!/\b(song|lyrics|chorus|chant|mantra|refrain|nursery rhyme|bottles of beer|hymn|litany)\b/.test(asked))
    return false
  return new Set(wordsOf(unit)).size >= 2 || /^\W*(la|na|hey|oh|yeah|ha|doo|da)\W*$/.test(unit)
}

/** Whether both, written again and again, give the same endless text; it does not matter where a unit was cut. */
function sameCycle(quote: string, unit: string): boolean {
  const one = core(quote)
  const other = core(unit)
  if (one === '' || other === '') return false
  return again(one, other.length).includes(other) && again(other, one.length).includes(one)
}

function again(text: string, atLeast: number): string {
  return text.repeat(Math.ceil(atLeast / text.length) + 1)
}

/** Letters and digits; the signs where there are none. */
function core(text: string): string {
  const letters = wordsOf(text).join('')
  return letters === '' ? text.replace(/\s/g, '') : letters
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}
