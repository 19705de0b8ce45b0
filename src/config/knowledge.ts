import { z } from 'zod'
import type { Code } from '../domain/code.ts'
import { CODES, isFault } from '../domain/code.ts'
import type { Fact } from '../domain/knowledge.ts'
import { ENGINE_KINDS } from '../domain/target.ts'

/** One line of text for people. */
function sentence(what: string) {
  return z
    .string()
    .regex(/^\S[^\n\0]{0,499}$/)
    .describe(what)
}

const RANGE = /^[<>=!~][^\n\0]{1,120}$/

/** Codes are many, so the list is not repeated in the schema: `codeNamed` and the check of the file tell. */
export const KnownFault = z
  .strictObject({
    family: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{0,40}$/)
      .describe('the name of a family such as qwen3.5-dense')
      .optional(),
    model: sentence('a part of the model’s name').optional(),
    engine: z.enum(ENGINE_KINDS).describe(`one of ${ENGINE_KINDS.join(', ')}`),
    versions: z.string().regex(RANGE).describe('a range of versions in quotes, such as ">=0.5.9,<0.5.10"'),
    tensor_parallel: z
      .union([z.int().min(1).max(1024), z.string().regex(RANGE)])
      .describe('a number of GPUs, or a range in quotes such as ">=2"')
      .optional(),
    quantisation: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,40}$/)
      .describe('a quantisation such as fp8, awq or gptq, in small letters')
      .optional(),
    code: z
      .string()
      .regex(/^[a-z]+\.[a-z-]+$/)
      .describe('the code of a fault, the name of a page in docs/problems'),
    cause: sentence('one line that says what goes wrong'),
    fix: sentence('one line that says what to do'),
    fixed: z
      .string()
      .regex(/^\d[\w.!+-]{0,40}$/)
      .describe('the first version without it, in quotes such as "0.5.10"')
      .optional(),
    source: sentence('where it is known from: a URL, a ticket, a name'),
    date: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/)
      .describe('the day it was found or looked at again, such as 2026-08-20'),
  })
  .describe('a map with engine, versions, code, cause, fix, source and date')

export type KnownFault = z.infer<typeof KnownFault>

/** The facts of a checked file. */
export function taughtBy(entries: readonly KnownFault[]): readonly Fact[] {
  return entries.flatMap((entry) => {
    const code = codeNamed(entry.code)
    return code === null ? [] : [factOf(entry, code)]
  })
}

function factOf(entry: KnownFault, code: Code): Fact {
  const { engine, versions, cause, fix, source, date } = entry
  return {
    family: entry.family ?? null,
    model: entry.model ?? null,
    engine,
    versions,
    tensorParallel: sharers(entry.tensor_parallel),
    quantisation: entry.quantisation === undefined ? [] : [entry.quantisation],
    flags: [],
    code,
    cause: cause.replace(/[.\s]+$/, ''),
    fixed: entry.fixed ?? null,
    fix: fix.replace(/[.\s]+$/, ''),
    source,
    date,
    standing: 'stated',
  }
}

function sharers(given: string | number | undefined): string | null {
  if (given === undefined) return null
  return typeof given === 'number' ? `==${given}` : given
}

/** Null where no fault has that code. */
export function codeNamed(text: string): Code | null {
  return isCode(text) && isFault(text) ? text : null
}

function isCode(text: string): text is Code {
  return Object.hasOwn(CODES, text)
}
