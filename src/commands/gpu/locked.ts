import { called } from '../../domain/called.ts'
import { sentence } from '../../domain/failure.ts'
import type { Lock } from '../../domain/lock.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Section } from '../../domain/report.ts'
import { ago } from '../../domain/span.ts'

/** Locks of these hosts; of each the oldest. A change and a person may both hold one. */
export function locksOn(read: Outcome<readonly Lock[]>, hosts: readonly string[]): readonly Lock[] {
  return read.ok ? read.value.filter(({ on }) => on.kind === 'host' && hosts.includes(on.name)) : []
}

/** `Locked by Anna (U0ANNA): new driver.` */
export function lockedWords(locks: readonly Lock[]): ReadonlyMap<string, string> {
  return new Map(locks.toReversed().map((lock) => [lock.on.name, `Locked by ${called(lock.owner)}: ${whyOf(lock)}.`]))
}

/** Who, why and since when, of each. None: nothing is locked. */
export function lockSections(read: Outcome<readonly Lock[]>, locks: readonly Lock[], now: number): readonly Section[] {
  const section = { kind: 'text', title: 'Locks', folded: false } as const
  if (!read.ok)
    return [{ ...section, body: `They cannot be read, so every host counts as locked. ${sentence(read.failure)}` }]
  if (locks.length === 0) return []
  const lines = locks
    .slice(0, SHOWN)
    .map((lock) => `${lock.on.name}: ${called(lock.owner)}, ${ago(now - lock.at)}: ${whyOf(lock)}`)
  const more = locks.length > SHOWN ? [`… and ${locks.length - SHOWN} more: gpu locks shows them.`] : []
  return [{ ...section, body: [...lines, ...more].join('\n') }]
}

const SHOWN = 20

function whyOf({ reason, operation }: Lock): string {
  return operation === null ? reason : `under way: ${reason}`
}
