import { describe, expect, test } from 'vitest'
import { LONGEST_LINE } from '../../../src/domain/signature.ts'
import { scanText } from '../../../src/judge/log/scan.ts'
import { signatures } from '../../../src/judge/rules/index.ts'

/** of one signature on one line, in ms; a pattern that runs in straight line needs less than one */
const MOST_MS = 40

test('every signature has its own name', () => {
  const names = signatures.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  expect(names.filter((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))).toEqual([])
})

describe.each(signatures.map((signature) => [signature.name, signature] as const))('%s', (name, signature) => {
  const { anchors, pattern, example, nearMiss } = signature

  test('takes its example by an anchor, and not its near miss', () => {
    const found = (line: string) => scanText(line, signatures).signs.some((sign) => sign.name === name)
    expect({ example: found(example), nearMiss: found(nearMiss) }).toEqual({ example: true, nearMiss: false })
    expect(pattern.test(nearMiss)).toBe(false)
  })

  test('has anchors of at least 6 bytes on one line, and a pattern without flags', () => {
    expect(anchors.filter((anchor) => Buffer.byteLength(anchor) < 6 || /[\r\n]/.test(anchor))).toEqual([])
    expect(pattern.flags).toBe('')
  })

  test(`is done with any line of ${LONGEST_LINE} characters within ${MOST_MS} ms`, () => {
    const slow = hostileLines(example, anchors)
      .map((line) => ({ line: line.slice(0, 60), ms: timeOf(pattern, line) }))
      .filter(({ ms }) => ms > MOST_MS)
    expect(slow).toEqual([])
  })
})

/** Beginnings that match followed by what may match for long, and by what may not. */
function hostileLines(example: string, anchors: readonly string[]): string[] {
  const beginnings = ['', ...anchors, ...anchors.map((anchor) => `${anchor} `), example, example.slice(0, -1)]
  const fillers = ['a', ' ', '0', '.', '=', ',', ':', "'", '(', '[', '/', 'a ', '0 ', '1.', 'a=1,', '-', '%', '|']
  return [...beginnings.flatMap((one) => [...fillers, ...anchors, example].map((filler) => long(one, filler)))]
}

function long(beginning: string, filler: string): string {
  return `${(beginning + filler.repeat(Math.ceil(LONGEST_LINE / filler.length))).slice(0, LONGEST_LINE - 1)}\u0001`
}

/** The best of three: another process may have the core. */
function timeOf(pattern: RegExp, line: string): number {
  const times = Array.from({ length: 3 }, () => {
    const began = performance.now()
    pattern.exec(line)
    return performance.now() - began
  })
  return Math.min(...times)
}
