/** What a person or a change may do to a unit; `fail`: its process ends with status 1. */
export type UnitDeed = 'start' | 'stop' | 'restart' | 'reset-failed' | 'fail'

/** The units of a made-up box, as its systemd tells of them. They start and stop at once. */
export interface BoxUnits {
  readonly names: readonly string[]
  /** when its box was started, in ms since 1970 */
  readonly bootMs: number
  has(name: string): boolean
  apply(name: string, deed: UnitDeed): void
  /** what `systemctl show` prints, without the last line break */
  show(name: string): string
  /** its last run, and when it began in ms since 1970; null where it never ran */
  run(name: string): { readonly id: string; readonly pid: number; readonly since: number } | null
  /** what a plan may rely on, as the gate says it: `active-<invocation>` or `stopped` */
  seen(name: string): string
}

interface Unit {
  readonly active: 'active' | 'inactive' | 'failed'
  /** 32 hex digits; '' where it never ran */
  readonly run: string
  /** 0 where none runs */
  readonly pid: number
  /** ms since 1970, of the last change */
  readonly since: number
}

const DAY_MS = 86_400_000
const FIRST_PID = 4711

/** All run at first, since a day ago or as long as the box is up. `now`: ms since 1970. */
export function createUnits(names: readonly string[], now: () => number): BoxUnits {
  const boot = now() - DAY_MS
  let pid = FIRST_PID
  const running = (since: number): Unit => ({ active: 'active', run: newRun(), pid: pid++, since })
  const units = new Map(names.map((name) => [name, running(boot + 60_000)]))
  const unitOf = (name: string): Unit => units.get(name) ?? STOPPED
  const apply = (name: string, deed: UnitDeed) => {
    const unit = unitOf(name)
    const ended = (active: Unit['active']): Unit => ({ ...unit, active, pid: 0, since: now() })
    switch (deed) {
      case 'start':
        return unit.active === 'active' ? unit : running(now())
      case 'restart':
        return running(now())
      case 'stop':
        return unit.active === 'active' ? ended('inactive') : unit
      case 'fail':
        return ended('failed')
      case 'reset-failed':
        return unit.active === 'failed' ? ended('inactive') : unit
    }
  }
  return {
    names,
    bootMs: boot,
    has: (name) => units.has(name),
    apply: (name, deed) => void units.set(name, apply(name, deed)),
    show: (name) => shown(name, unitOf(name), (unitOf(name).since - boot) * 1000),
    run: (name) => {
      const { active, run, pid, since } = unitOf(name)
      return run === '' ? null : { id: run, pid: active === 'active' ? pid : FIRST_PID, since }
    },
    seen: (name) => (unitOf(name).active === 'active' ? `active-${unitOf(name).run}` : 'stopped'),
  }
}

const STOPPED: Unit = { active: 'inactive', run: '', pid: 0, since: 0 }

const SUB_STATES = { active: 'running', inactive: 'dead', failed: 'failed' } as const

function newRun(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

function shown(name: string, { active, run, pid }: Unit, changedUs: number): string {
  const runs = active === 'active'
  const failed = active === 'failed'
  const lines = {
    Id: `${name}.service`,
    LoadState: 'loaded',
    ActiveState: active,
    SubState: SUB_STATES[active],
    Result: failed ? 'exit-code' : 'success',
    Type: 'simple',
    Restart: 'no',
    MainPID: pid,
    ExecMainCode: failed ? 1 : 0,
    ExecMainStatus: failed ? 1 : 0,
    NRestarts: 0,
    InvocationID: run,
    ControlGroup: runs ? `/system.slice/${name}.service` : '',
    ActiveEnterTimestampMonotonic: runs ? changedUs : 0,
    InactiveExitTimestampMonotonic: runs ? changedUs : 0,
    StateChangeTimestampMonotonic: changedUs,
    UnitFileState: 'enabled',
    FragmentPath: `/etc/systemd/system/${name}.service`,
    DropInPaths: '',
    Job: '',
    User: 'sglang',
    MemoryCurrent: runs ? 9_663_676_416 : '[not set]',
    TimeoutStartUSec: '30min',
    TimeoutStopUSec: '2min',
    StartLimitBurst: 5,
  }
  return Object.entries(lines)
    .map(([key, value]) => `${key}=${value}`)
    .join('\n')
}
