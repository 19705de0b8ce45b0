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
    'in the reasoning': [evidenceOf({ content: null, reasoning: '!'.repeat(100) }), { code: 'model.nan-logits' }],
  },
  silent: {
    'an answer': evidenceOf({}),
    'marks that were asked for': evidenceOf({ content: '!'.repeat(80) }, { prompt: 'Print 80 exclamation marks' }),
    'some marks': evidenceOf({ content: `Great${'!'.repeat(30)}` }),
    'marks behind much text': evidenceOf({ content: `${'A word or two. '.repeat(60)}${'!'.repeat(60)}` }),
    'another loop': evidenceOf({ content: 'claus '.repeat(100) }),
    'what the engine says itself': evidenceOf({ content: '!'.repeat(200), stop: 'NaN happened' }),
    'no content': evidenceOf({ content: null }),
    'no smoke': { target: evidenceOf({}).target },
  },
})
