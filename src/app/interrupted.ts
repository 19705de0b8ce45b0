import type { OpenAsk } from '../domain/open-ask.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Log } from '../domain/ports.ts'
import { report } from '../domain/report.ts'
import type { OpenRun, Store } from '../domain/store.ts'
import type { SlackSurface } from '../surfaces/slack/index.ts'

/** What an earlier process was in the middle of. */
export interface Left {
  readonly runs: readonly OpenRun[]
  readonly asks: readonly OpenAsk[]
}

/** Read before anybody is heard, or what this process begins would be among it. */
export async function leftOpen(store: Store, log: Log): Promise<Left> {
  const read = <T>(list: Outcome<readonly T[]>): readonly T[] => {
    if (list.ok) return list.value
    log.error('what an earlier process left open is not read', { failure: list.failure })
    return []
  }
  return { runs: read(await store.openRuns()), asks: read(await store.openAsks()) }
}

type Surface = Pick<SlackSurface, 'amend' | 'look' | 'apologise'>

/** Messages must not say "Thinking" for ever, and nobody who asked stays without a word. What fails waits for the next start. */
export async function endInterrupted({ runs, asks }: Left, store: Store, surface: Surface, log: Log): Promise<void> {
  const told = new Set<string>()
  for (const run of runs) {
    const ended = await endRun(run, surface)
    if (ended === 'told' && run.ask !== undefined) told.add(run.ask)
    if (ended !== 'later') await store.dropRun(run.id)
  }
  for (const ask of asks) {
    if (!told.has(ask.id) && !(await surface.apologise(ask))) continue
    const settled = await store.settle(ask.keys)
    if (!settled.ok) log.error('not noted that somebody was told', { failure: settled.failure })
  }
}

/** absent: no message of it ever stood · later: Slack does not say now */
async function endRun(run: OpenRun, surface: Surface): Promise<'told' | 'absent' | 'later'> {
  const ts = run.message ?? (await messageOf(run, surface))
  if (ts === 'absent' || ts === 'later') return ts
  return (await surface.amend({ channel: run.place.channel, ts }, interrupted(run))) ? 'told' : 'later'
}

async function messageOf({ id, place, at }: OpenRun, surface: Surface): Promise<string> {
  const seen = await surface.look(id, place, at)
  switch (seen.kind) {
    case 'found':
      return seen.ts
    case 'absent':
    // nobody can look, so nobody can change it either
    case 'untold':
      return 'absent'
    case 'later':
      return 'later'
  }
}

function interrupted({ target }: OpenRun) {
  const what = target === null ? 'this run' : `this run on ${target}`
  return report({
    tone: 'warning',
    status: 'inconclusive',
    title: 'Could not tell. Pilotflame was restarted.',
    lead: `It was restarted in the middle of ${what}; nothing of it was judged, and nothing goes on. Ask again.`,
  })
}
