import { called } from '../../domain/called.ts'
import type { Tools } from '../../domain/command.ts'
import { sentence } from '../../domain/failure.ts'
import type { Lock } from '../../domain/lock.ts'
import type { Report } from '../../domain/report.ts'
import { counted, refusal, report } from '../../domain/report.ts'
import { span } from '../../domain/span.ts'

/** All locks that matter here: of hosts, and of the targets that may be used here; oldest first. */
export async function listLocks({ records, targets, clock }: Tools): Promise<Report> {
  const read = await records.locks()
  if (!read.ok)
    return refusal(`The locks cannot be read, so everything counts as locked. ${sentence(read.failure)}`, 'failed')
  const here = read.value.filter(({ on }) => on.kind === 'host' || targets.some(({ name }) => name === on.name))
  if (here.length === 0) return report({ tone: 'good', status: 'done', title: 'Nothing is locked', json: [] })
  const now = clock.now()
  return report({
    tone: 'neutral',
    status: 'done',
    title: counted(here.length, 'lock'),
    tables: [{ title: 'Locks', columns: ['What', 'Who', 'Why', 'Since'], rows: here.map((lock) => rowOf(lock, now)) }],
    json: here,
  })
}

function rowOf({ on, owner, reason, at, operation }: Lock, now: number): readonly string[] {
  const why = operation === null ? reason : `under way: ${reason}`
  return [on.kind === 'host' ? `host ${on.name}` : on.name, called(owner), why, span(now - at)]
}
