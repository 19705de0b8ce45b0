import type { RemoteRun } from '../../domain/remote.ts'
import { readOutput } from './output.ts'

/** A unit that `systemctl status` shows as failed. */
export interface FailedUnit {
  /** `demo.service`; "the unit" where the lines name none */
  readonly id: string
  /** systemd's word for how: `exit-code`, `timeout`; null where none stands there */
  readonly result: string | null
  /** the line that says so */
  readonly said: string
}

/** The first one; null where the command asked something else, or all units are well or merely stopped. */
export function failedUnit(run: RemoteRun): FailedUnit | null {
  if (!/\bsystemctl\b.*\bstatus\b/.test(run.command ?? '')) return null
  const { lines } = readOutput(run)
  const at = lines.findIndex((line) => FAILED.test(line))
  const said = lines[at]
  if (said === undefined) return null
  const head = lines.slice(0, at).findLast((line) => HEAD.test(line))
  return { id: HEAD.exec(head ?? '')?.[1] ?? 'the unit', result: FAILED.exec(said)?.[1] ?? null, said: said.trim() }
}

const FAILED = /^\s*Active: failed\b(?: \(Result: ([a-z-]{1,40})\))?/
const HEAD = /^\s*[●○×↻*] ([\w@.:-]{1,100}\.\w{1,20})\b/
