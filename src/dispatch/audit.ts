import type { Ask } from '../domain/ask.ts'
import type { Command } from '../domain/command.ts'
import { excerpt } from '../domain/excerpt.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Audit } from '../domain/store.ts'
import type { House } from './house.ts'

interface Line extends Pick<Audit, 'decision' | 'result'> {
  readonly ask: Pick<Ask, 'person' | 'place'> & Partial<Pick<Ask, 'id'>>
  readonly command: Command | null
  /** its name, or several with commas */
  readonly target: string | null
}

/** The longest result in the audit, in characters. */
const LONGEST = 400

/** Keeps who asked for what and what became of it; never what was prompted, nor a secret that a host said. */
export async function audit(
  { ask, command, target, decision, result: said }: Line,
  house: House,
): Promise<Outcome<null>> {
  const name = command === null ? 'unknown' : [command.word, command.verb ?? ''].join(' ').trim()
  const { id, person, place } = ask
  const result = excerpt(house.redact(said), LONGEST)
  const entry = { at: house.clock.now(), person, place, command: name, target, decision, result }
  const kept = await house.store.addAudit(id === undefined ? entry : { ...entry, ask: id })
  if (!kept.ok) house.log.error('audit line not kept', { failure: kept.failure })
  return kept
}
