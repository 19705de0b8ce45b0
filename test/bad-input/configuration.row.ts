import { failureOf } from '../../src/config/problem.ts'
import type { Loaded } from '../../src/config.ts'
import { loadConfig } from '../../src/config.ts'
import type { BadInput } from './row.ts'

/** What the answer must name: what was found, and what to write. */
export type Row = BadInput & { readonly says: readonly string[] }

export function row(name: string, read: () => Loaded, says: readonly string[]): Row {
  return {
    name,
    says,
    async run() {
      const outcome = read()
      const [first] = outcome.kind === 'problems' ? outcome.problems : []
      return first === undefined ? { thing: '', observed: `taken as ${outcome.kind}`, next: '' } : failureOf(first)
    },
  }
}

export function loaded(cwd: string, env: Readonly<Record<string, string>> = {}): Loaded {
  return loadConfig({ file: null, env, cwd })
}
