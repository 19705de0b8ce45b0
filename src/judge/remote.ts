import type { Code } from '../domain/code.ts'
import type { Failure } from '../domain/failure.ts'
import type { Finding } from '../domain/finding.ts'
import { runFailure } from '../domain/remote/failure.ts'
import { complaints, linesOf, quoted, showsALog } from '../domain/remote/text.ts'
import type { RemoteRun } from '../domain/remote.ts'
import { counted } from '../domain/report.ts'
import { MEANING } from './meaning.ts'
import { evidenceOf } from './remote/evidence.ts'
import { readOutput } from './remote/output.ts'
import { stateExit } from './remote/state-exit.ts'
import type { FailedUnit } from './remote/unit-failed.ts'
import { failedUnit } from './remote/unit-failed.ts'

/** What one command on a host, as the SSH library reported it, says of the host and the way to it. `thing` names it. */
export function readRemote(run: RemoteRun, thing: string = thingOf(run)): Finding {
  const failure = runFailure(thing, run)
  if (failure !== null) return meant(run, failure)
  if (run.end.how === 'untold') return unexplained(run, thing, 'nobody told how it ended, and its words do not')
  const unit = failedUnit(run)
  if (unit !== null) return ofFailedUnit(run, thing, unit)
  const code = run.end.how === 'exited' ? run.end.code : 0
  const answer = code === 0 ? null : stateExit(run.command ?? '', code, linesOf(run.stdout)[0] ?? '')
  if (isUnexplained(run, code, answer)) return unexplained(run, thing, endedWith(run, code))
  return noisy(run, thing) ?? fine(run, thing, answer === null ? oddity(run) : ['ok.state-exit', answer])
}

/** The codes that are given without a failure. */
export const REMOTE_CODES: readonly Code[] = [
  'ssh.stdout-noise',
  'log.need-more',
  'ok.ran',
  'ok.banner',
  'ok.state-exit',
  'ok.format',
  'ok.encoding',
  'ok.stderr-noise',
]

function thingOf({ command }: RemoteRun): string {
  return command === null ? 'the host' : `command ${quoted(command)}`
}

function meant(run: RemoteRun, { kind, thing, observed, next }: Failure): Finding {
  // every kind of a run has a meaning; null is HTTP's
  const { code, verdict, unless } = MEANING[kind] ?? { code: 'log.need-more', verdict: 'inconclusive' }
  return {
    code,
    verdict,
    cause: `${thing}: ${observed}.`,
    because: evidenceOf(run),
    remedy: [`${next}.`],
    confidence: unless === undefined ? 'certain' : 'likely',
    ...(unless === undefined ? {} : { unless }),
  }
}

/** A status that nobody explains, or a complaint beside nothing at all. */
function isUnexplained(run: RemoteRun, code: number, answer: string | null): boolean {
  const { stdout, stderr } = run
  if (code !== 0) return answer === null
  if (showsALog(run)) return false
  return linesOf(stdout).length === 0 && complaints(stderr).some((line) => COMPLAINS.test(line))
}

const COMPLAINS = /\b(?:error|fail(?:ed|ure)?|fatal|cannot|could not|unable|denied|not found|no such)\b/i

function endedWith(run: RemoteRun, code: number): string {
  const said = complaints(run.stderr).at(-1) ?? linesOf(run.stdout).at(-1)
  const words = said === undefined ? 'and said nothing' : `with ${quoted(said)}`
  return `it ended with exit status ${code} ${words}; the conversation itself went well`
}

function unexplained(run: RemoteRun, thing: string, how: string): Finding {
  return {
    code: 'log.need-more',
    verdict: 'inconclusive',
    cause: `${thing}: ${how}.`,
    because: evidenceOf(run),
    remedy: ['Read what the command itself says of this status; of a unit: systemctl status UNIT, journalctl -u UNIT.'],
    confidence: 'certain',
    missing: ['what this exit status means to the command'],
  }
}

/** The command did its work, and what it tells is not well. */
function ofFailedUnit(run: RemoteRun, thing: string, { id, result, said }: FailedUnit): Finding {
  const why = result === null ? '' : ` (${result})`
  return {
    code: 'log.need-more',
    verdict: 'inconclusive',
    cause: `${thing}: the command worked, and tells that ${id} failed${why}; why, its log tells.`,
    because: [...evidenceOf(run), `said: ${quoted(said)}`],
    remedy: [
      `journalctl -u ${id === 'the unit' ? 'UNIT' : id} -n 400 --no-pager | pilotflame diagnose names the cause.`,
      ...(result === null ? [] : (RESULTS[result] ?? [])),
    ],
    confidence: 'certain',
    missing: ['the log of the unit, up to the first error of its last start'],
  }
}

/** What systemd calls a result (systemd.exec, $SERVICE_RESULT) and what it asks for. */
const RESULTS: Readonly<Record<string, readonly string[]>> = {
  timeout: ['If it was the start that took too long: systemctl edit UNIT, TimeoutStartSec=30min.'],
  'oom-kill': [
    'The kernel ended it for memory of the host: dmesg -T | grep -i "out of memory"; MemoryMax= of the unit.',
  ],
  'start-limit-hit': ['It was started too often: systemctl reset-failed UNIT, once the cause is mended.'],
  watchdog: ['It did not report to systemd in time: WatchdogSec= of the unit.'],
}

/** Login scripts spoke into the answer: it can still be read, by who knows its shape. */
function noisy(run: RemoteRun, thing: string): Finding | null {
  const { noise, rows } = readOutput(run)
  const [first] = noise
  if (first === undefined) return null
  const left = rows === null ? '' : `; ${counted(rows, 'row')} of data are left without them`
  return {
    code: 'ssh.stdout-noise',
    verdict: 'degraded',
    cause: `${thing}: login scripts print ${counted(noise.length, 'line')} into its output, from ${quoted(first)}${left}.`,
    because: evidenceOf(run),
    remedy: [
      'Let start-up files print only for people: begin ~/.bashrc there with [[ $- == *i* ]] || return, and /etc/profile.d in the same way.',
    ],
    confidence: rows === null ? 'likely' : 'certain',
  }
}

type Remark = readonly [code: Code, words: string]

/** The first thing that looks odd and is not. */
function oddity({ stdout, stderr, banner = '' }: RemoteRun): Remark {
  if (stdout.includes('\u001b') || stdout.includes('\r'))
    return ['ok.format', 'a terminal was asked for, which adds colours and carriage returns']
  if (stdout.includes('\uFFFD')) return ['ok.encoding', 'some bytes of its output are no UTF-8, and shown as \uFFFD']
  const [remark] = linesOf(stderr)
  if (remark !== undefined) return ['ok.stderr-noise', `it answered; ${quoted(remark)} is a remark beside the answer`]
  if (banner.trim() !== '') return ['ok.banner', 'it ran; the host shows its greeting before the login']
  return ['ok.ran', stdout === '' ? 'it ran, and prints nothing' : 'it ran']
}

function fine(run: RemoteRun, thing: string, [code, words]: Remark): Finding {
  return {
    code,
    verdict: 'healthy',
    cause: `${thing}: ${words}.`,
    because: evidenceOf(run),
    remedy: [],
    confidence: 'certain',
  }
}
