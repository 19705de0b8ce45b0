import { brokenCharacters } from '../../../src/judge/rules/broken-characters.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf } from '../samples.ts'

ruleTable(brokenCharacters, {
  speaks: {
    'in the content': [
      evidenceOf({ content: ' \ufffd\ufffdáb je venku \ufffd' }),
      { code: 'engine.detokenizer', verdict: 'degraded' },
    ],
    'in the reasoning': [evidenceOf({ reasoning: '\ufffd\ufffd' }), { code: 'engine.detokenizer' }],
  },
  silent: {
    'an answer': evidenceOf({ content: 'Hřib, 你好, 🚀' }),
    'one at the end': evidenceOf({ content: 'a rocket \ufffd' }),
    'a prompt with them': evidenceOf({ content: 'You wrote \ufffd\ufffd.' }, { prompt: 'What is \ufffd\ufffd?' }),
    nothing: evidenceOf({ content: null }),
  },
})
