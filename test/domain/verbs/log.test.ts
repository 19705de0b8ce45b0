import { describe, expect, test } from 'vitest'
import { LARGEST_SECTION } from '../../../src/domain/gate.ts'
import { follow, log } from '../../../src/domain/verbs/index.ts'
import type { LogArgs } from '../../../src/domain/verbs/log.ts'
import { randomText } from '../../random.ts'
import { CURSOR, cut, entry, INVOCATION, PACKED, reply } from './replies.ts'

const args = (more: Partial<LogArgs> = {}): LogArgs => ({ unit: 'sglang', lines: 200, ...more })
const journal = (text: string, more: Partial<LogArgs> = {}) => log.parse(reply({ log: text }), args(more))
const texts = (read: ReturnType<typeof journal>) => (read.ok ? read.value.lines.map(({ text }) => text) : read.failure)

test('an entry of the journal', () => {
  expect(journal(`${entry('Loading weights')}\n`)).toEqual({
    ok: true,
    value: {
      lines: [
        {
          at: 1767225600123,
          pid: 4242,
          invocation: INVOCATION,
          cursor: PACKED,
          priority: 6,
          text: 'Loading weights',
        },
      ],
      notes: [],
      cut: null,
      file: null,
    },
  })
})

test.each([
  ['text', 'plain', 'plain'],
  ['an empty text', '', ''],
  ['too long for journalctl', null, null],
  ['bytes', [27, 91, 49, 109, 195, 164], '\x1b[1mä'],
  ['bytes that are no UTF-8', [104, 255, 105], 'h\uFFFDi'],
  ['no bytes', [], null],
  ['numbers that are no bytes', [104, 256], null],
  ['numbers below 0', [-1], null],
  ['fractions', [1.5], null],
  ['bytes and text', [104, 'i'], null],
  ['two messages', ['one', 'two'], 'one'],
  ['two messages of bytes', [[104, 105], [1]], 'hi'],
  ['a number', 5, null],
  ['an object', { a: 1 }, null],
])('a message of %s', (_, message, text) => {
  expect(texts(journal(entry(message)))).toEqual([text])
})

test.each([
  [
    { PRIORITY: 'x', _PID: '-4', __REALTIME_TIMESTAMP: 'soon' },
    { at: null, pid: null, priority: null },
  ],
  [
    { PRIORITY: 3, _PID: 4, __REALTIME_TIMESTAMP: 5 },
    { at: null, pid: null, priority: null },
  ],
  [{ __REALTIME_TIMESTAMP: '99999999999999999999' }, { at: null }],
  [{ _SYSTEMD_INVOCATION_ID: null }, { invocation: null }],
  [{ __CURSOR: CURSOR.replace('s=', 's=x') }, { cursor: null }],
  [{ __CURSOR: `${CURSOR};y=1` }, { cursor: null }],
  [{ __CURSOR: CURSOR.toUpperCase() }, { cursor: null }],
  [{ __CURSOR: '$(id)' }, { cursor: null }],
])('an entry with %j', (more, expected) => {
  expect(journal(entry('x', more))).toMatchObject({ ok: true, value: { lines: [{ ...expected, text: 'x' }] } })
})

test.each([
  ['hello'],
  ['{"MESSAGE":"x"}'],
  ['[]'],
  ['null'],
  ['5'],
  ['{'],
  [entry('x').slice(0, -1)],
  ['[['.repeat(9_000)],
])('a line that is no entry is a note: %.30j', (line) => {
  expect(journal(`${line}\n${entry('a')}\n`)).toMatchObject({
    ok: true,
    value: { lines: [{ text: 'a' }], notes: [line] },
  })
})

test('what journalctl says of no entries is no line', () => {
  expect(journal('-- No entries --\n')).toMatchObject({ ok: true, value: { lines: [], notes: [] } })
  expect(journal('')).toMatchObject({ ok: true, value: { lines: [], notes: [] } })
})

test('a journal that may not be read', () => {
  const said = 'Hint: You are currently not seeing messages from other users and the system.\nPermission denied'
  expect(log.parse(reply({ log: [1, said] }), args())).toMatchObject({
    ok: false,
    failure: { kind: 'permission', thing: 'journalctl' },
    partial: { lines: [], notes: said.split('\n') },
  })
})

test('behind a cursor the first lines count', () => {
  const text = ['a', 'b', 'c'].map((one) => entry(one)).join('\n')
  expect(texts(journal(text, { lines: 2, after: PACKED }))).toEqual(['a', 'b'])
})

