import type { Script } from './scripts.ts'
import { scriptsOf } from './scripts.ts'

/** The scripts that a prompt calls for: those that it is written in, and those of the languages that it names. */
export function scriptsWanted(prompt: string): ReadonlySet<Script> {
  const named = LANGUAGES.flatMap(([name, scripts]) => (name.test(prompt) ? scripts : []))
  return scriptsOf(prompt).union(new Set(named))
}

/** Beginnings of names, as several European languages and the languages themselves write them. */
const LANGUAGES: readonly (readonly [RegExp, readonly Script[]])[] = [
  [
    /\b(russ|rusk|rus[oa]\b|ukrain|bulgar|serb|kazakh|mongol|belarus|macedon|kyrgyz|tajik|cyril|kyril)|русск|україн/i,
    ['Cyrillic'],
  ],
  [/\b(greek|griech|grec|grieg|ελλην)/i, ['Greek']],
  [/\b(arab|persian|persisch|persan|farsi|urdu|pashto|kurd|uyghur)|عرب|فارس/i, ['Arabic']],
  [/\b(hebr|yiddish|jiddisch)|עבר/i, ['Hebrew']],
  [/\b(hindi|marathi|maithili|konkani|bhojpuri|nepali|sanskrit|devanagari)|हिन/i, ['Devanagari']],
  [/\b(bengal|bangla|assames)/i, ['Bengali']],
  [/\btamil/i, ['Tamil']],
  [/\btelugu/i, ['Telugu']],
  [/\bthai/i, ['Thai']],
  [/\bgeorgi/i, ['Georgian']],
  [/\barmen/i, ['Armenian']],
  [/\b(chines|chino|cinese|čínš|mandarin|cantones|hanzi)|中文|汉语|漢語/i, ['Han']],
  [/\b(japan|japon|giappon|kanji|hiragana|katakana)|日本語|日语/i, ['Han', 'Hiragana', 'Katakana']],
  [/\b(korea|corea|hangul)|한국어|韩语/i, ['Hangul', 'Han']],
]
