import type { Code } from '../../domain/code.ts'
import { CODES } from '../../domain/code.ts'
import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { LogEvidence } from '../../domain/signature.ts'
import { quoted } from '../answer.ts'
import { lastSign, quotedSign } from '../log/signs.ts'
import { momentIn } from '../log/times.ts'
import { quotedTold, toldLine } from '../told.ts'

/** A log that ended before the process began that runs now: whatever it says is of an older run. */
export const staleLog: Rule = {
  codes: ['log.stale'],
  signatures: [
    {
      name: 'server-process',
      anchors: ['Started server process ['],
      pattern: /Started server process \[(?<pid>\d{1,10})\]/,
      example: '[t] INFO:     Started server process [4242]',
      nearMiss: 'Started server process 4242',
    },
  ],
  check(evidence) {
    const { log } = evidence
    if (log === undefined) return []
    const began = beginningOf(evidence)
    const written = factIn(evidence, WRITTEN)
    const last = lastMoment(log)
    const end = written ?? last
    if (began === null || end === null) return ofAnotherProcess(evidence)
    return began.ms - end.ms <= SLACK_MS ? [] : [stale(evidence, began, { written, last })]
  },
}

/** A start writes its first lines a moment before the system notes it. */
const SLACK_MS = 5000

interface Fact {
  readonly ms: number
  /** for `because` */
  readonly quoted: string
}

const STARTED =
  /^(?:[\w.]*[._])?(?:(?:process|proc|unit|service|container|server|main_?pid|pid)_?(?:started|start|start_time|started_at)|started|started_at|start_time|active_since|active_enter_timestamp|exec_main_start_timestamp|ActiveEnterTimestamp|ExecMainStartTimestamp)(?:_at)?: /
const WRITTEN =
  /^(?:[\w.]*[._])?(?:log_?(?:file_?)?(?:mtime|modified|last_write|last_written|written)|mtime|modified|last_write)(?:_at)?: /
const NOW = /^(?:[\w.]*[._])?(?:now|current_time|date|checked_at): /
const UPTIME = /^(?:[\w.]*[._])?(?:process_|unit_|proc_)?uptime_?(?:s|sec|seconds): (?<seconds>\d{1,9})(?:\.\d+)?$/

function factIn(evidence: Evidence, name: RegExp): Fact | null {
  const line = toldLine(evidence, name)
  const ms = line === null ? null : momentIn(line.slice(line.indexOf(': ') + 2))
  return line === null || ms === null ? null : { ms, quoted: quotedTold(line) }
}

/** When the process began that runs now: as told, or by now and how long it is up. */
function beginningOf(evidence: Evidence): Fact | null {
  const started = factIn(evidence, STARTED)
  if (started !== null) return started
  const now = factIn(evidence, NOW)
  const up = toldLine(evidence, UPTIME)
  const seconds = UPTIME.exec(up ?? '')?.groups?.['seconds']
  if (now === null || up === null || seconds === undefined) return null
  return { ms: now.ms - 1000 * Number(seconds), quoted: `${now.quoted}, ${quotedTold(up)}` }
}

/** The last moment that a line of the end names. */
function lastMoment({ end, lines }: LogEvidence): Fact | null {
  for (const [index, line] of [...end.entries()].toReversed()) {
    const ms = momentIn(line)
    const at = lines - end.length + index + 1
    if (ms !== null) return { ms, quoted: `log line ${at}: ${quoted(line.trim(), 200)}` }
  }
  return null
}

function stale(
  evidence: Evidence,
  began: Fact,
  { written, last }: { written: Fact | null; last: Fact | null },
): Finding {
  const end = written ?? last
  const minutes = end === null ? 0 : Math.round((began.ms - end.ms) / 60_000)
  const now = toldLine(evidence, NOW)
  return {
    ...COMMON,
    cause: `The log is of an older run: its last line was written ${spanOf(minutes)} before the process began that runs now.`,
    because: [
      began.quoted,
      ...[written, last].flatMap((fact) => (fact === null ? [] : [fact.quoted])),
      ...(now === null ? [] : [quotedTold(now)]),
    ],
    // zones are rarely written: two clocks may lie up to 14 hours apart
    confidence: written !== null || minutes > HOURS_OF_ZONES * 60 ? 'certain' : 'likely',
    ...(written === null && minutes <= HOURS_OF_ZONES * 60
      ? { unless: 'the log is written in another time zone.' }
      : {}),
    at: 1,
  }
}

/** The process that the log names last is not the one that runs now. */
function ofAnotherProcess(evidence: Evidence): readonly Finding[] {
  const sign = lastSign(evidence, 'server-process')
  const told = toldLine(evidence, RUNNING)
  const running = RUNNING.exec(told ?? '')?.groups?.['pid']
  const { pid } = sign?.fields ?? {}
  if (sign === null || told === null || pid === undefined || running === pid) return []
  return [
    {
      ...COMMON,
      cause: `The log is of another run: process ${pid} wrote it, and process ${running ?? ''} runs now.`,
      because: [quotedTold(told), quotedSign(sign)],
      confidence: 'likely',
      unless: `process ${running ?? ''} is a wrapper that started ${pid}: ps -o pid,ppid,cmd -p ${pid} tells.`,
      at: sign.at,
    },
  ]
}

const RUNNING = /^(?:[\w.]*[._])?(?:running_pid|current_pid|main_?pid|server_pid): (?<pid>\d{1,10})$/i

const HOURS_OF_ZONES = 26

function spanOf(minutes: number): string {
  if (minutes < 120) return `${Math.max(1, minutes)} min`
  return minutes < 2 * 24 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / (24 * 60))} days`
}

/** An older run explains nothing of this one. */
const ALL_OTHERS: readonly Code[] = namesOf(CODES).filter((code) => code !== 'log.stale')

const COMMON = {
  code: 'log.stale',
  verdict: 'inconclusive',
  remedy: [
    'Find where the process that runs now writes: journalctl -u UNIT --since "10 min ago", or ls -l /proc/PID/fd/1 /proc/PID/fd/2.',
    'Begin a new log at each start, and compare its first line with the start of the process.',
  ],
  missing: ['the log of the run that serves now'],
  explains: ALL_OTHERS,
} as const

function namesOf<Name extends string>(table: Readonly<Record<Name, string>>): Name[] {
  const names: Name[] = []
  for (const name in table) names.push(name)
  return names
}
