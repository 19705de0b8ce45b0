import { wrongLanguage } from '../../../src/judge/rules/wrong-language.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf } from '../samples.ts'
import { CODE, PROSE } from '../texts.ts'

const said = (prompt: string, content: string) => evidenceOf({ content }, { prompt })
const GERMAN = 'Der Himmel ist blau, weil die Luft das blaue Licht stärker streut als das rote, und das ist nicht neu.'
const CHINESE = '你好！我是人工智能助手，很高兴为你服务，请问有什么可以帮你？'

ruleTable(wrongLanguage, {
  speaks: {
    'Chinese to English': [said('Who are you?', CHINESE), { code: 'output.wrong-language', verdict: 'degraded' }],
    'Russian to English': [
      said('Why is the sky blue?', 'Небо голубое, потому что воздух рассеивает синий свет сильнее.'),
      { confidence: 'likely' },
    ],
    'a change in mid sentence': [
      said('Describe the capital.', 'The capital 是一个美丽的城市，位于河流旁边，有很多博物馆和公园。'),
      { code: 'output.wrong-language' },
    ],
    'German to English': [
      said('Why is the sky blue and what is it made of?', GERMAN),
      { code: 'output.wrong-language' },
    ],
    'English to Chinese': [said('你是谁？', PROSE.slice(0, 200)), { code: 'output.wrong-language' }],
  },
  silent: {
    'a table of characters': said('Write the JSON of that code page', `[${'["a1","，、。你好"],'.repeat(20)}`),
    'letters alone, as in the tables of a program': said(
      'Write the frequencies of letters as a Python dict',
      Array.from('абвгдежзиклмнопрстуфхцчшщыэюя', (letter, n) => `${n}: 2,  # '${letter}'`).join('\n'),
    ),
    'letters alone of a script without capitals': said(
      'Write the frequencies of letters as a Python dict',
      Array.from('אבגדהוזחטיכלמנסעפצקרשת', (letter, n) => `${n}: 2,  # '${letter}'`).join('\n'),
    ),
    'a language that few speak': said(
      'Write the country names for Tatar readers.',
      'Төньяк Македония, Кытай, Русия Федерациясе, Кыргызстан, Таҗикстан, Үзбәкстан',
    ),
    'the language of the prompt': said('你是谁？', CHINESE),
    'a language by name': said('Introduce yourself in Chinese', CHINESE),
    'a translation': said('Translate: who are you, and what can you do for me today?', GERMAN),
    'a title in its own script': said('What did Tolstoy write?', 'He wrote «Война и мир».'),
    'code to a Chinese prompt': said('写一个程序', CODE.slice(0, 60)),
    'figures to figures': said('2+2?', '4'),
    'words to figures': said('42', PROSE.slice(0, 200)),
    'an unknown prompt': said('', CHINESE),
    prose: said('Tell a story', PROSE),
    'German to German': said('Warum ist der Himmel blau und was ist das Licht?', GERMAN),
    'a prompt with a document': said(`${'The report. '.repeat(200)}`, GERMAN),
    'one word again and again': said('Write a drum pattern for 64 bars', 'x-o-x-o-|'.repeat(100)),
    'thinking in another language': evidenceOf({ reasoning: CHINESE, content: 'Hello!' }),
    'scripts that jump': said('Who are you?', 'ngữ Привет 完成 أهلا देश zwischen 사과 ที่นี่ quelque שלום мир 的话'),
  },
})
