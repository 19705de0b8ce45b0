import type { Code } from '../domain/code.ts'
import type { Evidence, Finding } from '../domain/finding.ts'
import { endedAnswer } from './answer.ts'

/**
 * What host, kernel and log tell, weighed by the answer: where the server itself ended one, such a finding is at most
 * possible. It may be of another program, another card or another hour. What explains the text itself keeps its weight,
 * and so does an event of a process or a card that serves, unless the answer needs no cause besides its budget. An answer
 * that the engine gave up may have its cause in the box; yet drivers and tools that work for no answer at all are none.
 */
export function besideAnswer(findings: readonly Finding[], evidence: Evidence): readonly Finding[] {
  const finish = endedAnswer(evidence)?.completion.finish
  if (finish === undefined) return findings
  const isGivenUp = GIVEN_UP.test(finish ?? '')
  const server = findings.some(({ verdict }) => verdict === 'request-limit') ? NOBODY : serverOf(evidence)
  const isWeakened = (finding: Finding): boolean =>
    isOfTools(finding.code) || (!isGivenUp && isOfBox(finding.code) && !isOfServer(finding, server))
  return findings.map((finding) =>
    finding.confidence !== 'possible' && isWeakened(finding)
      ? { ...finding, confidence: 'possible', against: [...(finding.against ?? []), ANSWERED] }
      : finding,
  )
}

/** The engine did not end such an answer well: something of the box may be the cause. */
const GIVEN_UP = /^(?:abort|error|cancel)/
const ANSWERED = 'the server answered all the same'

/** Told by host, kernel or log, and not to be seen in a text. */
function isOfBox(code: Code): boolean {
  return OF_ENGINE.has(code) || (FAMILIES.has(familyOf(code)) && !OF_ANSWER.has(code))
}

/** Of the driver and its tools: whoever begins an answer has a driver that works. */
function isOfTools(code: Code): boolean {
  return TOOLS.has(familyOf(code))
}

const TOOLS = new Set(['driver', 'telemetry', 'tool'])

function familyOf(code: Code): string {
  return code.split('.')[0] ?? ''
}

/** What spoils the text, and what says that another server gave it. */
const OF_ANSWER: ReadonlySet<Code> = new Set(['config.kv-quant', 'proc.port-taken'])

const FAMILIES = new Set([
  'build',
  'config',
  'container',
  'driver',
  'gpu',
  'host',
  'hub',
  'kernel',
  'lib',
  'load',
  'log',
  'mem',
  'proc',
  'telemetry',
  'tool',
  'unit',
  'version',
])
const OF_ENGINE: ReadonlySet<Code> = new Set([
  'engine.kernel-crash',
  'engine.hang',
  'engine.peer-unreachable',
  'engine.assert',
  'engine.invariant',
  'engine.logprobs-nonfinite',
])

/** Processes that serve, and PCI addresses of their cards without domain and function: `41:00`. */
interface Server {
  readonly pids: ReadonlySet<number>
  readonly slots: ReadonlySet<string>
}

const NOBODY: Server = { pids: new Set(), slots: new Set() }

function serverOf({ unit, gpuProcesses = [], gpus }: Evidence): Server {
  if (unit?.activeState !== 'active') return NOBODY
  const serving = gpuProcesses.filter(
    ({ pid, facts }) => pid === unit.mainPid || (facts?.cgroup != null && facts.cgroup === unit.controlGroup),
  )
  const uuids = new Set(serving.map(({ gpuUuid }) => gpuUuid))
  const cards = (gpus?.cards ?? []).filter(({ uuid }) => uuid !== null && uuids.has(uuid))
  return {
    pids: new Set([unit.mainPid, ...serving.map(({ pid }) => pid)].flatMap((pid) => pid ?? [])),
    slots: new Set(cards.flatMap(({ slot }) => slotsIn(slot ?? ''))),
  }
}

/** The kernel and the tools write domain and function in ways of their own. */
function slotsIn(text: string): readonly string[] {
  return Array.from(text.matchAll(SLOT), ([, slot = '']) => slot.toLowerCase())
}

const SLOT = /\b[0-9a-f]{4,8}:([0-9a-f]{2}:[0-9a-f]{2})\b/gi

/** A quoted line names a process of the server; of a card, its card. */
function isOfServer({ code, because }: Finding, { pids, slots }: Server): boolean {
  if (code.startsWith('gpu.')) return because.some((line) => slotsIn(line).some((slot) => slots.has(slot)))
  return because.some((line) => Array.from(line.matchAll(PID), ([, pid]) => Number(pid)).some((pid) => pids.has(pid)))
}

const PID = /(?:\bpid[=: ]'?|\bKill(?:ed)? process )(\d{1,9})\b/gi
