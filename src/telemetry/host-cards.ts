import type { Gpu, GpuEvidence, GpuProcess } from '../domain/gpu.ts'
import { isChatter } from '../domain/remote/text.ts'
import type { CardsTold, HostCards, ToolSaid } from '../domain/telemetry.ts'
import type { ToolEvidence } from '../judge/gpu/tool-run.ts'
import { readToolRun } from '../judge/gpu/tool-run.ts'

/** What a tool's own reader found in its two answers; `notes` are the lines that are no readings. */
export interface ToolRead {
  readonly cards: readonly Gpu[]
  readonly processes: readonly GpuProcess[] | null
  readonly notes: readonly string[]
  readonly chatter: readonly string[]
}

/** Puts together what one host told. Where the tool did not end, or was not started, the evidence says that it hangs. */
export function hostCards(told: CardsTold, read: ToolRead): HostCards {
  const { tool, cards, apps, processes, units, at, place, unasked } = told
  const gpus: GpuEvidence = {
    tool,
    cards: read.cards.slice(0, MOST_CARDS),
    notes: [...new Set([...read.notes, ...ownNotes(told)])].slice(0, MOST_NOTES),
    ...(read.chatter.length === 0 ? {} : { chatter: read.chatter.slice(0, MOST_NOTES) }),
    rc: cards === null || cards.rc === OVER ? null : cards.rc,
    timedOut: cards === null ? unasked !== 'in-use' : cards.rc === OVER,
    ...(unasked === undefined ? {} : { unasked }),
    place,
  }
  const facts = new Map(processes.map((one) => [one.pid, one]))
  const isList = apps?.rc === 0 || apps?.rc === CUT
  const users = isList ? (read.processes?.slice(0, MOST_PROCESSES) ?? null) : null
  return { gpus, processes: users?.map((one) => ({ ...one, facts: facts.get(one.pid) ?? null })) ?? null, units, at }
}

const OVER = 124
const CUT = 141
const MOST_CARDS = 256
const MOST_PROCESSES = 1000
const MOST_NOTES = 50

function ownNotes({ tool, cards, apps, unasked }: CardsTold): readonly string[] {
  if (cards === null && unasked === 'in-use') return [`another call of ${tool} is under way there, so none was started`]
  if (cards === null) return [`an earlier call of ${tool} still runs there, so no further one was started`]
  const cut = cards.rc === CUT || apps?.rc === CUT ? [`${tool} printed more than is read, so its end is missing`] : []
  return apps?.rc === OVER ? [...cut, `${tool} did not list the processes within its time`] : cut
}

/** One answer of a tool as text, read as if somebody had pasted it below this command line. */
export function pasted(command: string, { text, rc }: ToolSaid, place: GpuEvidence['place']): ToolEvidence {
  const { chatter, said } = partedLines(text)
  const timedOut = rc === OVER
  return readToolRun({ command, stdout: said.join('\n'), stderr: chatter.join('\n'), rc, timedOut, place })
}

/** Both streams of the tool come as one: what shells and libraries chatter beside it, and what it said itself. */
export function partedLines(text: string): { readonly chatter: readonly string[]; readonly said: readonly string[] } {
  const { true: chatter = [], false: said = [] } = Object.groupBy(text.split('\n'), (line) => `${isChatter(line)}`)
  return { chatter, said: said.filter((line) => line.trim() !== '') }
}
