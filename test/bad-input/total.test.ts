import { expect, test } from 'vitest'
import { bodyRows } from './body.rows.ts'
import { commandRows } from './command.rows.ts'
import { configurationRows } from './configuration.rows.ts'
import { hostKeyRows } from './host-key.rows.ts'
import { keyFileRows } from './key-file.rows.ts'
import { streamRows } from './stream.rows.ts'
import { urlRows } from './url.rows.ts'

const sorts = {
  configuration: configurationRows,
  command: commandRows,
  'host key': hostKeyRows,
  'key file': keyFileRows,
  url: urlRows,
  body: bodyRows,
  stream: streamRows,
}

test.each(Object.entries(sorts))('at least five kinds of bad %s, none twice', (_sort, rows) => {
  const names = new Set(rows.map(({ name }) => name))
  expect(names.size).toBe(rows.length)
  expect(rows.length).toBeGreaterThanOrEqual(5)
})
