import { expect, test } from 'vitest'
import { bodyRows } from './body.rows.ts'

test.each(bodyRows)('body: $name', async ({ run, says }) => {
  const { thing, observed, next } = await run()
  const said = [thing, observed, next].join(' ')
  for (const part of [thing, observed, next]) expect(part).not.toBe('')
  for (const words of says) expect(said).toContain(words)
})
