import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { redactor } from '../../src/domain/redact.ts'
import { sanitise } from '../../src/domain/sanitise.ts'
import { engineLine } from './engine-log.ts'
import { secrets, toldOf } from './planted.ts'

/** Told as many secrets as a large house knows. */
const redact = redactor(toldOf(secrets(1_007)))

test('of 100,000 lines of ordinary logs less than one in a thousand is changed', () => {
  const lines = Array.from({ length: 100_000 }, (_, seed) => sanitise(engineLine(seed)))
  const changed = lines.filter((line) => redact(line) !== line)
  console.log(`ordinary log lines changed: ${changed.length} of ${lines.length}`)
  expect(changed.length / lines.length, changed.slice(0, 5).join('\n')).toBeLessThan(0.001)
}, 60_000)

test('so it is where lines stand together, as logs are shown', () => {
  for (let from = 0; from < 20_000; from += 200) {
    const text = Array.from({ length: 200 }, (_, at) => sanitise(engineLine(from + at))).join('\n')
    expect(redact(text), `from line ${from}`).toBe(text)
  }
}, 60_000)

/** Words of ssh2 in which a sentence looks like a pair; the house says them otherwise (domain/remote/text.ts). */
const LOOKS_LIKE_A_PAIR = /^Cannot parse privateKey: /

test('no recorded answer, error or host output is changed', () => {
  const folder = join(import.meta.dirname, '../fixtures')
  const files = ['answers', 'cases', 'runs', 'asks'].flatMap((name) =>
    readdirSync(join(folder, name)).map((file) => join(folder, name, file)),
  )
  const lines = files.flatMap((file) => texts(readFileSync(file, 'utf8')))
  const changed = lines.filter((line) => redact(line) !== line)
  console.log(`recorded lines changed: ${changed.length} of ${lines.length}`)
  expect(changed.filter((line) => !LOOKS_LIKE_A_PAIR.test(line))).toEqual([])
  expect(lines.length).toBeGreaterThan(1_000)
})

/** Every line of every text in a file of JSON, or of JSON lines. */
function texts(file: string): readonly string[] {
  const values: unknown[] =
    file.trim().startsWith('{') && !file.includes('\n{') ? [JSON.parse(file)] : parsedLines(file)
  return values.flatMap(linesIn)
}

function parsedLines(file: string): unknown[] {
  try {
    return [JSON.parse(file)]
  } catch {
    return file
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
  }
}

function linesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return sanitise(value).split('\n')
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(linesIn) : []
}
