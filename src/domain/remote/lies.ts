import type { Found, RemoteRun } from '../remote.ts'
import { linesOf, quoted } from './text.ts'

/** Whether a command line enters a container. */
export function isInContainer(command: string): boolean {
  return isThroughLxc(command) || /\b(?:docker|podman|nerdctl)(?: compose)? exec\b|\bmachinectl shell\b/.test(command)
}

function isThroughLxc(command: string): boolean {
  return /\bpct exec\b|\blxc-(?:attach|execute)\b|\b(?:lxc|incus) exec\b/.test(command)
}

/**
 * An exit status that what else came contradicts, or does not bear out. Releases of lxc-attach give 0 for commands that
 * failed or were killed (lxc issues 3104 and 4203); nothing else does.
 */
export function contradiction(run: RemoteRun, code: number): Found | null {
  const command = run.command ?? ''
  if (!isThroughLxc(command)) return null
  const why = otherInside(run, code) ?? (code === 0 ? notDone(command, run) : null)
  if (why === null) return null
  return {
    kind: 'container-exit',
    observed: `lxc gave exit status ${code}, and ${why}; what became of the command is not known`,
    next: 'print an end mark from inside (… -- sh -c \'COMMAND; echo "end $?"\') and trust that one; update lxc',
  }
}

/** The status inside, where the caller knows it. */
function otherInside({ known = '' }: RemoteRun, code: number): string | null {
  const inside = /^.*(?:inner|inside|real|actual)\S*: (\d{1,3})$/im.exec(known)?.[1]
  return inside === undefined || Number(inside) === code ? null : `inside it was ${inside}`
}

function notDone(command: string, { stdout, stderr, dmesg = '', known = '' }: RemoteRun): string | null {
  const output = linesOf(stdout)
  const last = output.at(-1) ?? ''
  const killed = linesOf(`${stderr}\n${dmesg}\n${known}`).find((line) => KILLED.test(line))
  if (killed !== undefined) return `something was killed (${quoted(killed)})`
  const mark = END_MARK.exec(command)?.[1]
  if (mark !== undefined) return stdout.includes(mark) ? null : `the end mark ${quoted(mark)} is missing`
  if (/\bis-active\b/.test(command) && NOT_ACTIVE.test(last)) return `it says ${quoted(last)}`
  if (/(?:\bfalse|\bexit [1-9]\d*)\s*['"]?$/.test(command)) return 'the command cannot end with 0'
  if (last === '') return 'nothing was printed that shows it was done'
  return stdout.endsWith('\n') ? null : `the output breaks off at ${quoted(last)}`
}

const KILLED =
  /^(?:killed|terminated|aborted|segmentation fault|bus error)\b|killed process|out of memory|signal (?:6|9|11|15)\b|SIG(?:KILL|SEGV|TERM|ABRT)/i
const END_MARK = /\becho\s{1,9}["']?(?=[^\s;&|]{0,40}[A-Za-z_]{3})([\w:=#@.-]{3,40})[^;&|]*$/
const NOT_ACTIVE = /^(?:inactive|failed|activating|deactivating)$/
