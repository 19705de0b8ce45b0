import { expect, test } from 'vitest'
import { z } from 'zod'
import { parse } from '../../src/parse.ts'
import rows from '../fixtures/asks/slack-text.json' with { type: 'json' }
import { ask, commands, slash } from './house.ts'

const Row = z.object({
  name: z.string(),
  surface: z.enum(['slash', 'event']),
  word: z.string().nullable(),
  text: z.string(),
  expected: z.object({
    command: z.string().optional(),
    prompt: z.string().optional(),
    args: z.array(z.string()).optional(),
    error: z.string().optional(),
    action: z.string().optional(),
  }),
})

test.each(z.array(Row).parse(rows))('text as Slack delivers it: $name', ({ surface, word, text, expected }) => {
  const asked = surface === 'slash' ? slash(word ?? '', text) : ask('mention', { form: 'encoded', text })
  const parsed = parse(asked, commands)
  if (expected.error !== undefined) {
    expect(parsed.kind).toBe('problem')
    return
  }
  if (expected.action === 'help-or-default') {
    expect(parsed.kind).toBe('help')
    return
  }
  expect(parsed).toMatchObject({ kind: 'call', command: { word: expected.command } })
  if (parsed.kind !== 'call') return
  if (expected.prompt !== undefined) expect(parsed.raw.prompt).toBe(expected.prompt)
  if (expected.args !== undefined) expect([parsed.command.verb, ...parsed.raw.words]).toEqual(expected.args)
})

test('a prompt of 12,000 characters is taken whole, and the answer to a longer one echoes none of it', () => {
  const fits = parse(slash('/smoke', `"${'a b '.repeat(3000)}"`), commands)
  expect(fits).toMatchObject({ kind: 'call', raw: { prompt: 'a b '.repeat(3000).trim() } })
  const over = parse(slash('/smoke', `"${'a b '.repeat(3001)}"`), commands)
  expect(over).toMatchObject({ kind: 'problem', text: expect.stringContaining('12,003 characters') })
  const wall = parse(slash('/smoke', 'a '.repeat(20_000)), commands)
  expect(wall).toMatchObject({ kind: 'problem', text: expect.stringContaining('40,000 characters') })
})
