import { called } from '../domain/called.ts'
import type { OpenAsk } from '../domain/open-ask.ts'
import type { Operation } from '../domain/operation.ts'
import type { Outcome } from '../domain/outcome.ts'
import { readable } from '../domain/outcome.ts'
import type { Clock, Log } from '../domain/ports.ts'
import type { Report } from '../domain/report.ts'
import { report } from '../domain/report.ts'
import type { OpenChange, OpenRun, Store } from '../domain/store.ts'
import type { SlackSurface, Told } from '../surfaces/slack/index.ts'
import type { Apologies } from './apologies.ts'

/** What an earlier process was in the middle of. */
export interface Left {
  readonly runs: readonly OpenRun[]
  readonly asks: readonly OpenAsk[]
}

/**
 * Read before anybody is heard, or what this process begins would be among it. A run whose message an open change tells of
 * goes: what became of the change says more.
 */
export async function leftOpen(store: Store, changes: readonly Operation[], log: Log): Promise<Left> {
  const read = <T>(list: Outcome<readonly T[]>): readonly T[] => {
    if (!list.ok) log.error('what an earlier process left open is not read', { failure: list.failure })
    return readable(list)
  }
  const [runs, asks] = [read(await store.openRuns()), read(await store.openAsks())]
  const told = runs.filter((run) => changes.some((change) => isSame(run, change)))
  for (const { id } of told) await store.dropRun(id)
  return { runs: runs.filter((run) => !told.includes(run)), asks }
}

function isSame(run: OpenRun, change: Operation): boolean {
  if (run.place.channel !== change.place.channel) return false
  // where no message tells them apart: it was recorded while the run was about to begin it
  const began = run.change !== undefined && run.target === change.target && run.at <= change.at
  return began || (run.message !== null && run.message === change.message)
}

interface Interrupted {
  readonly store: Pick<Store, 'settle' | 'dropRun' | 'addAudit'>
  readonly clock: Pick<Clock, 'now'>
  readonly surface: Pick<SlackSurface, 'amend' | 'look' | 'apologise'>
  readonly apologies: Apologies
  readonly log: Log
}

/**
 * Messages must not say "Thinking" for ever, and nobody who asked stays without a word. What Slack does not take now waits
 * for the next start.
 */
export async function endInterrupted({ runs, asks }: Left, interrupted: Interrupted): Promise<void> {
  const { surface, apologies } = interrupted
  const apologise = (ask: OpenAsk): void => apologies.owe(ask, surface.apologise)
  const ran = new Set(runs.map(({ ask }) => ask))
  for (const ask of asks) if (!ran.has(ask.id)) apologise(ask)
  // one after the other in a channel: each may have to be looked for
  const channels = Map.groupBy(runs, ({ place }) => place.channel)
  await Promise.all(
    [...channels.values()].map(async (those) => {
      for (const run of those) await end(run, asks.find(({ id }) => id === run.ask) ?? null, interrupted, apologise)
    }),
  )
}

async function end(
  run: OpenRun,
  ask: OpenAsk | null,
  interrupted: Interrupted,
  apologise: (ask: OpenAsk) => void,
): Promise<void> {
  const { surface, store, log } = interrupted
  const ended = await endRun(run, surface)
  if (ended === 'no') log.warn('the message of a run cannot be ended; it is gone, or its channel is', { id: run.id })
  if (ask !== null && ended !== 'told') apologise(ask)
  if (ask !== null && ended === 'told') {
    const settled = await store.settle(ask.keys)
    if (!settled.ok) log.error('not noted that somebody was told', { failure: settled.failure })
  }
  if (ended === 'later') return
  if (run.change !== undefined) await noteUndone(run, run.change, interrupted)
  await store.dropRun(run.id)
}

/** Its confirmation is in the audit, so its end is too. */
async function noteUndone(
  { place, target }: OpenRun,
  { person: { team, id }, command }: OpenChange,
  { store, clock, log }: Interrupted,
): Promise<void> {
  const result = 'not done: Pilotflame was restarted before it began'
  const line = { at: clock.now(), person: { team, id }, place, command, target, decision: 'refused', result } as const
  const kept = await store.addAudit(line)
  if (!kept.ok) log.warn('audit line not kept', { failure: kept.failure })
}

/** absent: no message of it ever stood, as far as anybody can see */
async function endRun(run: OpenRun, surface: Interrupted['surface']): Promise<Told | 'absent'> {
  const { id, place, message, at } = run
  if (message !== null) return surface.amend({ channel: place.channel, ts: message }, restarted(run))
  const seen = await surface.look(id, place, at)
  switch (seen.kind) {
    case 'found':
      return surface.amend({ channel: place.channel, ts: seen.ts }, restarted(run))
    case 'absent':
    // nobody can look, so nobody can change it either
    case 'untold':
      return 'absent'
    case 'later':
      return 'later'
  }
}

function restarted({ target, change }: OpenRun): Report {
  if (change !== undefined) return undone(change)
  const what = target === null ? 'this run' : `this run on ${target}`
  return report({
    tone: 'warning',
    status: 'inconclusive',
    title: 'Could not tell. Pilotflame was restarted.',
    lead: `It was restarted in the middle of ${what}; nothing of it was judged, and nothing goes on. Ask again.`,
  })
}

/** A change that was confirmed and has no record: nothing of it was asked of its host. */
function undone({ title, person, reason }: OpenChange): Report {
  const why = reason === null ? '' : ` Reason: “${reason}”.`
  return report({
    tone: 'warning',
    status: 'refused',
    title: `${title}: not done. Pilotflame was restarted before it began.`,
    summary: 'Next: ask again.',
    lead: `Asked by ${called(person)}.${why}`,
    seenBy: 'channel',
  })
}
