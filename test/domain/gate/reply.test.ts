import { describe, expect, test } from 'vitest'
import { gateReader, readReply } from '../../../src/domain/gate/reply.ts'
import { LARGEST_SECTION } from '../../../src/domain/gate.ts'
import { growth } from '../../growth.ts'
import { random, randomText } from '../../random.ts'

const OP = '0123456789abcdef0123456789abcdef'
const OTHER = 'fedcba9876543210fedcba9876543210'

const begin = `\nGATE ${OP} begin 1 installed\n`
const end = `\nGATE ${OP} end 0\n`
const section = (name: string, text: string, rc = 0) =>
  `\nGATE ${OP} section ${name}\n${text}\nGATE ${OP} close ${rc}\n`
const whole = (name: string, text: string) => begin + section(name, text) + end

test.each([
  ['a text', 'hello'],
  ['nothing', ''],
  ['one line', 'hello\n'],
  ['only line ends', '\n\n\n'],
  ['line ends around', '\n\na\n\n'],
  ['many lines', 'a\nb\n\nc'],
  ['marks of another operation', `a\nGATE ${OTHER} close 0\n\nGATE ${OTHER} end 0\n`],
  ['a refusal of another line', 'GATE - begin 1 installed\n\nGATE - refused form\n'],
  ['its own mark within a line', `x GATE ${OP} end 9`],
  ['nearly its own mark', `GATE ${OP}0 end 9\nGATE ${OP.toUpperCase()} end 9\n GATE ${OP} end 9`],
  ['carriage returns and escapes', '\r\n\x1b[31mred\x1b[0m\r\n'],
  ['other letters', '你好 😀\u2028\u0000\uFFFD'],
])('an answer holds %s as it was', (_, text) => {
  expect(readReply(whole('ping', text), OP)).toEqual({
    ok: true,
    value: {
      rc: 0,
      delivery: 'installed',
      noise: '',
      sections: [{ name: 'ping', rc: 0, text, truncated: false }],
    },
  })
})

test.each([
  ['a greeting', 'Welcome to box\n'],
  ['a greeting without a line end', 'Welcome to box'],
  ['colours', '\x1b]0;box\x07\x1b[1mhi\x1b[0m\n'],
  ['the frame of another operation', `${whole('ping', 'x').replaceAll(OP, OTHER)}`],
  ['the refusal of another line', '\nGATE - begin 1 quick\n\nGATE - refused form\n'],
])('an answer is found behind %s', (_, noise) => {
  const read = readReply(`${noise}${whole('ping', 'x')}bye\n\nGATE ${OP} end 5\n`, OP)
  expect(read).toMatchObject({ ok: true, value: { rc: 0, noise, sections: [{ text: 'x' }] } })
})

test('an answer keeps the order of its sections and their statuses', () => {
  const text = `${begin.replace('installed', 'quick')}${section('a', '1', 9)}stray\n${section('b.c-d', '2', 124)}\nGATE ${OP} end 76\n`
  expect(readReply(text, OP)).toMatchObject({
    ok: true,
    value: {
      rc: 76,
      delivery: 'quick',
      sections: [
        { name: 'a', rc: 9, text: '1' },
        { name: 'b.c-d', rc: 124, text: '2' },
      ],
    },
  })
})

test.each([
  [LARGEST_SECTION, false],
  [LARGEST_SECTION + 1, true],
])('of a section of %i bytes knows whether it was cut: %s', (bytes, truncated) => {
  for (const letter of ['a', 'a\n']) {
    const text = letter.repeat(bytes / letter.length).padEnd(bytes, 'b')
    const read = readReply(whole('log', text), OP)
    expect(read.ok && read.value.sections[0]?.truncated).toBe(truncated)
    expect(read.ok && read.value.sections[0]?.text === text).toBe(true)
  }
})

