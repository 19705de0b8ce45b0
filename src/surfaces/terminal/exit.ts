import type { Report } from '../../domain/report.ts'
import { exitStatus } from '../../domain/verdict.ts'

/** Exit status of a report: 0 healthy or done, 1 not fine, 2 wrong use, 3 could not tell. */
export function exitOf(status: Report['status']): number {
  if (status === 'done') return 0
  if (status === 'refused' || status === 'failed') return 1
  if (status === 'usage') return 2
  return status === 'running' ? 3 : exitStatus(status)
}
