import type { Command } from '../domain/command.ts'
import type { Report } from '../domain/report.ts'
import type { Audit } from '../domain/store.ts'

/** What an ask came to: the answer, and the words for the audit. */
export interface Ending extends Pick<Audit, 'decision' | 'result'> {
  readonly report: Report
  /** Told which message has the answer's buttons, where others see it too; null: none. */
  readonly stands?: (message: string | null) => Promise<void>
  /** Records that it is over, once it was told: a crash before leaves it open, and the next start tells it. */
  readonly finish?: () => Promise<void>
}

/** Of what changes something the audit keeps the headline too, also of a no; of what was only asked no word that somebody typed. */
export function endingOf({ access }: Command, report: Report): Ending {
  const changes = access === 'operate' || access === 'admin'
  const tried = report.status === 'done' || report.status === 'failed' || report.status === 'refused'
  const result = changes && tried ? `${report.status}: ${report.title}` : report.status
  return { decision: changes && report.status === 'refused' ? 'refused' : 'allowed', result, report }
}
