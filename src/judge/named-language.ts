import type { Script } from './scripts.ts'

/**
 * The one language in which a prompt wants its answer, since it says so: "Explain in English how …", "请用中文解释…",
 * "Antworte auf Deutsch". Films in French want none. Null too where several are named, for translations, and where the
 * question is about words: then any language may be right.
 */
export function languageWanted(prompt: string): Language | null {
  if (CITES.test(prompt) || (ABOUT_WORDS.test(prompt) && !ANSWER.test(prompt))) return null
  const [only, another] = LANGUAGES.filter(({ asked }) => asked.test(prompt))
  return only === undefined || another !== undefined ? null : only
}

export interface Language {
  readonly name: string
  /** in which script it is written */
  readonly script: Script
  readonly asked: RegExp
}

/** Translations, quotations and code hold another language rightly. */
const CITES =
  /translat|übersetz|tradu[cijz]|traduis|traduc|перев[её]|翻[译譯]|翻訳|訳し|번역|přelož|przetłumacz|vertaal|\b(?:poems?|lyrics|songs?|haikus?|quot(?:e|es|ations?)|originals?|verses?|bible|prayers?|anthem|recite|code|function|script|program|python|javascript|typescript|rust|regex|json|html|sql|print(?:s|ed)?|strings?|variables?|bilingual|multilingual)\b|gedicht|zitat|poème|poema|poesia|诗|詩|名言|俳句|стих/i
const ABOUT_WORDS =
  /\b(?:words?|phrases?|vocabulary|sentences?|grammar|proverbs?|idioms?|expressions?|verbs?|names?|spell\w*|pronounc\w*|mean(?:s|ing)?|called|languages?|learn(?:ing)?|teach|alphabet|letters?|characters?|kanji|pinyin)\b|\bsay\b.{0,60}\bin\b|wörter|\bwort\b|bedeutet|heißt|sagt man|sprache|dit-on|\bmots?\b|langue|palabra|idioma|se di[cz]e?\b|parola|lingua\b|si dice|zeg je|řekne|powiedzieć|mówi się|как (?:будет|сказать|по)|单词|單詞|词语|语言|怎[么麼][说說写]|言語|単語|何と|언어|단어|뭐라|слово|слова|язык/i
const ANSWER = /\b(?:answer|reply|respond|antwort\w*|répond\w*|responde\w*|rispond\w*)\b|ответ|回答|回复|答えて|대답/i

const EXPLAIN = String.raw`explain|describe|answer|reply|respond|tell|summari[sz]e|introduce|discuss|define|compare|outline|continue|speak|talk|erklär\w*|beschreib\w*|antwort\w*|erzähl\w*|expli\w+|décri\w+|répond\w*|racont\w+|describ\w+|respond\w+|cuént\w+|resum\w+|spieg\w+|descriv\w+|rispond\w+|beschrijf|antwoord|vysvětl\w+|popi\w+|odpově\w+|wyjaśn\w+|opis\w+|odpowied\w+|объясн\p{L}+|опиш\p{L}+|ответ\p{L}+|расскаж\p{L}+`
const WRITE = String.raw`write|compose|draft|schreib\p{L}*|verfass\p{L}*|écri\p{L}+|rédige\p{L}*|escrib\p{L}+|scriv\p{L}+|escrev\p{L}+|schrijf|napi\p{L}+|напиш\p{L}+`
/** Between the verb and the language no thing may stand that is told of; what is written may. */
const LITTLE = String.raw`(?:[\s-]+(?:me|us|it|this|that|them|back|briefly|shortly|please|only|always|everything|all|bitte|mir|uns|kurz|das|es|nur|immer|sie|moi|nous|le|mi|nos|lo|brevemente|мне|кратко)){0,3}`
const WORK = String.raw`(?:\s+(?!(?:about|on|of|for|by|über|von|für|sur|sobre|su|de|про|об|о)\s)[\p{L}\d'’-]+){0,6}`
const BEFORE = String.raw`(?<!\p{L})(?:(?:${EXPLAIN})${LITTLE}|(?:${WRITE})${WORK})\s+`
/** `In French cuisine` is none. */
const AFTER = String.raw`(?![\p{L}-])(?!\s+(?:history|literature|law|culture|class(?:es)?|football|politics|cuisine|terms|cinema|speaking|speakers|schools?|society|mytholog\w+|folklore|media|newspapers?|cooking|food|art|philosophy|music|tradition\w*|markets?|cities|companies|wine|architecture|universit\w+|theat\w+)\b)`
const ALONE = String.raw`(?=\s*(?:$|[,.:;!?)\n]|(?:please|bitte|s'il|por favor|per favore|proszę|prosím)(?!\p{L})))`

/** A question in the language that it names wants it, whatever stands between. */
const IN_ITSELF: Readonly<Record<string, string>> = {
  English: String.raw`\b(?:explain|describe|summari[sz]e|discuss|define|introduce|outline|tell|write|give|why|how)\b[^.?!\n]{1,200}?\bin (?:plain |simple )?english\b`,
  German: String.raw`(?<!\p{L})(?:erklär|beschreib|erzähl|schreib|fass|nenne|warum|wie|was)\p{L}*[^.?!\n]{1,200}?\bauf deutsch(?!\p{L})`,
  French: String.raw`(?<!\p{L})(?:expli|décri|résum|écri|raconte|pourquoi|comment)\p{L}*[^.?!\n]{1,200}?\ben français(?!\p{L})`,
  Spanish: String.raw`(?<!\p{L})(?:expli|describ|resum|escrib|cuénta|por qué|cómo)\p{L}*[^.?!\n]{1,200}?\ben español(?!\p{L})`,
}

