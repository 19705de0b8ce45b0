import { expect } from 'vitest'
import { tokenFlood } from '../../../src/judge/rules/token-flood.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf } from '../samples.ts'

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
