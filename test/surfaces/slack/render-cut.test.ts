import { expect, test } from 'vitest'
import type { Report } from '../../../src/domain/report.ts'
import { report } from '../../../src/domain/report.ts'
import { written } from '../../../src/surfaces/slack/escape.ts'
import { whole } from '../../../src/surfaces/slack/render.ts'
import { fitted } from '../../../src/surfaces/slack/table-fit.ts'

/** A report as it is shown: what a reader sees at once, and what is behind its buttons and in its files. */
function shown(given: Partial<Report>) {
  const full = fitted(report({ tone: 'good', status: 'done', title: 'x', ...given }))
  const { messages, files } = whole(full, [], false)
  const words = messages.flatMap((one) => one.again?.(['blocks']) ?? [])
  return {
    blocks: JSON.stringify(messages.map(({ blocks }) => blocks)),
    words: words.map(({ text }) => written(text)).join('\n'),
    behind: JSON.stringify(full.actions.map(({ reveals }) => reveals)),
    labels: full.actions.map(({ label }) => label),
    files,
  }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
const WORD = 'whole-text '

test('150 facts: the first stand there, the others behind a button, on every rung', () => {
  const facts = numbers(0, 150).map((no) => ({ label: `fact <${no}>`, value: `value ${no}` }))
  const { blocks, words, behind, labels, files } = shown({ facts })
  const there = numbers(0, 150).filter((no) => blocks.includes(`"fact <${no}>"`))
  expect(there).toEqual(numbers(0, 99))
  expect(labels).toEqual(['Show 51 more rows: Facts'])
  for (const no of numbers(0, 150)) expect(there.includes(no) ? words : behind).toMatch(RegExp(`value ${no}\\b`))
  expect(files).toEqual([])
})

test('a fact that is cut is whole in a file, also on the rung of words', () => {
  const value = WORD.repeat(40)
  const { blocks, words, files } = shown({ facts: [{ label: 'Said', value }] })
  for (const text of [blocks, words]) expect(text).not.toContain(value)
  expect(files).toEqual([{ name: 'facts.txt', text: `Fact: Said\nValue: ${value}` }])
})

test('a cell that is cut is whole in a file that the title of its table names', () => {
  const cell = `${WORD.repeat(40)}\nand a second line`
  const { blocks, files } = shown({
    tables: [
      {
        title: 'Logs (all)',
        columns: ['Host', 'Line'],
        rows: [
          ['node1', cell],
          ['node2', 'short'],
        ],
      },
    ],
  })
  expect(blocks).toContain('*Logs (all) (whole in logs.txt)*')
  expect(files).toEqual([{ name: 'logs.txt', text: `Host: node1\nLine: ${cell}\n\nHost: node2\nLine: short` }])
})

test('cells beyond the columns of a table are in its file', () => {
  const row = numbers(0, 25).map((no) => `cell ${no}`)
  const { files } = shown({ tables: [{ title: '', columns: ['a'], rows: [row] }] })
  expect(files[0]).toMatchObject({ name: 'table.txt', text: expect.stringContaining('25: cell 24') })
})

test('a summary that is cut in words is whole in a file', () => {
  const summary = WORD.repeat(150)
  expect(shown({ summary }).files).toEqual([{ name: 'summary.txt', text: summary }])
  expect(shown({ summary: WORD.repeat(100) }).files).toEqual([])
})

test('what the report brought as a file already is not made again, and a name is taken once', () => {
  const summary = WORD.repeat(150)
  const brought = { name: 'all.txt', text: `before ${summary} after` }
  expect(shown({ summary, files: [brought] }).files).toEqual([brought])
  const other = { name: 'summary.txt', text: 'another' }
  expect(shown({ summary, files: [other] }).files).toEqual([other, { name: 'summary-2.txt', text: summary }])
})

test('nothing is cut: no file and no button', () => {
  const { files, labels } = shown({ facts: [{ label: 'a', value: 'ends with…' }], summary: 's', tables: [] })
  expect([files, labels]).toEqual([[], []])
})