test.each([
  ['', /nothing at all/],
  ['\n\n', /nothing at all/],
  ['This account is currently not available.\n', /but: This account is currently not available\./],
  [`bash: line 1: GATE ${OP} begin 1 installed\n`, /no answer of the gate/],
  [whole('ping', 'x').replaceAll(OP, OTHER), /no answer of the gate/],
  ['\x1b[31mnope', /nope/],
])('gate-missing: %j', (stdout, observed) => {
  expect(readReply(stdout, OP, 'host box')).toEqual({
    ok: false,
    failure: {
      kind: 'gate-missing',
      thing: 'host box',
      observed: expect.stringMatching(observed),
      next: expect.stringMatching(/gate/),
    },
  })
})

test.each([
  ['\nGATE - begin 1 installed\n\nGATE - refused form of the line\n', /form of the line/],
  ['motd\n\nGATE - begin 1 installed\n\nGATE - refused bytes', /bytes/],
])('gate-refused: %j', (stdout, observed) => {
  const read = readReply(stdout, OP)
  expect(read).toMatchObject({
    ok: false,
    failure: { kind: 'gate-refused', observed: expect.stringMatching(observed) },
  })
})

const mark = (text: string) => `\nGATE ${OP} ${text}\n`
test.each([
  ['no end', begin + section('a', '1'), /stops in the middle/],
  ['an end without a line end', (begin + section('a', '1') + end).trimEnd(), /stops in the middle/],
  ['an open section', begin + mark('section a'), /stops in the middle/],
  ['another protocol', mark('begin 2 installed with more') + end, /protocol 2/],
  ['no protocol', mark('begin') + end, /protocol/],
  ['an unknown delivery', mark('begin 1 carried') + end, /begin 1 carried/],
  ['two beginnings', begin + begin + end, /begin 1 installed/],
  ['an end first', end, /end 0/],
  ['a section first', section('a', '1') + end, /section a/],
  ['a close too many', begin + mark('close 0') + end, /close 0/],
  ['a section in a section', begin + mark('section a') + section('b', '1') + end, /section b/],
  ['an end in a section', begin + mark('section a') + end, /end 0/],
  ['a section without a name', begin + mark('section') + end, /section/],
  ['a name with a slash', begin + section('../a', '1') + end, /section/],
  ['a status that is none', begin + mark('end x') + end, /end x/],
  ['a status below 0', begin + mark('end -1') + end, /end -1/],
  ['a long status', begin + mark('end 1000') + end, /end 1000/],
  ['two statuses', begin + mark('end 0 1') + end, /end 0 1/],
  ['no status', begin + mark('end') + end, /end/],
  ['an unknown mark', begin + mark('done') + end, /done/],
  ['a section without bounds', whole('a', 'abc\n'.repeat(LARGEST_SECTION)), /does not end/],
])('gate-garbled: %s', (_, stdout, observed) => {
  expect(readReply(stdout, OP)).toMatchObject({
    ok: false,
    failure: {
      kind: 'gate-garbled',
      thing: 'the gate',
      observed: expect.stringMatching(observed),
      next: expect.any(String),
    },
  })
})

test('an answer that is not whole hands on what had come', () => {
  expect(readReply(`motd${begin}${section('a', '1')}\nGATE ${OP} section b\nhal`, OP)).toMatchObject({
    partial: {
      noise: 'motd',
      sections: [
        { name: 'a', rc: 0, text: '1' },
        { name: 'b', rc: null },
      ],
    },
  })
})

test('an answer cut at any byte is never a success', () => {
  const text = `motd\n${begin}${section('ping', 'user=a\n\nhost=b')}${section('é', '1').replace(' é', ' e')}${end}`
  expect(readReply(text, OP).ok).toBe(true)
  for (let bytes = 0; bytes < text.length; bytes += 1) {
    const read = readReply(text.slice(0, bytes), OP)
    expect(read.ok ? bytes : read.failure.kind).toMatch(/^gate-(missing|garbled)$/)
  }
})

