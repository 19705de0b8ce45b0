import { describe, expect, it } from 'vitest'
import { foldedProse } from '../../src/judge/folded-prose.ts'
import { CODE, PROSE } from './texts.ts'

describe('what of a text is prose', () => {
  it.each([
    ['prose', PROSE, 1],
    ['prose in one long line, with a mark in it', `${PROSE.replaceAll('\n', ' ')} a | b`, 1],
    [
      'formulas in sentences',
      'So the answer to the first of them is \\boxed{4}, and that of the second \\boxed{5}.',
      1,
    ],
    ['code in a fence', `\`\`\`\n${CODE}\`\`\`\n`, 0],
    ['rows of figures', '1 2 3\n4 5 6\n7 8 9\n', 0],
    ['figures in one long line', '65, 66, 67, '.repeat(60), 0],
    ['readings', 'decode: x 4,472 ops/sec ±0.90% (99 runs sampled)\n'.repeat(3), 0],
    ['columns', 'local code      140960 bytes\n'.repeat(3), 0],
    ['values between commas', '1,lab,20.5,C\n2,lab,20.5,C\n', 0],
    ['rules of style in one line', '.m-1{margin:4px}.m-2{margin:8px}.m-3{margin:16px}', 0],
    ['a matrix in LaTeX', 'a & b & c \\\\\nd & e & f \\\\\n', 0],
  ])('%s', (_, text, share) => {
    expect(foldedProse(text).share).toBe(share)
  })

  it('is folded, and knows where it stood', () => {
    expect(foldedProse('Step 17:\n\n  on')).toMatchObject({ text: 'step 0: on', at: [0, 1, 2, 3, 4, 5, 7, 8, 12, 13] })
  })
})
