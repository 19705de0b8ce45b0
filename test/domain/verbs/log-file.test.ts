import { expect, test } from 'vitest'
import { log } from '../../../src/domain/verbs/index.ts'
import type { LogArgs } from '../../../src/domain/verbs/log.ts'
import { reply } from './replies.ts'

const read = (text: string, more: Partial<LogArgs> = {}, file = '2049:77 5000 100\n') =>
  log.parse(reply({ file, log: text }), { unit: 'sglang', lines: 200, ...more })

test('a log file has lines of text only', () => {
  expect(read('INFO one\n\n{"a":1}\n')).toEqual({
    ok: true,
    value: {
      lines: ['INFO one', '', '{"a":1}'].map((text) => ({
        at: null,
        pid: null,
        invocation: null,
        cursor: null,
        priority: null,
        text,
      })),
      notes: [],
      cut: null,
      file: { id: '2049:77', size: 5000, next: 100 + 18 },
    },
  })
})

test.each([
  ['', 100],
  ['no line end', 100],
  ['one\ntwo', 104],
  ['ä\n', 103],
  ['\uFFFD\n', 102],
  ['-- No entries --\n', 117],
])('a log file is read on behind the whole lines of %j', (text, next) => {
  expect(read(text)).toMatchObject({ value: { file: { next } } })
})

test.each([
  [{}, ['one', '', 'two', 'thr'], 100 + 9],
  [{ lines: 2 }, ['two', 'thr'], 100 + 9],
  [{ offset: 100 }, ['one', '', 'two'], 100 + 9],
  [{ offset: 100, lines: 2 }, ['one', ''], 100 + 5],
  [{ grep: 't' }, ['two', 'thr'], null],
  [{ grep: 'o', offset: 100 }, ['one', 'two'], null],
  [{ grep: 'o', offset: 100, lines: 1 }, ['one'], null],
])('a log file asked for %j', (more, lines, next) => {
  const got = read('one\n\ntwo\nthr', more)
  expect(got.ok && got.value.lines.map((line) => line.text)).toEqual(lines)
  expect(got).toMatchObject({ value: { file: { next } } })
})

test('a log file read on and on gives every line once', () => {
  const whole = Array.from({ length: 100 }, (_, at) => (at % 7 === 0 ? '' : `zeile ä ${at}`))
  const bytes = Buffer.from(`${whole.join('\n')}\n`)
  const seen: (string | null)[] = []
  for (let offset = 0; offset < bytes.length; ) {
    const text = bytes.subarray(offset, offset + 300).toString()
    const got = read(text, { offset, lines: 9 }, `2049:77 ${bytes.length} ${offset}\n`)
    if (!got.ok) throw new Error(got.failure.observed)
    seen.push(...got.value.lines.map((line) => line.text))
    expect(got.value.file?.next).toBeGreaterThan(offset)
    offset = got.value.file?.next ?? bytes.length
  }
  expect(seen).toEqual(whole)
})

test.each([[''], ['2049:77 5000'], ['2049:77 x 0'], ['2049:77 5000 -1']])(
  'no log file without its place: %j',
  (file) => {
    expect(read('text\n', {}, file)).toMatchObject({ ok: true, value: { file: null, lines: [], notes: ['text'] } })
  },
)
