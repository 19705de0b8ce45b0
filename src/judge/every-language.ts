/** Whether a text names any language of the world, in English: then it may well be written in it. */
export function namesSomeLanguage(text: string): boolean {
  return (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).some((word) => everyName().has(word))
}

let names: ReadonlySet<string> | null = null

/** Those with a code of two letters (ISO 639-1) and a name of one word, as the runtime knows them. */
function everyName(): ReadonlySet<string> {
  names ??= new Set(CODES.flatMap((code) => NAMED.of(code)?.toLowerCase() ?? []).filter((name) => !name.includes(' ')))
  return names
}

const NAMED = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
