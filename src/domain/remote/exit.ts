import type { Failure, FailureKind } from '../failure.ts'
import type { Found, RemoteRun } from '../remote.ts'
import type { Words } from '../ssh/words.ts'
import { clientFailure } from './client.ts'
import { contradiction, isInContainer } from './lies.ts'
import { notFound } from './path.ts'
import type { Sign } from './signs.ts'
import { SIGNS } from './signs.ts'
import { complaints, linesOf, quoted, showsALog } from './text.ts'

/**
 * What an exit status and the words beside it mean; null where they are an answer, or say nothing that is known. Of a
 * status that nobody told, null, the words alone speak.
 */
export function exitFailure(thing: string, run: RemoteRun, code: number | null): Failure | null {
  if (GATE.test(run.stdout)) return null
  const found =
    clientFailure(run, code) ??
    signed(run, code) ??
    missing(run, code) ??
    (code === null ? null : (statusAlone(run, code) ?? contradiction(run, code)))
  return found === null ? null : { thing, ...found }
}

/** The gate answers for itself, whatever its status. */
const GATE = /^GATE \S+ (?:begin|refused)/m

/** More lines on standard output are data, in which anything may stand. */
const FEW = 12

function signed(run: RemoteRun, code: number | null): Found | null {
  if (code === 0 && showsALog(run)) return null
  const errors = complaints(run.stderr)
  const output = linesOf(run.stdout)
  const isSilent = output.every((line) => line === '-- No entries --')
  for (const sign of SIGNS) {
    const heard = sign.anywhere === true && code !== 0 && output.length <= FEW ? [...errors, ...output] : errors
    const line = code !== 0 || sign.always === true || isSilent ? heard.find((one) => sign.says.test(one)) : undefined
    if (line !== undefined && !isOfShell(sign, line, code)) return told(sign.kind, sign.observed, line, code, sign.next)
  }
  return null
}

/** A shell that may not start a program says so in the words of one that does not find it. */
function isOfShell({ kind }: Sign, line: string, code: number | null): boolean {
  return kind === 'no-start' && code === 127 && notFound(line) !== null
}

function missing(run: RemoteRun, code: number | null): Found | null {
  const command = run.command ?? ''
  for (const line of complaints(run.stderr)) {
    const name = notFound(line)
    if (name === null || (code !== 127 && !command.includes(name))) continue
    return isInContainer(command)
      ? told('container-exec', `${name} is not in the PATH inside the container`, line, code, IN_CONTAINER)
      : told(
          'path',
          `${name} is not in the PATH of this session, which is not the one of a login`,
          line,
          code,
          ABSOLUTE,
        )
  }
  return null
}

const IN_CONTAINER = 'use its absolute path, or a login shell inside (… -- bash -lc COMMAND)'
const ABSOLUTE =
  'use its absolute path (command -v NAME in a login of yours shows it), or set PATH for sessions without a login; where no login finds it either, it is not installed'

function statusAlone(run: RemoteRun, code: number): Found | null {
  const command = run.command ?? ''
  const signal = SIGNALS[code]
  if (signal !== undefined) {
    return { kind: 'signalled', ...killed(signal, `exit status ${code}`, run) }
  }
  if (code === 124 && /\btimeout\b/.test(command)) {
    return told('no-end', 'it did not end within the limit of its own timeout', null, code, LOOK)
  }
  if (!isMute(run)) return null
  if ([126, 127, 255].includes(code) && isInContainer(command)) {
    return told('container-exec', 'the command could not be started inside the container', null, code, IN_CONTAINER)
  }
  if (code === 127) return told('path', 'the command was not found in the PATH of this session', null, code, ABSOLUTE)
  if (code === 126)
    return told('no-start', 'the program is there and cannot be started', null, code, 'look at its modes')
  if (code === 1 && /^(?:true|:|echo\b.*|id|hostname|uptime|whoami|uname\b.*|date|pwd)$/.test(command)) {
    return told('exec-refused', 'the account does not run commands: its shell ends at once', null, code, SHELL)
  }
  return null
}

const LOOK = 'see whether it hangs (ps -o stat,wchan,cmd), and do not start more of it'
const SHELL = 'look at its login shell there (getent passwd USER): /bin/false and nologin let nobody run anything'

function isMute({ stdout, stderr }: RemoteRun): boolean {
  return linesOf(stdout).length === 0 && complaints(stderr).length === 0
}

/** Who sends a signal is not known from it; the kernel's own lines may tell. */
export function killed(signal: string, how: string, run: RemoteRun): Words {
  const line = linesOf(`${run.dmesg ?? ''}\n${run.known ?? ''}`).find((one) => OUT_OF_MEMORY.test(one))
  const by = line === undefined ? '' : `: the kernel was out of memory (${quoted(line)})`
  return {
    observed: `it was ended by ${signal} (${how}), before its own end${by}`,
    next: 'look for the kernel\'s out-of-memory killer (dmesg -T | grep -i "out of memory"), then for who else may have ended it',
  }
}

const OUT_OF_MEMORY = /out of memory|oom[-_ ]?kill|killed process/i

/** Shells tell a signal as 128 + its number. */
const SIGNALS: Readonly<Record<number, string>> = {
  129: 'SIGHUP',
  130: 'SIGINT',
  131: 'SIGQUIT',
  132: 'SIGILL',
  134: 'SIGABRT',
  135: 'SIGBUS',
  136: 'SIGFPE',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  143: 'SIGTERM',
}

/** Found by a line, or by the status alone. */
function told(kind: FailureKind, observed: string, line: string | null, code: number | null, next: string): Found {
  const seen = [...(code === null ? [] : [`exit status ${code}`]), ...(line === null ? [] : [quoted(line)])]
  return { kind, observed: `${observed} (${seen.join(': ')})`, next }
}
