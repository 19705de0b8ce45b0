import { brokenCharacters } from '../../../src/judge/rules/broken-characters.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf } from '../samples.ts'

ruleTable(brokenCharacters, {
  speaks: {
    'in the content': [
      evidenceOf({ content: ' \ufffd\ufffdáb je venku \ufffd' }),
      { code: 'engine.detokenizer', verdict: 'degraded' },
    ],
    'bytes as tokens': [evidenceOf({ content: 'Hi <0xF0><0x9F><0x91><0x8B>' }), { code: 'engine.detokenizer' }],
    'marks of the vocabulary': [evidenceOf({ content: 'HelloĠthereĠmyĠoldĠfriend' }), { code: 'engine.detokenizer' }],
    'UTF-8 that was encoded twice': [
      evidenceOf({ content: 'cafÃ© dÃ©jÃ\u00a0 vu garÃ§on' }),
      { code: 'engine.detokenizer' },
    ],
    'in the reasoning': [evidenceOf({ reasoning: '\ufffd\ufffd' }), { code: 'engine.detokenizer' }],
  },
  silent: {
    'an answer': evidenceOf({ content: 'Hřib, 你好, 🚀' }),
    'one name with such a letter': evidenceOf({ content: 'Ġgantija is a temple; so is Ħaġar Qim, near Żurrieq.' }),
    'names in Maltese': evidenceOf({ content: 'Ġappun, Ġermanja, Ċilì, Ġorġja, Ġordan, Ġibuti' }),
    Portuguese: evidenceOf({ content: 'Ãs vezes não são irmãs.' }),
    'marks in code': evidenceOf({ content: 'A token looks like `Ġthe`, `Ġof`, `Ġand`, `Ġin`.' }),
    'one at the end': evidenceOf({ content: 'a rocket \ufffd' }),
    'a prompt with them': evidenceOf({ content: 'You wrote \ufffd\ufffd.' }, { prompt: 'What is \ufffd\ufffd?' }),
    'code points in a manual of Perl': evidenceOf({
      content: 'Strings of C<0x00>..C<0x7F> do not trigger it, C<0x80> does.',
    }),
    'one byte in words': evidenceOf({ content: 'The token <0x0A> is a line end.' }),
    'bars that grow': evidenceOf({ content: '"frames": ["▁", "▂", "▁", "▄", "▁", "▅", "▁", "▆"]' }),
    nothing: evidenceOf({ content: null }),
  },
})
