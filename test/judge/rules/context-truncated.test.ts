import { expect } from 'vitest'
import { contextTruncated } from '../../../src/judge/rules/context-truncated.ts'
import { asking, knowing } from '../asking.ts'
import { ruleTable } from '../rule-table.ts'
import { engineOf, evidenceOf, tokens } from '../samples.ts'
import { PROSE } from '../texts.ts'

const read = (prompt: number, cached: number | null = null) => ({ tokens: { ...tokens(10), prompt, cached } })
const long = Array.from({ length: 12 }, (_, at) => PROSE.replaceAll(/[a-z]+/g, (word) => word + at)).join('\n')

ruleTable(contextTruncated, {
  speaks: {
    'half of what was counted': [
      asking(evidenceOf(read(2050)), { prompt_tokens_estimate: 15_750 }),
      { code: 'context.silently-truncated', verdict: 'misconfigured', confidence: 'likely' },
    ],
    'and a line that says so': [
      knowing(
        asking(evidenceOf(read(2050)), { prompt_tokens_estimate: 15_750 }),
        'log_hint: truncating input prompt limit=4096',
      ),
      {
        confidence: 'certain',
        because: [expect.stringContaining('15,750 tokens were sent'), expect.stringContaining('truncating')],
      },
    ],
    'the line alone': [knowing(evidenceOf({}), 'log: input truncated, n_ctx = 4096'), { confidence: 'likely' }],
    'a prompt that was left out of the record': [
      evidenceOf(read(2048), { prompt: '<20k-token prompt>' }),
      {
        because: ['20,000 tokens were sent, the server counts 2,048 in the prompt', 'prompt: “<20k-token prompt>”'],
      },
    ],
    'very few tokens of a long prompt': [
      evidenceOf(read(512), { prompt: long }),
      { code: 'context.silently-truncated' },
    ],
    'with the setting of the engine': [
      { ...asking(evidenceOf(read(2050)), { prompt_tokens_estimate: 15_750 }), engine: engineOf({ kind: 'ollama' }) },
      { remedy: expect.arrayContaining([expect.stringContaining('OLLAMA_CONTEXT_LENGTH')]) },
    ],
  },
  silent: {
    'as many as were sent': asking(evidenceOf(read(15_700)), { prompt_tokens_estimate: 15_750 }),
    'most of them in the cache': asking(evidenceOf(read(750, 15_000)), { prompt_tokens_estimate: 15_750 }),
    'a rough estimate': asking(evidenceOf(read(700)), { prompt_tokens_estimate: 900 }),
    'nobody counted, a short prompt': evidenceOf(read(16)),
    'a long prompt, read': evidenceOf(read(5000), { prompt: long }),
    'a prompt that repeats itself': evidenceOf(read(400), { prompt: 'buffalo '.repeat(2000) }),
    'a wish for so many tokens': evidenceOf(read(12), { prompt: 'Write a story of 20k tokens' }),
    'no count of the server': evidenceOf({ tokens: { ...tokens(10), prompt: null } }, { prompt: long }),
    'no answer': { target: evidenceOf({}).target },
  },
})
