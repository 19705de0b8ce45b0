import { expect, test } from 'vitest'
import { smokeFacts } from '../../../src/commands/smoke/facts.ts'
import type { Completion } from '../../../src/domain/completion.ts'
import { evidenceOf } from '../../judge/samples.ts'

test.each<[Partial<Completion>, string]>([
  [{ finish: 'stop', stop: 248046 }, 'stop (stop token 248046)'],
  [{ finish: 'stop', stop: '\n\n' }, 'stop (stop word "\\n\\n")'],
  [{ finish: 'stop', stop: `###${' x'.repeat(80)}` }, `stop (stop word "###${' x'.repeat(28)}${' '}…")`],
  [{ finish: 'length', stop: null }, 'length'],
  [{ finish: null, stop: null }, 'the server sent none'],
])('%j ended so: %s', (change, finish) => {
  const facts = smokeFacts(evidenceOf(change))
  expect(facts.find(({ label }) => label === 'Finish')?.value).toBe(finish)
  expect(facts.map(({ label }) => label)).not.toContain('Stop detail')
})
