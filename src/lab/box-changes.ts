import type { BoxUnits, UnitDeed } from './box-units.ts'

/** Something that goes wrong with a change. */
export type GateTrouble =
  /** the connection breaks before anything is recorded or done */
  | 'drop-before-act'
  /** it is done and recorded, then the connection breaks with no answer */
  | 'drop-after-act'
  /** it is begun and done, then host and connection are gone: that it ended was never recorded */
  | 'drop-in-act'
  /** never answered, nothing is done */
  | 'hang'
  /** it is done and recorded, and never answered */
  | 'hang-after-act'
  /** refused: another change of the unit is under way */
  | 'busy'
  /** systemctl itself fails; recorded, and nothing has changed */
  | 'fails'

/** One change that reached a unit. */
export interface BoxAct {
  readonly verb: ActVerb
  readonly unit: string
  /** the id of the operation, 32 hex digits */
  readonly op: string
  /** ms since 1970 */
  readonly at: number
}

export type ActVerb = Exclude<UnitDeed, 'fail'>

/** What the gate says of a verb: its exit status and its sections. */
export interface GateAnswer {
  readonly rc: number
  readonly sections: readonly GateText[]
}

export type GateText = readonly [name: string, text: string, rc?: number]

/** The fence of a box: each operation once, and only what its plan saw. */
export interface BoxChanges {
  readonly acts: readonly BoxAct[]
  change(asked: Asked, trouble: GateTrouble | null): GateAnswer
  /** What became of an operation. One that never came is closed. */
  fate(op: string): GateAnswer
  /** `3.active-<invocation>` */
  fence(unit: string): string
}

export interface Asked {
  readonly verb: ActVerb
  readonly op: string
  readonly unit: string
  readonly fence: string
}

type Past =
  | { readonly state: 'void' }
  | { readonly state: 'issued' | 'done'; readonly of: string; readonly at: number; readonly rc: number | null }

const KEPT_ACTS = 10_000

/** What `unfenced` are is changed whatever the plan saw, and as often as it is asked for. */
export function createChanges(units: BoxUnits, now: () => number, unfenced: readonly string[] = []): BoxChanges {
  const generations = new Map<string, number>()
  const past = new Map<string, Past>()
  const acts: BoxAct[] = []
  const generationOf = (unit: string) => generations.get(unit) ?? 0

  function act({ verb, unit, op }: Asked, trouble: GateTrouble | null): GateAnswer {
    const at = now()
    const rc = trouble === 'fails' ? 1 : 0
    generations.set(unit, generationOf(unit) + 1)
    const record = { of: `${verb} ${unit}`, at: inSeconds(at) }
    past.set(
      op,
      trouble === 'drop-in-act' ? { ...record, state: 'issued', rc: null } : { ...record, state: 'done', rc },
    )
    if (rc === 0) {
      units.apply(unit, verb)
      acts.push({ verb, unit, op, at })
      if (acts.length > KEPT_ACTS) acts.shift()
    }
    return told('done', generationOf(unit), rc, record.at, rc === 0 ? '' : `Job for ${unit}.service failed.`)
  }

  return {
    acts,
    change(asked, trouble) {
      if (!units.has(asked.unit)) return refused(67, `no-such-unit ${asked.unit}`)
      if (trouble === 'busy') return refused(75, `fence-busy ${asked.unit}`)
      if (unfenced.includes(asked.unit)) return act(asked, trouble)
      const before = past.get(asked.op)
      if (before !== undefined) return known(asked, before, generationOf(asked.unit))
      return stale(asked, generationOf(asked.unit), units.seen(asked.unit)) ?? act(asked, trouble)
    },
    fate(op) {
      const before = past.get(op)
      if (before === undefined) past.set(op, { state: 'void' })
      return { rc: 0, sections: [['op', said(before)]] }
    },
    fence: (unit) => `${generationOf(unit)}.${units.seen(unit)}`,
  }
}

/** Why a verb is not done, in the gate's words. */
export function refused(rc: number, why: string): GateAnswer {
  return { rc, sections: [['refusal', why]] }
}

function known({ verb, unit }: Asked, before: Past, generation: number): GateAnswer {
  if (before.state === 'void') {
    return refused(76, 'fence-stale op: opstat was told that it had never come, so it may not come any more')
  }
  if (before.of !== `${verb} ${unit}`) return refused(64, `usage this operation id is of ${before.of}`)
  return told(before.state === 'done' ? 'already' : 'issued', generation, before.rc, before.at, '')
}

/** Null where the plan fits. `stop` and `reset-failed` are right in any state. */
function stale({ verb, fence }: Asked, generation: number, seen: string): GateAnswer | null {
  const [planned = '', state = ''] = fence.split('.')
  if (planned !== String(generation)) {
    return refused(76, `fence-stale generation: the plan saw ${planned}, it is ${generation} now`)
  }
  const anyState = verb === 'stop' || verb === 'reset-failed'
  const onTheWay = seen === 'stopped' && (state === 'loop' || state === 'starting')
  if (anyState || onTheWay || state === seen) return null
  return refused(76, `fence-stale state: the plan saw ${state}, it is ${seen} now`)
}

function told(state: string, generation: number, rc: number | null, at: number, words: string): GateAnswer {
  const lines = [`state=${state}`, `generation=${generation}`, `rc=${rc ?? ''}`, `at=${at}`, `said=${words}`]
  return { rc: 0, sections: [['act', lines.join('\n'), rc ?? 0]] }
}

function said(before: Past | undefined): string {
  if (before === undefined || before.state === 'void') return 'never'
  return [before.state, before.of, before.at, ...(before.rc === null ? [] : [before.rc])].join(' ')
}

function inSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}
