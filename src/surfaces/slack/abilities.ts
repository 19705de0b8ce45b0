import { z } from 'zod'
import type { Clock, Log } from '../../domain/ports.ts'

/**
 * What a workspace may refuse. container: boxes that open and close · table · expand: the property of sections ·
 * blocks: any block at all · files: uploads
 */
export const KINDS = ['container', 'table', 'expand', 'blocks', 'files'] as const
export type Kind = (typeof KINDS)[number]

/** unknown: not tried yet, or tried with both ends */
export type Ability = 'works' | 'refused' | 'unknown'

/** What may be used in one message. */
export type Can = Readonly<Record<Kind, boolean>>

export const EVERYTHING: Can = { container: true, table: true, expand: true, blocks: true, files: true }

/** What this workspace accepts, learnt from what it took and refused. */
export interface Abilities {
  /** Reads what an earlier process learnt. */
  load(team: string): Promise<void>
  can(): Can
  states(): Readonly<Record<Kind, Ability>>
  worked(kinds: readonly Kind[]): Promise<void>
  /** What had worked before is not given up for one refusal: the message may be at fault. */
  refused(kind: Kind): Promise<void>
}

/** Where it outlives a restart, as text by team. Nothing here throws. */
export interface AbilityNotes {
  read(team: string): Promise<string | null>
  write(team: string, value: string): Promise<void>
}

interface Options {
  readonly notes: AbilityNotes
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** A refused kind is tried once more after this: workspaces and Slack itself change. In ms. */
export const TRIED_AGAIN_MS = 24 * 60 * 60 * 1000

export function abilities({ notes, clock, log }: Options): Abilities {
  let team: string | null = null
  let known: Known = {}

  async function set(kind: Kind, state: Ability): Promise<void> {
    known = { ...known, [kind]: { state, at: clock.now() } }
    if (team !== null) await notes.write(team, JSON.stringify(known))
  }

  const stateOf = (kind: Kind): Ability => known[kind]?.state ?? 'unknown'
  const may = (kind: Kind): boolean =>
    stateOf(kind) !== 'refused' || clock.now() - (known[kind]?.at ?? 0) >= TRIED_AGAIN_MS

  return {
    async load(of) {
      team = of
      known = Known.parse(parsed(await notes.read(of)))
    },
    can: () => record(may),
    states: () => record(stateOf),
    async worked(kinds) {
      for (const kind of kinds) if (stateOf(kind) !== 'works') await set(kind, 'works')
    },
    async refused(kind) {
      const state = stateOf(kind) === 'works' ? 'unknown' : 'refused'
      log.warn('Slack refused a kind of content', { kind, state })
      await set(kind, state)
    },
  }
}

const One = z.object({ state: z.enum(['works', 'refused', 'unknown']), at: z.number() })
const optional = One.optional().catch(undefined)
/** What an older or a newer version wrote is read as far as it is understood. */
const Known = z
  .object({ container: optional, table: optional, expand: optional, blocks: optional, files: optional })
  .catch({})
type Known = z.infer<typeof Known>

function parsed(text: string | null): unknown {
  try {
    return text === null ? {} : JSON.parse(text)
  } catch {
    return {}
  }
}

function record<T>(of: (kind: Kind) => T): Readonly<Record<Kind, T>> {
  return {
    container: of('container'),
    table: of('table'),
    expand: of('expand'),
    blocks: of('blocks'),
    files: of('files'),
  }
}
