import { expect, test } from 'vitest'
import { lineOf, parse } from '../../src/parse.ts'
import { random, randomText } from '../random.ts'
import { ask, commands, mention, reply, slash, typed } from './house.ts'

const PIECES = [
  ...'"“”„‟«»\'‘’‚ \n\t\u00A0\u200B\u202E\u0000\ud800\\`<>&|=-—–',
  ...[
    '--target',
    'target=',
    '--max-tokens 5',
    ' on ',
    ', ',
    '--on',
    '—no-stream',
    '--help',
    'smoke',
    'gpu status',
    'help',
    '<@U1>',
    '<http://a|b>',
    '&amp;lt;',
    '👩‍💻',
    'say',
    'ä',
  ],
]

test('no text whatever makes the parser throw, on any surface', () => {
  for (let seed = 0; seed < 5000; seed += 1) {
    const text = randomText(seed, PIECES, 25)
    for (const asked of [
      slash('/smoke', text),
      slash('/pilotflame', text),
      mention(text),
      reply(text),
      typed(...text.split(' ')),
    ]) {
      expect(() => parse(asked, commands), `seed ${seed}: ${text}`).not.toThrow()
    }
  }
})

test('a quoted prompt arrives as it was written', () => {
  const words = ['say', 'it’s', '5″', '--target', 'x=1', '\n', '  ', 'ﬁ', '👩‍💻', '<@U1>', '`code`', '\\']
  for (let seed = 0; seed < 2000; seed += 1) {
    const { below, pick } = random(seed)
    const prompt = `a${Array.from({ length: below(12) }, () => `${pick(words) ?? ''} `).join('')}`.trim()
    const [open, close] = pick([
      ['"', '"'],
      ['“', '”'],
      ['«', '»'],
      ['„', '“'],
    ]) ?? ['"', '"']
    const parsed = parse(slash('/smoke', `${open}${prompt}${close} --target qwen`), commands)
    expect(parsed, `seed ${seed}: ${prompt}`).toMatchObject({
      kind: 'call',
      raw: { prompt, flags: { target: 'qwen' } },
    })
  }
})

test('the line of a button means the same call again', () => {
  for (let seed = 0; seed < 3000; seed += 1) {
    const first = parse(slash('/smoke', `${randomText(seed, PIECES, 12)} --target "a b"`), commands)
    if (first.kind !== 'call') continue
    const line = lineOf(first.command, first.raw)
    const again = parse(ask('button', { form: 'plain', word: null, text: line }), commands)
    expect(again, `seed ${seed}: ${line}`).toMatchObject({ kind: 'call', command: first.command, raw: first.raw })
  }
})

test('the longest line is read in milliseconds, whatever it holds', () => {
  for (const piece of [
    '"a',
    '"a"b ',
    "'a ",
    '“a ',
    'target=x ',
    '"a" on b, ',
    'on ',
    'on a,',
    '--on a ',
    '--x ',
    '--max-tokens ',
    'a ',
    '<http://a|',
    '&amp;',
    '— ',
    'a\u200B',
    '\u200B',
    '<@U1> ',
    '<@U1|a',
    ' ',
  ]) {
    const text = piece.repeat(16_000 / piece.length)
    const from = performance.now()
    parse(mention(text), commands)
    parse(slash('/smoke', text), commands)
    expect(performance.now() - from, piece).toBeLessThan(500)
  }
})
