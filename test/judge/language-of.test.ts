import { describe, expect, it } from 'vitest'
import { languageOf, namesLanguage } from '../../src/judge/language-of.ts'
import { CODE, PROSE } from './texts.ts'

describe('the language of a text', () => {
  it.each([
    ['English', PROSE],
    ['English', 'Why is the sky blue?'],
    ['German', 'Warum ist der Himmel blau und das Meer nicht?'],
    ['French', 'Pourquoi le ciel est bleu et les nuages ne sont pas dans la mer ?'],
    ['Spanish', 'El cielo es azul por la luz del sol, pero los mares son más oscuros para las aves.'],
    ['Polish', 'Czy to jest prawda, że niebo nie jest niebieskie?'],
    [null, CODE],
    [null, 'x-o-x-o-'.repeat(50)],
    [null, 'Paris'],
    [null, ''],
  ])('%s', (language, text) => {
    expect(languageOf(text, 3)).toBe(language)
  })
})

describe('a prompt that names one', () => {
  it.each([
    'Say hello in Chinese',
    'Translate this',
    'Auf Deutsch, bitte',
    'Write a poem',
    '用中文打个招呼',
    'Řekni to česky',
  ])('%s', (prompt) => expect(namesLanguage(prompt)).toBe(true))

  it.each(['Why is the sky blue?', 'Describe the capital of France', '你是谁？'])('not %s', (prompt) =>
    expect(namesLanguage(prompt)).toBe(false),
  )
})
