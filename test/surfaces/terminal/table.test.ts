import { expect, test } from 'vitest'
import { widthOf } from '../../../src/surfaces/terminal/columns.ts'
import { pairLines, tableLines } from '../../../src/surfaces/terminal/table.ts'
import { random, seedOf } from '../../random.ts'

const HEAD = ['When', 'Who', 'What', 'Target', 'Where', 'Result']
const ROWS = [
  [
    '14\u00a0Nov\u00a022:13',
    'Anna (U0123ABCD)',
    'sglang restart',
    'qwen',
    'C0123ABCD',
    'refused: qwen is locked by Ben',
  ],
  ['14\u00a0Nov\u00a022:12', 'U0BEN', 'smoke', 'llama', 'C0123ABCD', 'healthy'],
]

test('a table that fits is aligned, one line a row', () => {
  expect(tableLines(HEAD, ROWS, 120)).toHaveLength(3)
})

test('in 80 columns words go on in the next line, and what must not break stays whole', () => {
  expect(tableLines(HEAD, ROWS, 80)).toEqual([
    'When          Who          What            Target  Where      Result',
    '14\u00a0Nov\u00a022:13  Anna         sglang restart  qwen    C0123ABCD  refused: qwen',
    '              (U0123ABCD)                                     is locked by',
    '                                                              Ben',
    '14\u00a0Nov\u00a022:12  U0BEN        smoke           llama   C0123ABCD  healthy',
  ])
})

test('in 40 columns each row is a block', () => {
  expect(tableLines(HEAD, ROWS.slice(0, 1), 40)).toEqual([
    'When    14\u00a0Nov\u00a022:13',
    'Who     Anna (U0123ABCD)',
    'What    sglang restart',
    'Target  qwen',
    'Where   C0123ABCD',
    'Result  refused: qwen is locked by Ben',
  ])
})

test('a long value goes on below its beginning', () => {
  expect(pairLines([['Why', 'one two three four']], 17)).toEqual(['Why  one two', '     three four'])
})

test('2,000 tables in screens of 20 to 140 columns: no word is lost or cut, and only a word too long passes the edge', () => {
  const seed = seedOf('TABLE_SEED', 71)
  const { below, pick } = random(seed)
  const words = ['C0123ABCD', 'a', '盒子', 'sglang', '--speculative-algorithm', '14\u00a0Nov\u00a022:13', '(U0ANNA)']
  let [wide, folded] = [0, 0]
  for (let round = 0; round < 2_000; round += 1) {
    const [columns, width] = [1 + below(7), 20 + below(121)]
    const cell = () => Array.from({ length: below(9) }, () => pick(words) ?? '').join(' ')
    const head = Array.from({ length: columns }, (_, at) => `h${at}`)
    const rows = Array.from({ length: 1 + below(4) }, () => Array.from(head, cell))
    const lines = tableLines(head, rows, width)
    const shown = lines.flatMap((line) => line.split(' ')).filter((word) => words.includes(word))
    const given = rows
      .flat()
      .flatMap((one) => one.split(' '))
      .filter((word) => words.includes(word))
    expect(shown.toSorted(), `seed ${seed}, round ${round}`).toEqual(given.toSorted())
    const least = Math.max(...words.map(widthOf)) + 'h0'.length + 2
    for (const line of lines) {
      if (widthOf(line) > width) wide += 1
      expect(widthOf(line), `seed ${seed}, round ${round}: ${line}`).toBeLessThanOrEqual(Math.max(width, least))
    }
    if (lines.length > rows.length + 1) folded += 1
  }
  console.log(`2000 tables, ${folded} folded; lines past the edge, each of one word: ${wide}`)
  expect(folded).toBeGreaterThan(500)
})
