import { expect } from 'vitest'
import { gibberish } from '../../../src/judge/rules/gibberish.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf } from '../samples.ts'
import { CODE, PROSE } from '../texts.ts'

const content = (text: string, prompt = 'Say hello in one sentence.') => evidenceOf({ content: text }, { prompt })

ruleTable(gibberish, {
  speaks: {
    'many scripts': [
      content('的 ofrec aunque:: иму 사이 zwischen أن ngữ ที mpz'),
      { code: 'model.gibberish', verdict: 'broken' },
    ],
    'in the reasoning': [evidenceOf({ content: null, reasoning: '的 ofrec иму 사이 أن ที' }), { confidence: 'likely' }],
    'many scripts, each by itself: it may be right': [
      content('Hello! Привет! 你好! مرحبا! नमस्ते!', 'Greet the whole world'),
      { confidence: 'possible', unless: expect.stringContaining('read the answer') },
    ],
    'a jumble although one language of it is named': [
      content('的 ofrec aunque иму 사이 zwischen أن ngữ ที mpz', 'Say hello in Russian'),
      { confidence: 'likely' },
    ],
    'a foreign letter in a word': [content('su río principal es el Seนna.'), { code: 'model.gibberish' }],
  },
  silent: {
    prose: content(PROSE),
    code: content(CODE),
    'links to translations': content(
      'Read it in [हिन्दी](a.md), [简体中文](b.md), [日本語](c.md), [한국어](d.md), [Русский](e.md), [Ελληνικά](f.md).',
    ),
    'a letter that looks Latin': content('The API remains identi\u0441al to what we had before.'),
    Czech: content('Příliš žluťoučký kůň úpěl ďábelské ódy.'),
    'Russian with names': content('Язык Python и библиотека NumPy.'),
    'Japanese, four scripts': content('PythonのリストはC言語の配列と違う。', '日本語で'),
    'Chinese beside Latin': content('Python的list和tuple'),
    'Thai beside Latin': content('ใช้API กับPython', 'ภาษาไทย'),
    formulas: content('Δx · σ² = μ, Ωm'),
    'greetings of the world': content('Hello, 你好, Привет, 안녕, مرحبا, สวัสดี, नमस्ते', 'Hello in many languages'),
    'four languages by name': content(
      'Russian: Привет\nArabic: مرحبا\nHindi: नमस्ते\nChinese: 你好',
      'Say hello in Russian, Arabic, Hindi and Chinese',
    ),
    'four languages by name, in a row': content(
      'Привет مرحبا नमस्ते 你好 さようなら',
      'Say hello in Russian, Arabic, Hindi, Chinese and Japanese, words only',
    ),
    'four languages by name, asked in German': content(
      'Привет, مرحبا, नमस्ते, 你好',
      'Sag Hallo auf Russisch, Arabisch, Hindi und Chinesisch',
    ),
    'two scripts as quoted': content('The word Привет means hello; 你好 too.'),
    base64: content('U2xvdyBpcyBzbW9vdGgsIHNtb290aCBpcyBmYXN0Lg=='),
    nothing: evidenceOf({ content: null }),
  },
})
