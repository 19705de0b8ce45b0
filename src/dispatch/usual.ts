import { allowedHere } from '../authorise.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Usual } from '../domain/usual.ts'
import { usualKey } from '../domain/usual.ts'
import type { House } from './house.ts'

type Ways = Pick<House, 'targets' | 'policy'> & { readonly store: Pick<House['store'], 'noted'> }

/** What is meant in a channel where nobody names a target: said there, else configured, else the only one. */
export async function usualIn(channel: string, ways: Ways): Promise<Outcome<Usual | null>> {
  // where the bot may not be asked, it tells of no target either
  if (channel !== 'terminal' && ways.policy.channels.every((one) => one.id !== channel)) return ok(null)
  const said = await ways.store.noted(usualKey(channel))
  if (!said.ok) return failed(said.failure)
  return ok(said.value === null ? configuredIn(channel, ways) : { target: said.value, from: 'use' })
}

/** What is meant as far as the configuration goes, whatever was said in the channel. */
export function configuredIn(channel: string, { targets, policy }: Pick<Ways, 'targets' | 'policy'>): Usual | null {
  const target = policy.channels.find((one) => one.id === channel)?.target ?? null
  if (target !== null) return { target, from: 'configuration' }
  const [only, another] = targets.filter((one) => allowedHere(channel, one.name, policy))
  return only === undefined || another !== undefined ? null : { target: only.name, from: 'only' }
}
