import { expect } from 'vitest'
import { tokenFlood } from '../../../src/judge/rules/token-flood.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf, tokens } from '../samples.ts'

ruleTable(tokenFlood, {
  speaks: {
    'one sign without end': [
      evidenceOf({ content: '!'.repeat(200), finish: 'length', stop: null }),
      {
        code: 'model.nan-logits',
        verdict: 'broken',
        confidence: 'likely',
        because: ['the text consists of “!”', expect.any(String)],
      },
    ],
    'the unknown token without end': [
      evidenceOf({ content: '<unk>'.repeat(60) }),
      { because: expect.arrayContaining(['the text consists of “<unk>”']) },
    ],
    'eight of them and nothing else, in a small budget': [
      evidenceOf({ content: '!'.repeat(8), finish: 'length', stop: null }, { budget: 8 }),
      { confidence: 'likely', because: ['the text consists of “!”', expect.any(String)] },
    ],
    'with blanks between, and a line end': [
      evidenceOf({ content: '! ! ! ! ! ! ! !\n' }),
      { because: ['the text consists of “!”', expect.any(String)] },
    ],
    'what was asked is not known': [evidenceOf({ content: '!'.repeat(8) }, { prompt: '' }), { confidence: 'likely' }],
    'a loud prompt': [evidenceOf({ content: '!'.repeat(20) }, { prompt: 'Help me!!!' }), { confidence: 'likely' }],
    'eight of them for four tokens, the fewest that count': [
      evidenceOf({ content: '!'.repeat(8), tokens: tokens(4) }),
      { confidence: 'likely' },
    ],
    'eight of them that did not end, at a cost that is not told': [
      evidenceOf({ content: '<pad>'.repeat(8), finish: 'length', tokens: tokens(null) }),
      { because: ['the text consists of “<pad>”', expect.any(String)] },
    ],
    'sixty of another sign, as soon as it is no mask': [
      evidenceOf({ content: 'G'.repeat(60), tokens: tokens(2) }),
      { because: ['the text consists of “G”', expect.any(String)] },
    ],
    'a prompt that ends in the sign': [
      evidenceOf({ content: '?'.repeat(60) }, { prompt: 'Comment vas-tu ?' }),
      { confidence: 'likely' },
    ],
    'a prompt with the letter in a word, and an address': [
      evidenceOf({ content: 'G'.repeat(60) }, { prompt: 'Greet BGH at bob@x.de' }),
      { confidence: 'likely' },
    ],
    'in the reasoning': [evidenceOf({ content: null, reasoning: '!'.repeat(100) }), { code: 'model.nan-logits' }],
  },
  silent: {
    'an answer': evidenceOf({}),
    'marks that were asked for': evidenceOf({ content: '!'.repeat(80) }, { prompt: 'Print 80 exclamation marks' }),
    'seven marks alone': evidenceOf({ content: '!'.repeat(7), finish: 'length', stop: null }, { budget: 7 }),
    'a few marks that were asked for': evidenceOf({ content: '!'.repeat(12) }, { prompt: 'Type 12 exclamation marks' }),
    'a few marks that the prompt shows': evidenceOf(
      { content: '!'.repeat(8) },
      { prompt: 'Answer with !!!!!!!! alone' },
    ),
    'eight of them for three tokens': evidenceOf({ content: '!'.repeat(8), tokens: tokens(3) }),
    'eight of them at a cost that is not told': evidenceOf({ content: '!'.repeat(8), tokens: tokens(null) }),
    'eight of them behind reasoning, which cost the tokens': evidenceOf({
      content: '!'.repeat(8),
      reasoning: 'The user wants something loud.',
      tokens: tokens(90),
    }),
    'fifty-nine of a letter, although it did not end': evidenceOf({ content: 'G'.repeat(59), finish: 'length' }),
    'a mask for a password': evidenceOf({ content: '@'.repeat(9) }, { prompt: 'Mask my password hunter2pw' }),
    'a reply to nonsense': evidenceOf({ content: '?'.repeat(8) }, { prompt: 'asdf' }),
    'a letter that is named': evidenceOf(
      { content: 'G'.repeat(60) },
      { prompt: 'Wiederhole den Buchstaben G sechzigmal ohne Leerzeichen.' },
    ),
    'a sign that is named': evidenceOf({ content: '@'.repeat(60) }, { prompt: 'Mask the whole page with @ signs' }),
    'a sign in quotes': evidenceOf({ content: '!'.repeat(60) }, { prompt: 'Sechzigmal „!“, bitte' }),
    'a sign by its name in another language': evidenceOf(
      { content: '?'.repeat(60) },
      { prompt: 'Eine Zeile nur Fragezeichen' },
    ),
    'a token that is named': evidenceOf({ content: '<unk>'.repeat(20) }, { prompt: 'Show me a row of <unk>' }),
    'a line of dashes': evidenceOf({ content: '-'.repeat(40) }, { prompt: 'Draw a line' }),
    'a drum pattern': evidenceOf({ content: 'x-x-x-x-x-x-x-x-' }, { prompt: 'Write a hi-hat pattern' }),
    'some marks': evidenceOf({ content: `Great${'!'.repeat(30)}` }),
    'marks behind much text': evidenceOf({ content: `${'A word or two. '.repeat(60)}${'!'.repeat(60)}` }),
    'another loop': evidenceOf({ content: 'claus '.repeat(100) }),
    'what the engine says itself': evidenceOf({ content: '!'.repeat(200), stop: 'NaN happened' }),
    'no content': evidenceOf({ content: null }),
    'no smoke': { target: evidenceOf({}).target },
  },
})
