import { expect, test } from 'vitest'
import { commands } from '../../src/commands/index.ts'
import { load, SMALL } from './folder.ts'

function words(aliases: string, prefix = '') {
  const read = load(`${SMALL}slack:\n  aliases: ${aliases}\n`, prefix === '' ? {} : { COMMAND_PREFIX: prefix })
  return read.kind === 'problems' ? read.text : read.kind === 'config' ? read.config.slash : read.kind
}

test('a prefix and aliases are read', () => {
  expect(words('{ llm: sglang, ask-model: smoke }', 'acme-')).toEqual({
    prefix: 'acme-',
    aliases: { llm: 'sglang', 'ask-model': 'smoke' },
  })
})

test('behind a prefix one of our words may be given back', () => {
  expect(words('{ smoke: smoke }', 'acme-')).toEqual({ prefix: 'acme-', aliases: { smoke: 'smoke' } })
})

test('31 characters are taken', () => {
  expect(words(`{ ${'a'.repeat(31)}: gpu }`)).toMatchObject({ aliases: { ['a'.repeat(31)]: 'gpu' } })
})

test.each([
  ['one that means nothing', '{ llm: sglnag }', '', 'pilotflame.yml:5:14 slack.aliases.llm', 'did you mean sglang?'],
  [
    'one that means a command without a word',
    '{ again: retry }',
    '',
    'the unknown word "retry"',
    'name one of smoke, sglang, gpu, pilotflame',
  ],
  ['one of our words', '{ smoke: sglang }', '', 'the bot’s own word for smoke', 'take another word'],
  ['one of our words behind the prefix', '{ acme-gpu: gpu }', 'acme-', 'the bot’s own word for gpu', 'take another'],
  ['the name of another command', '{ smoke: gpu }', 'acme-', 'which is the name of a command', 'take another'],
  ['a command of Slack', '{ invite: sglang }', '', '/invite is a command of Slack itself', 'take another word'],
  ['the first word of a command', '{ help: sglang }', '', '"help", which is a command of the bot', 'take another'],
  ['one with a slash', '{ /llm: sglang }', '', 'the word "/llm"', 'use a small letter'],
  ['one in capitals', '{ LLM: sglang }', '', 'the word "LLM"', 'use a small letter'],
  ['one of 32 characters', `{ ${'a'.repeat(32)}: gpu }`, '', 'the word "aaaa', 'at most 31 in all'],
  ['a list', '[llm]', '', 'found a list', 'a map of more slash words'],
  ['a number', '{ llm: 3 }', '', 'the number 3', 'write one of smoke, sglang'],
])('an alias that is %s is refused with its line', (_, aliases, prefix, found, next) => {
  const said = words(aliases, prefix)
  expect(said).toContain(found)
  expect(said).toContain(next)
  expect(said).toMatch(/^The configuration has a problem:/)
})

test('46 aliases are taken and 47 are not, since Slack takes 50 slash commands of one app', () => {
  const many = (n: number) => `{ ${Array.from({ length: n }, (_, at) => `w${at}: gpu`).join(', ')} }`
  expect(words(many(46))).toMatchObject({ prefix: '' })
  expect(words(many(47))).toContain('keep at most 46: Slack takes 50 slash commands')
})

test.each(['ACME', '-acme', 'a b', 'a'.repeat(17)])('the prefix %s is refused', (prefix) => {
  expect(words('{}', prefix)).toContain('environment COMMAND_PREFIX: found "')
})

test('read_files is read; without it no file is', () => {
  const read = (text: string) => load(`${SMALL}${text}`)
  expect(read('')).toMatchObject({ config: { readFiles: false } })
  expect(read('slack: { read_files: true }\n')).toMatchObject({ config: { readFiles: true } })
})

test('mentions_only is read, with or without tokens', () => {
  const read = (text: string) => load(`${SMALL}${text}`)
  expect(read('')).toMatchObject({ config: { mentionsOnly: false, slack: null } })
  expect(read('slack: { mentions_only: true }\n')).toMatchObject({ config: { mentionsOnly: true, slack: null } })
})

test('the first word of every command is refused', () => {
  for (const word of new Set(commands.map((one) => one.word)))
    expect(words(`{ ${word}: gpu }`, 'acme-'), word).not.toHaveProperty('slash')
})
