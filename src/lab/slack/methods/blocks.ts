import { messageBlock, viewBlock } from '../block-kit.ts'
import type { Check, Problem } from '../checks.ts'
import type { Fields } from '../json.ts'
import { isFields, structureAt } from '../json.ts'
import { LIMITS } from '../limits.ts'
import { problemsOf, refuse } from '../validate.ts'
import type { Method } from './method.ts'

/** The validator that needs no token. It sees each block by itself: no sum of texts, no missing `text`, no second table. */
export const blocks: Readonly<Record<string, Method>> = {
  'blocks.validate': {
    scope: null,
    open: true,
    run(args, { world }) {
      const given = KINDS.filter((kind) => args[kind] !== undefined && args[kind] !== null)
      const [kind] = given
      if (kind === undefined || given.length > 1) return refuse('invalid_arguments')
      const value = structureAt(args, kind)
      const inside = kind === 'blocks' ? value : isFields(value) ? (value['blocks'] ?? []) : null
      const { check, most } = kind === 'view' ? VIEW : MESSAGE
      const problems = problemsOf(inside, check, most, world.refused)
      return problems.length === 0 ? { ok: true } : refuse(`invalid_${kind}`, { errors: problems.map(told) })
    },
  },
}

const KINDS = ['blocks', 'message', 'view'] as const
const MESSAGE: Rules = { check: messageBlock, most: LIMITS.blocks }
const VIEW: Rules = { check: viewBlock, most: LIMITS.viewBlocks }

interface Rules {
  readonly check: Check
  readonly most: number
}

function told({ pointer, message }: Problem): Fields {
  const [, code = 'invalid_value'] = CODES.find(([pattern]) => pattern.test(message)) ?? []
  return { pointer, code, message, field: pointer.split('/').at(-1) }
}

const CODES: readonly (readonly [message: RegExp, code: string])[] = [
  [/^unsupported type/, 'unsupported_type'],
  [/^missing required field/, 'missing_field'],
  [/^invalid additional property/, 'unknown_field'],
  [/^must be less than/, 'too_long'],
  [/^must be more than/, 'too_short'],
  [/^no more than/, 'too_many_items'],
  [/^must be an? /, 'wrong_type'],
]