const CHINESE_VERB =
  '.{0,6}?(?:介[绍紹]|解[释釋]|[说說]明|回[答复覆]|[写寫](?![的成])|描述|[讲講]|告[诉訴]|[总總][结結]|概括|[列陈陳]|$|[。，,！!：:])'
const JAPANESE_VERB = '.{0,20}?(?:説明|答え|回答|書いて|書け|教えて|述べ|返信|返答|紹介|まとめ|話して|お願い)'
const KOREAN_VERB = String.raw`\s*.{0,12}?(?:설명|답|써|작성|소개|말해|알려|요약)`

const LANGUAGES: readonly Language[] = [
  of(
    'English',
    'Latin',
    'in (?:plain |simple |clear |good )?english|auf englisch|en anglais|en inglés|in inglese|em inglês|in het engels|по-английски|на английском|anglicky|po angielsku',
    '英',
    '英語',
    '영어',
  ),
  of(
    'German',
    'Latin',
    'in german|auf deutsch|en allemand|en alemán|in tedesco|em alemão|in het duits|по-немецки|německy|po niemiecku',
    '德',
    'ドイツ語',
    '독일어',
  ),
  of(
    'French',
    'Latin',
    'in french|auf französisch|en français|en francés|in francese|em francês|in het frans|по-французски|francouzsky|po francusku',
    '法',
    'フランス語',
    '프랑스어',
  ),
  of(
    'Spanish',
    'Latin',
    'in spanish|auf spanisch|en espagnol|en español|en castellano|in spagnolo|em espanhol|по-испански',
    '西班牙',
    'スペイン語',
    '스페인어',
  ),
  of(
    'Italian',
    'Latin',
    'in italian|auf italienisch|en italien|en italiano|in italiano|em italiano|по-итальянски',
    '意大利',
    'イタリア語',
    '이탈리아어',
  ),
  of(
    'Portuguese',
    'Latin',
    'in (?:brazilian )?portuguese|auf portugiesisch|en portugais|en portugués|in portoghese|em português',
    '葡萄牙',
    'ポルトガル語',
    '포르투갈어',
  ),
  of(
    'Dutch',
    'Latin',
    'in dutch|auf niederländisch|en néerlandais|in het nederlands',
    '荷兰',
    'オランダ語',
    '네덜란드어',
  ),
  of('Polish', 'Latin', 'in polish|auf polnisch|en polonais|po polsku', '波兰', 'ポーランド語', '폴란드어'),
  of('Czech', 'Latin', 'in czech|auf tschechisch|česky|v češtině', '捷克', 'チェコ語', '체코어'),
  of(
    'Chinese',
    'Han',
    'in (?:simplified |traditional |mandarin )?chinese|in mandarin|auf chinesisch|en chinois|en chino|in cinese|em chinês|по-китайски|čínsky|po chińsku',
    '(?:简体|繁體|繁体|正體)?[中汉漢华華]',
    '中国語',
    '중국어',
  ),
  of(
    'Japanese',
    'Hiragana',
    'in japanese|auf japanisch|en japonais|en japonés|in giapponese|по-японски|japonsky',
    '日',
    '日本語',
    '일본어',
  ),
  of(
    'Korean',
    'Hangul',
    'in korean|auf koreanisch|en coréen|en coreano|по-корейски',
    '韩',
    '韓国語',
    '(?:한국어|한국말)',
  ),
  of(
    'Russian',
    'Cyrillic',
    'in russian|auf russisch|en russe|en ruso|in russo|по-русски|на русском|rusky|po rosyjsku',
    '俄',
    'ロシア語',
    '러시아어',
  ),
  of('Arabic', 'Arabic', 'in arabic|auf arabisch|en arabe|en árabe|in arabo', '阿拉伯', 'アラビア語', '아랍어'),
  of('Hindi', 'Devanagari', 'in hindi|auf hindi|en hindi', '印地', 'ヒンディー語', '힌디어'),
]

/** `western` are the phrases of the languages that part their words, the others the name in Chinese, Japanese and Korean. */
function of(
  name: string,
  script: Script,
  western: string,
  chinese: string,
  japanese: string,
  korean: string,
): Language {
  const pattern = [
    `${BEFORE}(?:${western})${AFTER}`,
    String.raw`(?:^|[.!?,;:(\n]\s*)(?:please |bitte )?(?:${western})${ALONE}`,
    `[用以]${chinese}[语語文]${CHINESE_VERB}`,
    `${japanese}で${JAPANESE_VERB}`,
    `${korean}로${KOREAN_VERB}`,
    ...(IN_ITSELF[name] === undefined ? [] : [IN_ITSELF[name]]),
  ].join('|')
  return { name, script, asked: new RegExp(pattern, 'iu') }
}
