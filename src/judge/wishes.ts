import { sameCycle, wordsOf } from './unit.ts'

/** Something whose right answer repeats itself, although no prompt says "repeat": decimals of 1/3, a drum pattern. */
interface Wish {
  /** how a prompt speaks of it, in lower case */
  readonly asks: RegExp
  /** whether a unit, in lower case, can be a part of it */
  gets(unit: string, asked: string): boolean
}

const WRITES =
  /\b(print|write|draw|output|type|give|generate|create|make|fill|show|list|display|send|say|add|put|insert)\b|\b\d{2,}\b/

/** A sign by its name: "exactly 40 exclamation marks". */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/\b(blanks?|spaces|newlines|empty lines|white ?space)\b/, ''],
  [/\bexclamation/, '!'],
  [/\bquestion marks/, '?'],
  [/\b(dash|hyphen|minus|rule\b|line\b|separator|border)/, '-=_─━*'],
  [/\bzero(e?s)?\b/, '0'],
  [/\bones\b/, '1'],
  [/\b(nines|9s)\b/, '9'],
  [/\b(star|asterisk)s?\b/, '*★⭐'],
  [/\b(dots|periods|full stops)\b/, '.·•'],
  [/\b(hash|pound)/, '#'],
  [/\bunderscore/, '_'],
  [/\bequals? signs?/, '='],
  [/\bplus(es| signs)\b/, '+'],
  [/\bbar\b/, '█▓▒░▇#='],
]

const DATA =
  /\b(array|matrix|table|grid|csv|vector|tensor|count (from|to|up|down)|base64|hex|hexdump|bitmap|ascii art|board|bingo|list of \d+|rows|columns)\b/
/** Common words of any question, so that a wish for them must stand before. */
const SERIES =
  /\b(first|list|print|write|generate|output|show|give|calculate|compute)\b.{0,40}\b(digits|numbers|sequence|pattern|signal|wave|bits|bytes|binary)\b/
const DATA_UNIT = /^[\d\s.,;:|+\-*/=_#()[\]{}"'<>]*$/
const DATA_IN_IT = /[\d|+\-=_#*]/

/** "JSON array of 100 zeros", "count from 1 to 500", a grid of X; "base64" of zeros is AAAA. */
function isData(unit: string, asked: string): boolean {
  const signs = unit.replace(/null|true|false|none|nan|0x[\da-f]+|\b[xo]\b/g, '0')
  if (DATA_UNIT.test(signs) && DATA_IN_IT.test(signs)) return true
  return /\b(base64|hex|hexdump)\b/.test(asked) && /^[\da-z+/=\s]+$/.test(unit)
}

/** So many digits, wherever the figure stands: "1/3 to 800 places", "300 decimals". */
const DIGITS =
  /\b(\d{2,}|hundred\w*|thousand\w*|million\w*|all)\b.{0,25}\b(digits|decimals?|places|figures|bits|terms)\b/
/** A number written out whole; beside it no blank may stand, "101 101 101" is no number. */
const NUMBER =
  /\b(decimal expansion|recurring|a decimal|(in|to|into) (binary|hex|full)|write (it |this |that )?out|written out|exact value)\b/
/** They end in zeros. */
const POWER = /\b(googol\w*|factorial|power of)\b|\d ?(\^|\*\*) ?\d|\d!/

const MUSIC =
  /\b(chords?|drums?|beats?|beatbox\w*|rhythm\w*|riff|bass ?line|arpeggio\w*|guitar|tablature|blues|metronome)\b/
const NOTES =
  /^([a-h][#b♯♭]?(maj|min|m|dim|sus|aug|add)?\d{0,2}|[xo]+|kick|snare|hi|hat|hh|bd|sd|clap|tom|boom|bap|ts|boots|and|cats|tick|tock|click|da|dum|tss|pf|k)$/
const SOUND =
  /\b(scream\w*|shout\w*|yell\w*|howl\w*|laugh\w*|giggl\w*|cry\w*|sob\w*|snor\w*|purr\w*|hum|buzz\w*|moo\w*|bark\w*|meow\w*|beep\w*|siren|imitate\w*|onomatopoei\w*|(sounds?|noises?) (of|that))\b/
const DRAWING =
  /\b(draw|sketch|ascii|picture|pattern|chess ?board|checkerboard|brick|fence|banner|mosaic|pixels?|emojis?|divider)\b/
const MOLECULE = /\b(dna|rna|poly-?\(?[acgtu]\)?|nucleotides?|genom\w*|bases|adenines?|telomer\w*)\b/
const SONG = /\b(song|lyrics|chorus|chant|mantra|refrain|nursery rhyme|bottles of beer|hymn|litany|lullaby|rap)\b/

/** Each with what belongs to it; what is not of its kind stays a loop. */
export const WISHES: readonly Wish[] = [
  ...SIGNS.map(([asks, signs]): Wish => ({ asks, gets: (unit, asked) => WRITES.test(asked) && isOf(signs, unit) })),
  { asks: DATA, gets: isData },
  { asks: SERIES, gets: isData },
  { asks: DIGITS, gets: (unit) => /^[\d\s,.]*\d[\d\s,.]*$/.test(unit) },
  { asks: NUMBER, gets: isNumber },
  { asks: POWER, gets: (unit) => isOf('0,_', unit) },
  { asks: MUSIC, gets: isPlayed },
  { asks: SOUND, gets: (unit) => /^\W*\p{L}{1,6}(\W+\p{L}{1,6}){0,2}\W*$/u.test(unit) },
  // a flood of "!" is what a model of zeros says
  { asks: DRAWING, gets: (unit) => !/[\p{L}\p{N}\ufffd]/u.test(unit) && !/^[!\s]*$/.test(unit) },
  { asks: /\bmorse\b/, gets: (unit) => /^[.\-·−–—_/|•\s]+$/.test(unit) },
  { asks: MOLECULE, gets: (unit) => /^[acgtun\s\-'’]+$/.test(unit) },
  { asks: /\balphabet\b/, gets: (unit) => sameCycle('abcdefghijklmnopqrstuvwxyz', unit) },
  { asks: /\bfizz ?buzz\b/, gets: (unit) => /^[fizbu\d\s,]+$/.test(unit) },
  { asks: /\b(lorem|placeholder text|filler|dummy text)\b/, gets: (unit) => /\b(lorem|ipsum|dolor)\b/.test(unit) },
  { asks: SONG, gets: isSung },
]

function isNumber(unit: string): boolean {
  return /^\d+$/.test(unit) || (unit.length > 4 && /^\d*[\s,_.]\d*$/.test(unit))
}

/** White space is made of no sign at all. */
function isOf(signs: string, unit: string): boolean {
  const marks = new Set(unit.replace(/\s/g, ''))
  return marks.size === 0 ? signs === '' : marks.isSubsetOf(new Set(signs))
}

/** Notes, chords, beats and bars. */
function isPlayed(unit: string): boolean {
  const words = wordsOf(unit.replace(/[#♯♭]/g, ''))
  return words.length === 0 ? isOf('|-.:', unit) : words.every((word) => NOTES.test(word))
}

/** A chorus repeats; a single senseless word does not become one by it. */
function isSung(unit: string, asked: string): boolean {
  const words = new Set(wordsOf(unit))
  const known = words.size > 0 && words.isSubsetOf(new Set(wordsOf(asked)))
  return known || words.size >= 2 || /^\W*(la|na|hey|oh|yeah|ha|doo|da)\W*$/.test(unit)
}
