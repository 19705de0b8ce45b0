import { coreOf, sameCycle, saysOnly } from './unit.ts'
import { WISHES } from './wishes.ts'

/**
 * Whether the prompt asked for this repetition: it says "repeat" and the unit, quotes the unit with a count, shows how
 * it goes on, or wishes for something that consists of such units. A requested repetition is no fault.
 */
export function requested(prompt: string, unit: string): boolean {
  const asked = prompt.toLowerCase()
  const sought = unnumbered(unit.toLowerCase())
  return repeats(asked, sought) || WISHES.some(({ asks, gets }) => asks.test(asked) && gets(sought, asked))
}

/** A numbered list of it is asked for as well. */
function unnumbered(unit: string): string {
  const text = unit.replace(/\b\d{1,6}[.):] +/g, '')
  return text.trim() === '' ? unit : text
}

const REPEATS =
  /\b(repeat\w*|over and over|again and again|for ?ever|endless\w*|infinite\w*|non-?stop|in a loop|without (end|stopping|pause)|keep (saying|writing|printing|typing)|as\s(long|often|many times)\sas|until the (page|screen)|fill (the|a|this|my) (page|screen|line|message)|count(ing)? .{0,12}sheep)\b/
const TIMES =
  /(\d{1,6}|\b(ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozen|hundred|thousand|million|many)) ?(x\b|×|times\b(?! ?\d)|mal\b|fois\b|veces\b|vezes\b|volte\b|kr[aá]t\b|раз|次|遍|回|번)/
/** So much of what cannot but be alike. */
const AMOUNT =
  /\b(\d{2,}|dozens?|hundreds?|thousands?)\b.{0,20}\b(copies|repetitions|cycles|rounds|bars|choruses|stitches|flips|cells|beats)\b/
const PATTERN = /\b(pattern|grid|table|matrix|board|column|row|cell)s?\b/
const COUNT = /\d{2,}|\b(hundred|thousand|fifty)\b/
const QUOTED =
  /'([^']{1,200})'|"([^"]{1,200})"|`([^`]{1,200})`|“([^”]{1,200})”|„([^“”]{1,200})[“”]|«([^»]{1,200})»|「([^」]{1,200})」/g
const GOES_ON = /\.\.\.|…|\b(and so on|etc|continue)\b/

/** "Write 'ha' 500 times", "repeat hello", "重复“好”100次", "go on: a b a b a b …", "300 👋". */
function repeats(asked: string, unit: string): boolean {
  const wants = REPEATS.test(asked) || TIMES.test(asked) || AMOUNT.test(asked)
  const counts = COUNT.test(asked)
  const quotes = [...asked.matchAll(QUOTED)].flatMap(([, ...groups]) => groups.filter((text) => text !== undefined))
  if ((wants || counts) && quotes.some((quote) => sameCycle(quote, unit))) return true
  if ((wants || (counts && PATTERN.test(asked))) && saysOnly(asked, unit)) return true
  if ((wants || counts) && isPictured(asked, unit)) return true
  return GOES_ON.test(asked) && isShown(asked, unit)
}

const PICTURES = /^(?:\p{Extended_Pictographic}|\ufe0f|\u200d|[\s,;.|-])+$/u
const BETWEEN = /[\s,;.|-]/g

/** An emoji of the prompt. */
function isPictured(asked: string, unit: string): boolean {
  const pictures = unit.replace(BETWEEN, '')
  return pictures !== '' && PICTURES.test(unit) && asked.includes(pictures)
}

/** The prompt has three copies of it already; three equal figures are a number. */
function isShown(asked: string, unit: string): boolean {
  const core = coreOf(unit)
  return !/^\d*$/.test(core) && coreOf(asked).includes(core.repeat(3))
}
