import { z } from 'zod'
import type { Flag } from '../../domain/command.ts'

/** Where a smoke runs instead of on one target. */
export const onFlag: Flag = {
  name: 'on',
  kind: 'names',
  value: 'NAME,NAME',
  help: 'several targets at once, or all; behind a prompt in quotes also without dashes: on qwen, llama',
}

/** The flags that change how a smoke asks; `smoke` and `retry` share them. */
export const smokeFlags: readonly Flag[] = [
  {
    name: 'target',
    kind: 'name',
    value: 'NAME',
    help: 'which target; default: the thread’s, the channel’s, the only one',
  },
  { name: 'max-tokens', kind: 'number', value: 'N', help: 'the budget for reasoning and answer together' },
  { name: 'temperature', kind: 'number', value: 'T', help: 'sampling temperature; default: the model’s own' },
  { name: 'think', kind: 'text', value: 'on|off', help: 'switch thinking on or off where the template allows it' },
  { name: 'no-stream', kind: 'switch', value: '', help: 'ask for the whole answer at once' },
]

/** What the flags are read as. Absent means: as it was, or the model’s own. */
export const overrides = {
  maxTokens: z.coerce
    .number({ error: 'a whole number from 1 to 1,000,000 is wanted' })
    .int('a whole number is wanted')
    .min(1, 'at least 1')
    .max(1_000_000, 'at most 1,000,000')
    .optional(),
  temperature: z.coerce
    .number({ error: 'a number from 0 to 5 is wanted' })
    .min(0, 'at least 0')
    .max(5, 'at most 5')
    .optional(),
  think: z
    .enum(['on', 'off'], { error: 'on or off is wanted' })
    .transform((word) => word === 'on')
    .optional(),
  noStream: z.string().optional(),
}
