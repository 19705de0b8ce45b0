import { excerpt } from '../excerpt.ts'
import type { Failure, FailureKind } from '../failure.ts'
import type { GateSection } from '../gate.ts'
import type { Outcome } from '../outcome.ts'
import { failed, ok } from '../outcome.ts'

/** What a tool's section holds; where the tool failed, a failure that hands it on. A cut one has no status of its own. */
export function answerOf<Result>(tool: string, section: GateSection, reading: Result): Outcome<Result> {
  return section.rc === 0 || section.truncated ? ok(reading) : failed(toolFailure(tool, section), reading)
}

/** A tool on the host ran and failed, or printed what is no answer: its own words and what to do. */
export function toolFailure(tool: string, section: GateSection, next?: string): Failure {
  const said = excerpt(section.text.replace(/\s+/g, ' ').trim(), 300)
  const rc = section.rc ?? 0
  const kind = kindOf(rc, said)
  return { kind, thing: tool, observed: observed(kind, rc, said), next: nextOf(kind, tool) ?? next ?? LOOK }
}

/** The gate tells 124 where the time ran out; 137 and 143 are of a tool that something else ended. */
function kindOf(rc: number, said: string): FailureKind {
  if (rc === 124) return 'deadline'
  if (rc === 127) return 'tool-missing'
  if (/(?:^|\s)sudo: /.test(said)) return 'sudo'
  if (
    rc === 126 ||
    /not permitted|insufficient permissions|permission denied|access denied|authentication (?:is )?required/i.test(said)
  ) {
    return 'permission'
  }
  return 'exit'
}

const LOOK = 'run it there by hand and see'

function observed(kind: FailureKind, rc: number, said: string): string {
  const words = said === '' ? '' : `: ${said}`
  if (kind === 'deadline') return `it did not end within its time on the host${words}`
  if (kind === 'tool-missing') return `it is not installed there${words}`
  if (rc === 0) return said === '' ? 'it printed nothing' : `it printed something else than was asked for${words}`
  return said === '' ? `it ended with ${rc} and said nothing` : `it ended with ${rc}${words}`
}

function nextOf(kind: FailureKind, tool: string): string | undefined {
  if (kind === 'deadline') return `see whether ${tool} hangs there too; what it asks (a device, a disk) may be stuck`
  if (kind === 'tool-missing') return `install ${tool} there`
  if (kind === 'sudo') return 'let deploy/host/setup write the sudoers lines of the account again'
  if (kind === 'permission' && tool === 'journalctl')
    return 'put the account into the group systemd-journal, as deploy/host/setup does, and end its open sessions'
  if (kind === 'permission')
    return `give the account the right to run ${tool} there: deploy/host/setup tells which group`
  return undefined
}
