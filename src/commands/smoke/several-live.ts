import type { Tools } from '../../domain/command.ts'
import type { Channel } from '../../domain/completion.ts'
import type { Report } from '../../domain/report.ts'
import { counted, report, seconds } from '../../domain/report.ts'
import type { Target } from '../../domain/target.ts'
import { exitStatus } from '../../domain/verdict.ts'
import { doing, lead } from './live.ts'
import type { KeptProof } from './prove.ts'
import { title } from './report.ts'

/** One of several smokes, and how far it is. */
export interface Row {
  readonly target: Target
  state: State
}

/** busy: as many runs were under way there as may be · stopped: somebody pressed Stop before its turn */
export type State =
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'running'
      readonly sinceMs: number
      readonly stream: boolean
      readonly channel: Channel | null
      readonly pieces: number
      /** in words, once its host is looked at */
      readonly looking: string | null
    }
  | { readonly kind: 'judged'; readonly proof: KeptProof }
  | { readonly kind: 'busy' }
  | { readonly kind: 'stopped'; readonly by: string | null }

export interface Several {
  readonly tools: Pick<Tools, 'ask' | 'clock' | 'stopLine' | 'stoppedBy'>
  /** without secrets */
  readonly prompt: string
  readonly rows: readonly Row[]
  readonly startedMs: number
}

/** The message that lives while several smokes run: one row each, filled in as they end. */
export function severalLive({ tools, prompt, rows, startedMs }: Several): Report {
  const ended = rows.filter(({ state }) => state.kind !== 'waiting' && state.kind !== 'running').length
  const now = tools.clock.monotonic()
  const since = now - startedMs < 1000 ? '' : `: ${seconds(now - startedMs)}`
  return report({
    tone: 'running',
    status: 'running',
    title: `${ended} of ${counted(rows.length, 'target')} done${since}`,
    lead: lead(tools.ask, counted(rows.length, 'target'), prompt),
    tables: [
      {
        title: 'Targets',
        columns: ['Target', 'State'],
        rows: rows.toSorted((a, b) => place(a) - place(b)).map(({ target, state }) => [target.name, said(state, now)]),
      },
    ],
    actions: [{ label: 'Stop', line: tools.stopLine, style: 'danger' }],
  })
}

/** What runs comes first, then what is not healthy: a surface may have room for the first rows only. */
function place({ state }: Row): number {
  switch (state.kind) {
    case 'running':
      return 0
    case 'judged':
      return exitStatus(state.proof.diagnosis.verdict) === 0 ? 3 : 1
    case 'busy':
    case 'stopped':
      return 2
    case 'waiting':
      return 4
  }
}

function said(state: State, now: number): string {
  switch (state.kind) {
    case 'waiting':
      return 'waits for its turn'
    case 'running': {
      const much = state.pieces === 0 ? '' : `, about ${counted(state.pieces, 'token')}`
      return `${state.looking ?? `${doing(state.channel, state.stream)}${much}`}, ${seconds(now - state.sinceMs)}`
    }
    case 'judged':
      return title(state.proof.diagnosis, null, state.proof.evidence.smoke?.failure ?? null)
    case 'busy':
      return 'Busy: two runs on it are under way'
    case 'stopped':
      return 'Not run'
  }
}
