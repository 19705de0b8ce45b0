import { nearest } from '../domain/nearest.ts'
import type { Target } from '../domain/target.ts'
import type { Call, Problem } from '../parse.ts'

/** A call with its target as --target, where the first word may name it and does. A name that is nearly one is no guess. */
export function nameTarget(call: Call, targets: readonly Target[], here: (name: string) => boolean): Call | Problem {
  const { command, raw } = call
  if (!command.targetFirst) return call
  const [first, rest] = firstWord(call)
  if (first === null) return call
  const names = targets.map(({ name }) => name)
  const inWords = command.takes === 'words'
  const given = raw.flags['target']
  if (given !== undefined && inWords)
    return problem(call, `the target is named twice, “${first}” and --target ${given}`)
  if (given !== undefined) return call
  if (!inWords && !names.includes(first)) return unnamed(call, first, names.filter(here))
  const named = { ...rest, flags: { ...raw.flags, target: first } }
  const bound = command.bind(named)
  return bound.ok ? { ...call, raw: named, bound } : problem(call, bound.problem)
}

function firstWord({ command, raw }: Call): readonly [string | null, Call['raw']] {
  if (command.takes === 'words') return [raw.words[0] ?? null, { ...raw, words: raw.words.slice(1) }]
  const [, first = null, rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(raw.prompt ?? '') ?? []
  return [first, { ...raw, prompt: rest === '' ? null : rest }]
}

/** Free words: they begin with what somebody says, unless that is a name with a slip of the finger in it. */
function unnamed(call: Call, first: string, names: readonly string[]): Call | Problem {
  const meant = first.length > 2 ? nearest(first, names, 1) : null
  return meant === null
    ? call
    : problem(call, `“${first}” is no target. Did you mean ${meant}? Else put --target NAME first`)
}

function problem({ command }: Call, words: string): Problem {
  const name = [command.word, command.verb ?? ''].join(' ').trim()
  return { kind: 'problem', what: 'name', command, text: `${name}: ${words}.` }
}
