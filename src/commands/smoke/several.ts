import type { Tools } from '../../domain/command.ts'
import { ALL } from '../../domain/command.ts'
import type { Channel, Piece } from '../../domain/completion.ts'
import type { Report } from '../../domain/report.ts'
import { refusal } from '../../domain/report.ts'
import type { SmokeRequest } from '../../domain/smoke.ts'
import type { Target } from '../../domain/target.ts'
import { lookingAt } from './live.ts'
import { kept, prove } from './prove.ts'
import type { Row } from './several-live.ts'
import { severalLive } from './several-live.ts'
import { severalReport } from './several-report.ts'

/** Smokes that run beside each other: more would measure the line to the servers, not the servers. */
const AT_ONCE = 4
/** How often the live message is brought up to date, in ms. */
const HEARTBEAT_MS = 1000

/** Runs one smoke on each of several targets, and says all of it in one report. `on`: `qwen,llama`, or `all`. */
export async function proveSeveral(
  tools: Tools,
  on: string,
  requestFor: (target: Target) => SmokeRequest,
): Promise<Report> {
  const chosen = chosenFrom(on, tools.targets)
  const [first] = chosen.targets
  if (chosen.problem !== null || first === undefined) return refusal(chosen.problem ?? NONE_HERE, 'usage')
  const rows = chosen.targets.map((target): Row => ({ target, state: { kind: 'waiting' } }))
  const asked = { tools, prompt: tools.redact(requestFor(first).prompt), rows, startedMs: tools.clock.monotonic() }
  const show = (): void => tools.progress(severalLive(asked))
  show()
  const quiet = tools.every(HEARTBEAT_MS, show)
  await inParallel(rows, async (row) => {
    await proveRow(row, tools, requestFor(row.target), show)
    show()
  }).finally(quiet)
  tools.release()
  return severalReport(asked)
}

const NONE_HERE = 'No target may be used here. Whoever runs Pilotflame adds one to pilotflame.yml under targets.'

interface Chosen {
  readonly targets: readonly Target[]
  /** what was named that is not there; null: nothing */
  readonly problem: string | null
}

function chosenFrom(on: string, here: readonly Target[]): Chosen {
  const names = [...new Set(on.split(','))]
  if (names.some((name) => name.toLowerCase() === ALL)) return { targets: here, problem: null }
  const targets = names.flatMap((name) => here.find((one) => one.name === name) ?? [])
  const unknown = names.filter((name) => !targets.some((one) => one.name === name))
  return { targets, problem: unknown.length === 0 ? null : notHere(unknown, here) }
}

/** Names that one sentence holds; more are counted. */
const NAMED = 20

function notHere(unknown: readonly string[], here: readonly Target[]): string {
  const [are, them] = unknown.length === 1 ? ['is no target', 'a name of these'] : ['are no targets', 'names of these']
  const known = here.length === 0 ? 'no target may be used here' : `here are ${listed(here.map(({ name }) => name))}`
  const quoted = unknown.slice(0, NAMED).map((name) => `“${name}”`)
  return `There ${are} ${listed(quoted, unknown.length)} here; ${known}. Next: write on ${ALL}, or ${them}; where “on …” belongs to the prompt, put all of it in quotes.`
}

function listed(names: readonly string[], all: number = names.length): string {
  const shown = names.slice(0, NAMED)
  return all > shown.length ? `${shown.join(', ')} and ${all - shown.length} more` : shown.join(', ')
}

async function inParallel<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

/** Runs one, unless it was stopped before its turn or as many runs are under way there as may be. */
async function proveRow(row: Row, tools: Tools, request: SmokeRequest, show: () => void): Promise<void> {
  if (tools.signal.aborted) {
    row.state = { kind: 'stopped', by: tools.stoppedBy()?.name ?? null }
    return
  }
  const leave = tools.use(row.target)
  if (leave === null) {
    row.state = { kind: 'busy' }
    return
  }
  const running = { kind: 'running' as const, sinceMs: tools.clock.monotonic(), stream: request.stream }
  let pieces = 0
  let channel: Channel | null = null
  let looking: string | null = null
  const redraw = (): void => {
    row.state = { ...running, channel, pieces, looking }
  }
  redraw()
  show()
  const onPiece = (piece: Piece): void => {
    channel = piece.channel
    pieces += 1
    redraw()
  }
  const onLook = (done: number, all: number): void => {
    looking = lookingAt(done, all)
    redraw()
  }
  const proof = await prove(tools, row.target, request, onPiece, onLook).finally(leave)
  row.state = { kind: 'judged', proof: await kept(tools, proof) }
}
