import { describe, expect, test } from 'vitest'
import type { LogEvidence, Sign, Signature } from '../../../src/domain/signature.ts'
import { LONGEST_LINE, MOST_SIGNS, SIGNS_EACH } from '../../../src/domain/signature.ts'
import { logScanner, scanText } from '../../../src/judge/log/scan.ts'
import { random } from '../../random.ts'

const made = (name: string, pattern: RegExp, ...anchors: [string, ...string[]]): Signature => ({
  name,
  anchors,
  pattern,
  example: '',
  nearMiss: '',
})

const SIGNATURES: readonly Signature[] = [
  made('memory', /Not enough memory(?<where> on \w+)?/, 'Not enough memory'),
  made('exit', /exit code: (?<code>-?\d+)/, 'exit code: ', 'exited'),
  made('shards', /shards: +(?<percent>\d+)%/, 'shards: '),
  made('name', /Größe/, 'Größe'),
  made('overlap', /memory on GPU/, 'memory on GPU'),
]

/** The same by the plainest means: every line, every signature. */
function plainly(text: string, signatures: readonly Signature[]): LogEvidence {
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  const seen = lines.map((line) => line.slice(0, LONGEST_LINE))
  const all = seen.flatMap((line, index) =>
    signatures.flatMap(({ name, anchors, pattern }): Sign[] => {
      const found = anchors.some((anchor) => line.includes(anchor)) ? pattern.exec(line) : null
      if (found === null) return []
      const fields = Object.fromEntries(Object.entries(found.groups ?? {}).filter(([, taken]) => taken !== undefined))
      return [{ name, line, at: index + 1, fields, above: seen.slice(Math.max(0, index - 5), index) }]
    }),
  )
  const of = Map.groupBy(all, ({ name }) => name)
  const isKept = (sign: Sign) => {
    const same = of.get(sign.name) ?? []
    const place = same.indexOf(sign)
    return place < SIGNS_EACH || place >= same.length - SIGNS_EACH
  }
  const sizes = lines.map((line) => Buffer.byteLength(line))
  const most = Math.max(0, ...sizes)
  return {
    writer: null,
    ...(most > 64 * 1024 ? { longest: { at: sizes.indexOf(most) + 1, bytes: most } } : {}),
    signs: all.filter(isKept).slice(0, MOST_SIGNS),
    counts: Object.fromEntries([...of].map(([name, { length }]) => [name, length])),
    lines: lines.length,
    end: seen.slice(-20),
    cut: null,
  }
}

function inPieces(text: string, size: number, signatures = SIGNATURES): LogEvidence {
  const scanner = logScanner(signatures)
  const bytes = Buffer.from(text)
  // one memory for all pieces, as a reader of files has
  const piece = Buffer.alloc(size)
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(piece, 0, at, at + size)
    scanner.feed(piece.subarray(0, length))
    piece.fill(0)
  }
  return scanner.end()
}

const WORDS = [
  ...['Not enough memory', ' on GPU', 'exit code: ', '-9', 'exited', 'shards: ', ' 40%', 'Größe', '€', '🔥', 'memory'],
  ...['\n', '\r\n', '\r', '\n\n', ' ', 'x', 'ot enough memory', 'Not enough', '\u0000', '\n', 'x'.repeat(700)],
]

const PIECES = [1, 7, 64, 5000]

describe('finds what plain search finds', () => {
  test.each(PIECES)('random lines in pieces of %i bytes', (size) => {
    let signs = 0
    for (let seed = 1; seed <= 150; seed += 1) {
      const { below, pick } = random(seed)
      const text = Array.from({ length: below(300) }, () => pick(WORDS) ?? '').join('')
      const expected = plainly(text, SIGNATURES)
      signs += expected.signs.length
      expect({ seed, ...inPieces(text, size) }).toEqual({ seed, ...expected })
    }
    expect(signs).toBeGreaterThan(1000)
  })

  test('lines longer than is read of one', () => {
    for (const filler of ['x', '€', '🔥', '\u0000'])
      for (const length of [LONGEST_LINE - 20, LONGEST_LINE - 5, LONGEST_LINE, 40_000])
        for (const size of PIECES) {
          const text = `exited\n${filler.repeat(length)}Not enough memory on GPU\nexit code: 1\r\n`
          expect({ filler, length, size, ...inPieces(text, size) }).toEqual({
            filler,
            length,
            size,
            ...plainly(text, SIGNATURES),
          })
        }
  })

  test('more signs than are kept', () => {
    const many = Array.from({ length: 80 }, (_, n) =>
      made(`s${n}`, new RegExp(`sign number ${n}\\b`), `sign number ${n}`),
    )
    const { below } = random(5)
    const text = Array.from({ length: 8000 }, () => `a sign number ${below(80)} b\n`).join('')
    const expected = plainly(text, many)
    expect(expected.signs).toHaveLength(MOST_SIGNS)
    for (const size of [64, 5000, text.length]) expect(inPieces(text, size, many)).toEqual(expected)
  })
})

