import { describe, expect, test } from 'vitest'
import { languageWanted } from '../../src/judge/named-language.ts'
import { otherThan } from '../../src/judge/other-language.ts'

describe('the language that a prompt wants', () => {
  test.each([
    ['Explain in English how a bicycle stays upright.', 'English'],
    ['Why does a bicycle stay upright? Answer in French.', 'French'],
    ['Why does a bicycle stay upright? (in German)', 'German'],
    ['Explain photosynthesis in English.', 'English'],
    ['Erkläre die Photosynthese auf Deutsch.', 'German'],
    ['Write a short story in Spanish about a bicycle.', 'Spanish'],
    ['Erkläre mir kurz auf Deutsch, warum ein Fahrrad nicht umfällt.', 'German'],
    ['Réponds en français : pourquoi le ciel est-il bleu ?', 'French'],
    ['Объясни по-русски, почему велосипед не падает.', 'Russian'],
    ['请用中文介绍一下长城的历史。', 'Chinese'],
    ['用英语介绍自行车的原理。', 'English'],
    ['日本語で自転車が倒れない理由を説明してください。', 'Japanese'],
    ['자전거가 왜 넘어지지 않는지 한국어로 설명해 주세요.', 'Korean'],
    ['Answer in English: what does the word Schadenfreude mean?', 'English'],
  ])('%s', (prompt, name) => {
    expect(languageWanted(prompt)?.name).toBe(name)
  })

  test.each([
    'Explain how a bicycle stays upright.',
    'What are the best films in French?',
    'Write about the best films in French.',
    'Describe the first novel in German.',
    'Explain honorifics in Japanese.',
    'In French cuisine, what is a roux?',
    'Explain in French literature terms what a sonnet is.',
    '英語で書かれた最も有名な小説は何ですか？',
    '用英语写的最有名的小说有哪些？',
    'Translate this and explain in English: das Fahrrad fällt nicht um.',
    'Write a poem in French.',
    'Write a function that greets in German.',
    'How do you say good morning in Japanese?',
    'Wie heißt das auf Englisch?',
    'Answer in English, then answer in German.',
  ])('none: %s', (prompt) => {
    expect(languageWanted(prompt)).toBeNull()
  })
})

const ENGLISH =
  'A bicycle stays upright because the rider and the steering make small corrections all the time, and that is what brings it back.'
const GERMAN =
  'Ein Fahrrad bleibt aufrecht, weil die Lenkung und der Fahrer ständig eingreifen, und das ist nicht schwer.'
const CHINESE = '自行车之所以能够保持直立，主要是因为车轮的转向几何和骑手的微小调整。'
const JAPANESE = '自転車が倒れないのは、ハンドルの構造と乗り手の細かな修正のおかげです。'

describe('an answer in another language than the one that was named', () => {
  test.each([
    ['Explain in English why.', CHINESE, 'Chinese'],
    ['Explain in English why.', JAPANESE, 'Japanese'],
    ['Explain in English why.', GERMAN, 'German'],
    ['Explain in English why.', `${ENGLISH} ${CHINESE} ${CHINESE}`, 'Chinese'],
    ['Erkläre auf Deutsch, warum.', ENGLISH, 'English'],
    ['请用中文解释。', JAPANESE, 'Japanese'],
    ['请用中文解释。', ENGLISH, 'English'],
    ['日本語で説明してください。', CHINESE, 'Chinese'],
    ['Answer in Korean.', ENGLISH, 'English'],
  ])('%s %s', (prompt, text, written) => {
    expect(judged(prompt, text)).toBe(written)
  })

  test.each([
    ['Explain in English why.', ENGLISH],
    [
      'Explain in English why.',
      'Seven Samurai (七人の侍) by Akira Kurosawa (黒澤明) is a film of the year 1954, and it is long.',
    ],
    ['Explain in English what Beijing opera is.', `${ENGLISH} 霸王别姬, 贵妃醉酒 and 白蛇传 are three of the plays.`],
    ['Erkläre auf Deutsch, warum.', GERMAN],
    ['请用中文解释。', CHINESE],
    ['请用中文解释。', `${CHINESE}（店名：ラーメン）用 Python 和 TypeScript 写。`],
    ['日本語で説明してください。', JAPANESE],
    ['Answer in Korean.', '42'],
  ])('none: %s %s', (prompt, text) => {
    expect(judged(prompt, text)).toBeNull()
  })
})

function judged(prompt: string, text: string): string | null {
  const wanted = languageWanted(prompt)
  if (wanted === null) return expect.unreachable('no language is named')
  return otherThan(wanted, text, prompt)
}
