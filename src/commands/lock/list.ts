import { called } from '../../domain/called.ts'
import type { Tools } from '../../domain/command.ts'
import { sentence } from '../../domain/failure.ts'
import type { Lock } from '../../domain/lock.ts'
import type { Report } from '../../domain/report.ts'
import { counted, refusal, report } from '../../domain/report.ts'
import { ago } from '../../domain/span.ts'

/** All locks that matter here: of the targets that may be used here, and of their hosts; oldest first. */
export async function listLocks({ records, targets, clock }: Tools): Promise<Report> {
  const read = await records.locks()
  if (!read.ok)
    return refusal(`The locks cannot be read, so everything counts as locked. ${sentence(read.failure)}`, 'failed')
  const here = read.value.filter(({ on: { kind, name } }) =>
    targets.some((one) => (kind === 'host' ? one.host : one.name) === name),
  )
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
  return [on.kind === 'host' ? `host ${on.name}` : on.name, called(owner), why, ago(now - at)]
}