test('numbers, groups and the lines above', () => {
  const text = Array.from({ length: 30 }, (_, n) => (n === 25 ? 'the exit code: -9' : `line ${n + 1}`)).join('\n')
  const { signs, lines, end, counts } = scanText(text, SIGNATURES)
  expect(signs).toEqual([
    {
      name: 'exit',
      line: 'the exit code: -9',
      at: 26,
      fields: { code: '-9' },
      above: ['line 21', 'line 22', 'line 23', 'line 24', 'line 25'],
    },
  ])
  expect({ lines, counts, last: end.at(-1), ends: end.length }).toEqual({
    lines: 30,
    counts: { exit: 1 },
    last: 'line 30',
    ends: 20,
  })
})

test('a progress bar is as many lines as it was drawn', () => {
  const { lines, signs } = scanText('start\nshards: 10%\rshards: 20%\rshards: 100%\nend', SIGNATURES)
  expect(lines).toBe(5)
  expect(signs.map(({ at, fields }) => [at, fields['percent']])).toEqual([
    [2, '10'],
    [3, '20'],
    [4, '100'],
  ])
})

test('nothing is no line', () => {
  expect(scanText('', SIGNATURES)).toEqual({ writer: null, signs: [], counts: {}, lines: 0, end: [], cut: null })
})

test('40 MB on one line are held as its beginning', () => {
  const scanner = logScanner(SIGNATURES)
  const piece = Buffer.alloc(1 << 16, 'exit code: 7 ')
  const before = process.memoryUsage().arrayBuffers
  for (let fed = 0; fed < 40 * 2 ** 20; fed += piece.length) scanner.feed(piece)
  const grown = process.memoryUsage().arrayBuffers - before
  const { lines, signs, longest } = scanner.end()
  expect({ lines, signs: signs.length, line: signs[0]?.line.length, longest }).toEqual({
    lines: 1,
    signs: 1,
    line: LONGEST_LINE,
    longest: { at: 1, bytes: 40 * 2 ** 20 },
  })
  expect(grown).toBeLessThan(30 * 2 ** 20)
})

test('the longest line is told with its length, whatever the pieces are', () => {
  const text = (end: string) => `first${end}${'a'.repeat(70_000)}${end}${'b'.repeat(90_000)}${end}last`
  for (const end of ['\n', '\r\n', '\r'])
    for (const size of [1, 4096, 65_536, 1 << 20])
      expect(inPieces(text(end), size).longest).toEqual({ at: 3, bytes: 90_000 })
  expect(inPieces('c'.repeat(64 * 1024), 7).longest).toBeUndefined()
})

describe('who wrote it', () => {
  test.each([
    ['[t] Load weight end. avail mem=1 GB\n  File "/venv/vllm/x.py"', 'sglang'],
    ['INFO (EngineCore pid=12) Starting to load model', 'vllm'],
    ['llama_model_loader: loaded meta data', 'llama-cpp'],
    ['ggml_cuda_init: found 1\nlevel=INFO source=server.go:12 msg="starting"', 'ollama'],
    ['Jan 1 gpu1 systemd[1]: llm.service: Failed with result', 'systemd'],
    ['Traceback (most recent call last):', null],
  ])('%j', (text, writer) => {
    expect(scanText(text, SIGNATURES).writer).toBe(writer)
  })

  test('what is said of it counts more than its lines', () => {
    expect(scanText('llama_model_loader: loaded', SIGNATURES, 'vllm').writer).toBe('vllm')
  })
})
