import { ok } from '../../src/domain/outcome.ts'
import type { Verb } from '../../src/domain/verb.ts'

/**
 * A gate of a few lines, for tests of the way to it: it answers every verb with what `act` prints, in one section. `$2` is the operation id.
 * All of it stands in a function, as in the real one, so that a cut transfer runs nothing.
 */
export function littleGate(act: string, section = 'said'): string {
  return `main() {
  printf '\\nGATE %s begin 1 quick\\n\\nGATE %s section ${section}\\n' "$2" "$2"
  ${act}
  printf '\\nGATE %s close 0\\n\\nGATE %s end 0\\n' "$2" "$2"
}
main "$@"
`
}

/** Gives what the little gate said. */
export const look: Verb<object, string> = {
  name: 'look',
  access: 'read',
  deadlineMs: 20_000,
  words: () => [],
  parse: ({ sections: [section] }) => ok(section?.text.trim() ?? ''),
}

/** The same, said to be a change. */
export const act: Verb<object, string> = { ...look, name: 'act', access: 'operate' }
