import { expect, test } from 'vitest'
import { commandRows } from './command.rows.ts'

test.each(commandRows)('command: $name', async ({ run, says }) => {
  const { thing, observed, next } = await run()
  const said = [thing, observed, next].join(' ')
  for (const part of [thing, observed, next]) expect(part).not.toBe('')
  for (const words of says) expect(said).toContain(words)
})