test('3,000 random arrangements never throw', () => {
  const pieces = [
    begin,
    end,
    section('a', 'x'),
    mark('section b'),
    mark('close 3'),
    mark('nonsense'),
    '\n',
    'noise',
    '\0',
    `GATE ${OP}`,
  ]
  for (let seed = 0; seed < 3_000; seed += 1) {
    const read = readReply(randomText(seed, pieces, 8), OP)
    if (!read.ok) expect(read.failure.observed, String(seed)).not.toBe('')
  }
})

const LENGTH = 256 * 1024

test.each([
  ['one long line', 'x'],
  ['line ends', '\n'],
  ['nearly marks', `GATE ${OP}`],
  ['marks without an end', `\nGATE ${OP.slice(1)} close`],
  ['blanks', ' '],
])(
  '%s, whole or in pieces, is read in a time that doubles with its length',
  (_, piece) => {
    const { once, twice, times } = growth(readBothWays, (length) => piece.repeat(length / piece.length), LENGTH)
    console.info(`256 KiB: ${once.toFixed(0)} ms, 512 KiB: ${twice.toFixed(0)} ms`)
    expect(times).toBeLessThan(3)
  },
  60_000,
)

function readBothWays(garbage: string): void {
  expect(readReply(garbage, OP).ok).toBe(false)
  expect(readReply(garbage + whole('a', '1'), OP).ok).toBe(true)
  const reader = gateReader(OP, 'log')
  for (let at = 0; at < garbage.length; at += 64) reader.push(garbage.slice(at, at + 64))
  expect(reader.finish().ok).toBe(false)
}

describe('piece by piece', () => {
  const log = '{"MESSAGE":"1"}\n\n\n{"MESSAGE":"2"}\nlast without an end'
  const stream = `motd\n${begin}${section('file', '8:1 5 0')}${section('log', log)}${end}bye\n`

  test('however it is split, the lines and the answer are the same', () => {
    for (let seed = 0; seed < 300; seed += 1) {
      const { below } = random(seed)
      const reader = gateReader(OP, 'log')
      const lines: string[] = []
      for (let at = 0; at < stream.length; ) {
        const size = 1 + below(seed < 10 ? 1 : 40)
        lines.push(...reader.push(stream.slice(at, at + size)))
        at += size
      }
      expect(lines.join('\n'), String(seed)).toBe(log)
      expect(reader.finish()).toMatchObject({
        ok: true,
        value: {
          rc: 0,
          noise: 'motd\n',
          sections: [
            { name: 'file', text: '8:1 5 0' },
            { name: 'log', rc: 0, text: '' },
          ],
        },
      })
    }
  })

  test('a line is handed on as soon as it is whole', () => {
    const reader = gateReader(OP, 'log')
    expect(reader.push(`${begin}\nGATE ${OP} section log\n{"a"`)).toEqual([])
    expect(reader.push(':1}\n')).toEqual(['{"a":1}'])
    expect(reader.push('\n')).toEqual([])
    expect(reader.push('b\n')).toEqual(['', 'b'])
    expect(reader.finish()).toMatchObject({ ok: false, failure: { kind: 'gate-garbled' } })
  })

  test('a refusal comes as a section', () => {
    const reader = gateReader(OP, 'log')
    expect(reader.push(`${begin}${section('refusal', 'no-such-unit sglang')}\nGATE ${OP} end 67\n`)).toEqual([])
    expect(reader.finish()).toMatchObject({ ok: true, value: { rc: 67, sections: [{ name: 'refusal' }] } })
  })

  test('a followed section has no bounds, and no line of it is longer than a section', () => {
    const reader = gateReader(OP, 'log')
    reader.push(`${begin}\nGATE ${OP} section log\n`)
    let count = 0
    for (let round = 0; round < 50; round += 1) count += reader.push(`${'x'.repeat(99_999)}\n`).length
    expect(count).toBe(50)
    for (let round = 0; round < 10; round += 1) reader.push('x'.repeat(100_000))
    expect(reader.push('\n')).toEqual(['x'.repeat(LARGEST_SECTION + 1)])
    reader.push(`\nGATE ${OP} close 0\n${end}`)
    expect(reader.finish().ok).toBe(true)
  })
})
