import { excerpt } from '../domain/excerpt.ts'
import type { Failure } from '../domain/failure.ts'
import type { Host } from '../domain/host.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import { counted } from '../domain/report.ts'
import type { UnitState } from '../domain/unit.ts'
import type { LogReading } from '../domain/verbs/log.ts'
import { log } from '../domain/verbs/log.ts'
import { modelFiles } from '../domain/verbs/model-files.ts'
import { process } from '../domain/verbs/process.ts'
import { unit } from '../domain/verbs/unit.ts'
import { versions } from '../domain/verbs/versions.ts'
import { scanText } from '../judge/log/scan.ts'
import { signatures } from '../judge/rules/index.ts'
import { cleanArgv, cleanLog } from './clean.ts'
import type { Found, Part } from './part.ts'
import { linesOfRun } from './this-run.ts'

/** What the parts of one look share. */
export interface OnHost {
  readonly host: Host
  /** the name that the gate knows the unit by */
  readonly unit: string
  redact(text: string): string
  /** The unit as one of the parts reads it. */
  readonly state: Promise<Outcome<UnitState>>
  told(state: Outcome<UnitState>): void
  /** when this run began, ms since 1970 by the host's clock; null where that is not known */
  readonly startedMs: () => Promise<number | null>
}

/** the last lines of a run */
const LINES = 2000

/** The unit, its log, its process, and what is installed for it. The log and the process wait for the unit's own word. */
export function unitParts(on: OnHost): readonly Part[] {
  return [
    { name: 'unit', limitMs: 4000, look: (signal) => unitPart(on, signal) },
    { name: 'log', limitMs: 9500, look: (signal) => logPart(on, signal) },
    { name: 'process', limitMs: 8000, look: (signal) => processPart(on, signal) },
    { name: 'versions', limitMs: 8000, look: (signal) => versionsPart(on, signal) },
    { name: 'model files', limitMs: 8000, look: (signal) => filesPart(on, signal) },
  ]
}

async function unitPart(on: OnHost, signal: AbortSignal): Promise<Outcome<Found>> {
  // whoever waits for its word must not wait longer than it does
  signal.addEventListener('abort', () => on.told(failed(none('unit', 'the unit did not tell its state'))), {
    once: true,
  })
  const ran = await on.host.run(unit, { unit: on.unit }, { signal })
  const state = ran.ok ? ok(ran.value.value.state) : failed<UnitState>(ran.failure)
  on.told(state)
  if (!state.ok) return failed(state.failure)
  const { activeState, subState, loadState } = state.value
  const note = loadState === 'loaded' ? `${activeState}, ${subState}` : loadState
  return ok({ evidence: { unit: state.value }, note })
}

async function logPart(on: OnHost, signal: AbortSignal): Promise<Outcome<Found>> {
  const state = await on.state
  if (!state.ok) return failed(state.failure)
  const { invocation, mainPid } = state.value
  if (invocation === null) return failed(none('log', 'systemd does not name the run'))
  const asked = { unit: on.unit, lines: LINES }
  const journal = await on.host.run(log, { ...asked, invocation }, { signal })
  if (journal.ok) return read(journal.value.value, on)
  if (!isFile(journal.failure)) return failed(journal.failure)
  const [file, startedMs] = await Promise.all([on.host.run(log, asked, { signal }), on.startedMs()])
  if (!file.ok) return failed(file.failure)
  const lines = linesOfRun(file.value.value.lines, { pid: mainPid, startedMs })
  if (lines === null)
    return failed(none('log', 'its file holds older runs too, and no line shows where this one begins'))
  return read({ ...file.value.value, lines }, on)
}

/** A gate that keeps to a log file refuses what only the journal has. */
function isFile({ kind, observed }: Failure): boolean {
  return kind === 'gate-refused' && observed.includes('log file')
}

function read({ lines, cut, notes }: LogReading, { redact }: OnHost): Outcome<Found> {
  if (lines.length === 0) {
    const [note] = notes
    return failed(none('log', note === undefined ? 'no line of this run' : excerpt(redact(note), 120)))
  }
  const scanned = scanText(cleanLog(lines, redact), signatures)
  const isCut = cut === 'older' || lines.length >= LINES
  return ok({
    evidence: { log: { ...scanned, cut: isCut ? 'beginning' : null } },
    note: `${isCut ? 'the last ' : ''}${counted(lines.length, 'line')} of this run`,
  })
}

async function processPart(on: OnHost, signal: AbortSignal): Promise<Outcome<Found>> {
  const state = await on.state
  if (!state.ok) return failed(state.failure)
  const { mainPid } = state.value
  if (mainPid === null) return failed(none('process', 'none runs'))
  const ran = await on.host.run(process, { pid: mainPid }, { signal })
  if (!ran.ok) return failed(ran.failure)
  const { argv } = ran.value.value.process
  if (argv.length === 0) return failed(none('process', 'its arguments may not be read by this account'))
  return ok({ evidence: { argv: cleanArgv(argv, on.redact) }, note: `pid ${mainPid}` })
}

async function versionsPart({ host, unit: name }: OnHost, signal: AbortSignal): Promise<Outcome<Found>> {
  const ran = await host.run(versions, { unit: name }, { signal })
  if (!ran.ok) return failed(ran.failure)
  return ok({ evidence: { installed: ran.value.value }, note: counted(ran.value.value.packages.length, 'package') })
}

async function filesPart({ host, unit: name, redact }: OnHost, signal: AbortSignal): Promise<Outcome<Found>> {
  const ran = await host.run(modelFiles, { unit: name }, { signal })
  if (!ran.ok) return failed(ran.failure)
  const files = ran.value.value
  const clean = { ...files, card: files.card.map((line) => redact(line)) }
  return ok({ evidence: { files: clean }, note: counted(files.files.length, 'file') })
}

function none(thing: string, observed: string): Failure {
  return { kind: 'not-there', thing, observed, next: 'nothing' }
}
