import type { Report } from '../../domain/report.ts'
import { sanitiseJson } from '../../domain/sanitise.ts'

/** What `--json` prints: the report for machines on one line; its title where it has no such form. */
export function jsonLine({ json, status, title }: Report, redact: (text: string) => string): string {
  const value = json ?? { status, title }
  const line = JSON.stringify(value, (_key, item: unknown) => (typeof item === 'string' ? redact(item) : item))
  return `${sanitiseJson(line)}\n`
}
