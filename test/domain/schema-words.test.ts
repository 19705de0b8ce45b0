import { expect, test } from 'vitest'
import { z } from 'zod'
import { inOurWords } from '../../src/domain/schema-words.ts'

/** What the library really says of a value. */
function said(schema: z.ZodType, value: unknown): readonly string[] {
  return (schema.safeParse(value).error?.issues ?? []).map(({ message }) => inOurWords(message))
}

test('a value that does not fit is told in our words', () => {
  expect(said(z.coerce.number().int().min(1), '0')).toEqual(['at least 1'])
  expect(said(z.coerce.number().int().max(1024), '2000')).toEqual(['at most 1024'])
  expect(said(z.coerce.number().positive(), '0')).toEqual(['more than 0'])
  expect(said(z.coerce.number().int(), '1.5')).toEqual(['a whole number is wanted'])
  expect(said(z.coerce.number(), 'many')).toEqual(['a number is wanted'])
  expect(said(z.string().max(3), 'abcd')).toEqual(['at most 3 characters'])
})

test('what a command says itself stays', () => {
  expect(said(z.coerce.number().min(1, 'give the number of GPUs'), '0')).toEqual(['give the number of GPUs'])
})