test('never more lines than were asked for, and of more the last', () => {
  const text = Array.from({ length: 6_000 }, (_, at) => `{"__CURSOR":"x","MESSAGE":"${at}"}`).join('\n')
  expect(texts(journal(text, { lines: 2 }))).toEqual(['4998', '4999'])
  const all = journal(text, { lines: 9_999 })
  expect(all.ok && all.value.lines.length).toBe(5_000)
})

describe('what did not fit', () => {
  const half = entry('half').slice(0, 40)

  test('after a cursor the end is missing', () => {
    expect(log.parse(cut('log', `${entry('a')}\n${half}`), args({ after: PACKED }))).toMatchObject({
      ok: true,
      value: { cut: 'newer', lines: [{ text: 'a' }], notes: [] },
    })
  })

  test('else the beginning is missing', () => {
    const lines = `${entry('first'.repeat(20)).slice(40)}\n${entry('b')}\n`
    const text = `${lines}${' '.repeat(LARGEST_SECTION - lines.length)}`
    expect(journal(text)).toMatchObject({ ok: true, value: { cut: 'older', lines: [{ text: 'b' }], notes: [] } })
    expect(journal(text, { after: PACKED })).toMatchObject({ value: { cut: null, notes: [expect.any(String)] } })
    expect(journal(text.slice(1))).toMatchObject({ value: { cut: null } })
  })

  test('a cut section has no status of its own', () => {
    const { sections, ...rest } = cut('log', `${entry('a')}\n`)
    expect(log.parse({ ...rest, sections: sections.map((one) => ({ ...one, rc: 141 })) }, args()).ok).toBe(true)
  })
})

describe('a text to search for', () => {
  const words = (grep: string) => {
    const sent = log.words(args({ grep }))
    const at = sent.indexOf('grep')
    return { lines: sent[2], sieve: at < 0 ? null : Buffer.from(sent[at + 1] ?? '', 'base64url').toString() }
  }

  test.each([
    ['error', '200', 'error'],
    ['Größe 你好', '200', 'Größe 你好'],
    ['a "quoted" text', '5000', 'quoted'],
    ['C:\\path', '5000', 'path'],
    ['tab\there', '5000', 'here'],
    ['\x1b[31mred', '5000', '[31mred'],
    ['"', '5000', null],
    ['', '200', null],
    ['x'.repeat(151), '5000', 'x'.repeat(150)],
    ['€'.repeat(60), '5000', '€'.repeat(50)],
  ])('%.20j is sifted by a part that is the same in JSON', (grep, lines, sieve) => {
    expect(words(grep)).toEqual({ lines, sieve })
  })

  test('every line that holds it passes the sieve, in a journal and in a file', () => {
    const letters = ['a', 'b', ' ', '"', '\\', '\t', '/', 'é', '😀', '\u00a0', "'"]
    for (let seed = 0; seed < 2_000; seed += 1) {
      const grep = randomText(seed, letters, 12)
      const text = `x${grep}y`
      const sieve = words(grep).sieve ?? ''
      expect(text.includes(sieve) && JSON.stringify(text).includes(sieve), JSON.stringify(grep)).toBe(true)
    }
  })

  test('is looked for exactly among what comes', () => {
    const lines = ['say "no" now', 'say no now', 'SAY "NO"', null, '.*'].map((text) => entry(text)).join('\n')
    expect(texts(journal(lines, { grep: '"no"' }))).toEqual(['say "no" now'])
    expect(texts(journal(lines, { grep: '.*' }))).toEqual(['.*'])
    expect(texts(journal(lines, { grep: 'now', lines: 1 }))).toEqual(['say no now'])
  })
})

test.each([
  [entry('x'), { at: 1767225600123, cursor: PACKED, text: 'x' }],
  ['plain text', { at: null, cursor: null, text: 'plain text' }],
  ['{"level":"info"}', { at: null, text: '{"level":"info"}' }],
])('followed line %.20j', (line, expected) => {
  expect(follow.readLine(line, { unit: 'sglang', seconds: 5 })).toMatchObject(expected)
})

test('an empty followed line is nothing', () => {
  for (const line of ['', ' ', '\r']) expect(follow.readLine(line, { unit: 'sglang', seconds: 5 })).toBeNull()
})

test('words of a follow', () => {
  expect(follow.words({ unit: 'sglang', seconds: 60 })).toEqual(['sglang', 'seconds', '60'])
  expect(follow.words({ unit: 'sglang', seconds: 60, after: PACKED, invocation: INVOCATION }).slice(3)).toEqual([
    'after',
    PACKED,
    'invocation',
    INVOCATION,
  ])
  expect(log.words(args({ offset: 12 }))).toEqual(['sglang', 'lines', '200', 'offset', '12'])
  expect(log.words(args({ lines: 9_999 }))[2]).toBe('5000')
})
