import type { Fate } from '../dispatch/change/fate.ts'
import { fateOf, fateReport } from '../dispatch/change/fate.ts'
import { called } from '../domain/called.ts'
import type { Host } from '../domain/host.ts'
import type { Lock } from '../domain/lock.ts'
import type { Operation } from '../domain/operation.ts'
import { readable } from '../domain/outcome.ts'
import type { Clock, Log } from '../domain/ports.ts'
import type { Report } from '../domain/report.ts'
import type { Store } from '../domain/store.ts'

/** Changes that an earlier process began and whose end it did not write, and the locks that changes left. */
export interface Left {
  readonly operations: readonly Operation[]
  readonly locks: readonly Lock[]
}

/** Reads them, before anybody is heard: what begins from now on is not among them. */
export async function leftBehind(store: Store, log: Log): Promise<Left> {
  const [operations, locks] = [await store.openOperations(), await store.locks()]
  if (!operations.ok) log.error('open changes not read', { failure: operations.failure })
  if (!locks.ok) log.error('locks of changes not read', { failure: locks.failure })
  const open = readable(operations)
  const known = new Set(open.map(({ id }) => id))
  // where it is not known which changes are open, no lock is taken off but those of the changes that are
  const isOurs = ({ operation }: Lock) => operation !== null && (operations.ok || known.has(operation))
  return { operations: open, locks: readable(locks).filter(isOurs) }
}

export interface Resuming {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  host(name: string): Host | null
  /** Says how a change ended, where it was seen. `last`: nothing more is said of it. False where nobody is told. */
  tell(operation: Operation, report: Report, last: boolean): Promise<boolean>
  /** aborted at a stop: then the next start asks again */
  readonly signal: AbortSignal
}

/** Asks each host what became of them, frees what they held, says it, and writes it down. Nothing is issued again. */
export async function resumeOperations(left: Left, resuming: Resuming): Promise<void> {
  const known = new Set(left.operations.map(({ id }) => id))
  // taken by a change that was never recorded, so nothing was done under it
  await free(
    left.locks.filter(({ operation }) => operation !== null && !known.has(operation)),
    resuming,
  )
  await Promise.all(left.operations.map((operation) => resume(operation, left, resuming)))
}

/** A host that cannot be asked is asked again at later starts, so long; in ms. It keeps its own record for 30 days. */
const ASKED_MS = 7 * 24 * 3_600_000

async function resume(operation: Operation, { locks }: Left, resuming: Resuming): Promise<void> {
  const { store, clock, log, signal } = resuming
  const fate = await fateOf(operation, resuming.host, signal)
  if (signal.aborted) return
  await free(
    locks.filter((lock) => lock.operation === operation.id),
    resuming,
  )
  // before its end is written: a crash in between tells it again, into the same message
  const last = fate.final || clock.now() - operation.at >= ASKED_MS
  const told = await resuming.tell(operation, resumedReport(operation, fate), last)
  if (!told) log.error('nobody was told how a change ended', { id: operation.id, state: fate.state })
  if (!last) return
  const ended = await store.endOperation(operation.id, fate.state)
  if (!ended.ok) return log.error('end of a change not recorded', { id: operation.id, failure: ended.failure })
  await note(operation, fate, resuming)
}

async function free(locks: readonly Lock[], { store, log }: Resuming): Promise<void> {
  for (const { on, operation } of locks) {
    const dropped = await store.dropLock(on, operation)
    if (!dropped.ok) log.error('lock of a change not taken off', { on, failure: dropped.failure })
  }
}

async function note(operation: Operation, { state }: Fate, { store, clock, log }: Resuming): Promise<void> {
  const { command, target, person, place } = operation
  const result = `${state}, found after a restart of Pilotflame`
  const entry = { at: clock.now(), person, place, command, target, decision: 'allowed', result } as const
  const kept = await store.addAudit(entry)
  if (!kept.ok) log.warn('audit line not kept', { failure: kept.failure })
}

function resumedReport({ command, target, person, approver, reason }: Operation, fate: Fate): Report {
  const by = approver === null ? '' : ` Approved by ${called(approver)}.`
  const why = reason === null ? '' : ` Reason: “${reason}”.`
  const told = fateReport(`${command} of ${target}`, 'Pilotflame was restarted in the middle.', fate)
  return { ...told, lead: `Asked by ${called(person)}.${by}${why}` }
}
