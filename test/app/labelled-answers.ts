import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Code } from '../../src/domain/code.ts'
import { CODES } from '../../src/domain/code.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/answers')

/** An answer as it came from a real server, and what is true of it. */
const Answer = z.object({
  id: z.string(),
  kind: z.literal('A'),
  input: z.object({
    request: z.record(z.string(), z.unknown()),
    response: z.record(z.string(), z.unknown()),
    context: z.record(z.string(), z.unknown()).default({}),
  }),
  truth: z.object({
    verdict: z.string(),
    code: z.custom<Code>((text) => typeof text === 'string' && text in CODES),
    avoid: z.array(z.string()).default([]),
    expected: z.record(z.string(), z.unknown()).default({}),
  }),
})

export const answers = readdirSync(FOLDER).map((file) =>
  Answer.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))),
)
