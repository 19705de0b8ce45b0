import type { Death, Machine } from './box-machine.ts'

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
  /** of the last run; 0 where it never ran */
  readonly pid: number
  /** how the last run ended, where it failed */
  readonly death: Death | null
  /** ms since 1970, of the last change */
  readonly since: number
}

const DAY_MS = 86_400_000
const FIRST_PID = 4711
/** where a server has children */
const PIDS_APART = 16

/** All are started at first, a day ago or as long as the box is up. `now`: ms since 1970. Where no machine says so, none dies. */
export function createUnits(names: readonly string[], now: () => number, machine: Machine | null = null): BoxUnits {
  const boot = now() - DAY_MS
  let pid = FIRST_PID
  const started = (name: string, since: number): Unit => {
    const run = { run: newRun(), pid, since }
    pid += machine === null ? 1 : PIDS_APART
    const death = machine?.started(name, run.pid) ?? null
    return { ...run, active: death === null ? 'active' : 'failed', death }
  }
  const units = new Map(names.map((name) => [name, started(name, boot + 60_000)]))
  const unitOf = (name: string): Unit => units.get(name) ?? STOPPED
  const apply = (name: string, deed: UnitDeed) => {
    const unit = unitOf(name)
    const ended = (active: Unit['active'], death: Death | null): Unit => ({ ...unit, active, death, since: now() })
    if (unit.active === 'active' && (deed === 'stop' || deed === 'restart')) machine?.stopped(name)
    switch (deed) {
      case 'start':
        return unit.active === 'active' ? unit : started(name, now())
      case 'restart':
        return started(name, now())
      case 'stop':
        return unit.active === 'active' ? ended('inactive', null) : unit
      case 'fail':
        return ended('failed', { how: 'exited', status: 1 })
      case 'reset-failed':
        return unit.active === 'failed' ? ended('inactive', null) : unit
    }
  }
  return {
    names,
    bootMs: boot,
    has: (name) => units.has(name),
    apply: (name, deed) => void units.set(name, apply(name, deed)),
    show: (name) => shown(name, unitOf(name), (unitOf(name).since - boot) * 1000),
    run: (name) => {
      const { run, pid: own, since } = unitOf(name)
      return run === '' ? null : { id: run, pid: own, since }
    },
    seen: (name) => (unitOf(name).active === 'active' ? `active-${unitOf(name).run}` : 'stopped'),
  }
}

const STOPPED: Unit = { active: 'inactive', run: '', pid: 0, since: 0, death: null }

/** CLD_EXITED and CLD_KILLED of waitid(2) */
const WAIT_CODES = { exited: 1, killed: 2 } as const

const SUB_STATES = { active: 'running', inactive: 'dead', failed: 'failed' } as const

function newRun(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

function shown(name: string, { active, run, pid, death }: Unit, changedUs: number): string {
  const runs = active === 'active'
  const lines = {
    Id: `${name}.service`,
    LoadState: 'loaded',
    ActiveState: active,
    SubState: SUB_STATES[active],
    Result: death === null ? 'success' : death.how === 'exited' ? 'exit-code' : 'signal',
    Type: 'simple',
    Restart: 'no',
    MainPID: runs ? pid : 0,
    ExecMainCode: death === null ? 0 : WAIT_CODES[death.how],
    ExecMainStatus: death?.status ?? 0,
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
    SuccessExitStatus: '',
  }
  return Object.entries(lines)
    .map(([key, value]) => `${key}=${value}`)
    .join('\n')
}
