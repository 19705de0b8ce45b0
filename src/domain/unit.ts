/** A unit as `systemctl show` tells it. null: not set, or never happened. */
export interface UnitState {
  readonly id: string
  /** `loaded`, `not-found`, `masked`, … */
  readonly loadState: string
  /** `active`, `inactive`, `failed`, `activating`, `deactivating`, `reloading` */
  readonly activeState: string
  /** `running`, `dead`, `auto-restart`, … */
  readonly subState: string
  /** `success`, `exit-code`, `signal`, `oom-kill`, `start-limit-hit`, … of the last run */
  readonly result: string | null
  readonly type: string | null
  /** when systemd restarts it by itself: `no`, `on-failure`, `always`, … */
  readonly restart: string | null
  readonly mainPid: number | null
  /** how the last main process ended */
  readonly mainExit: MainExit | null
  /** restarts by systemd itself since it was last started by hand */
  readonly nRestarts: number | null
  /** names one run of the unit, 32 hex digits */
  readonly invocation: string | null
  readonly controlGroup: string | null
  /** ms since boot */
  readonly activeEnteredMs: number | null
  readonly inactiveLeftMs: number | null
  readonly stateChangedMs: number | null
  /** `enabled`, `disabled`, `static`, … */
  readonly unitFileState: string | null
  readonly fragmentPath: string | null
  readonly dropIns: readonly string[]
  /** id of a job that waits or runs */
  readonly job: number | null
  readonly user: string | null
  readonly memoryBytes: number | null
  /** null: no limit */
  readonly startTimeoutMs: number | null
  readonly stopTimeoutMs: number | null
  readonly startLimitBurst: number | null
  /** exit statuses and signals, besides 0, that count as a success: `143`, `KILL` */
  readonly successStatuses: readonly string[]
}

export interface MainExit {
  readonly how: 'exited' | 'killed' | 'dumped'
  /** exit status, or number of the signal */
  readonly status: number
}

/** What a plan saw of a unit. The host refuses a change whose fence no longer fits. */
export interface Fence {
  /** as it travels: `12.active-<invocation>` */
  readonly token: string
  /** advanced by every change that was asked for */
  readonly generation: number
  readonly seen: FenceSeen
}

export type FenceSeen =
  | { readonly state: 'active'; readonly invocation: string }
  | { readonly state: 'starting' | 'loop' | 'stopped' | 'stopping' }

/** Reads a fence token; null where it is none. */
export function readFence(token: string): Fence | null {
  const [, generation = '', state = '', invocation] =
    /^(\d{1,15})\.(active|starting|loop|stopped|stopping)(?:-([0-9a-f]{32}))?$/.exec(token) ?? []
  const seen = readSeen(state, invocation)
  return seen === null ? null : { token, generation: Number(generation), seen }
}

function readSeen(state: string, invocation: string | undefined): FenceSeen | null {
  if (state === 'active') return invocation === undefined ? null : { state, invocation }
  if (invocation !== undefined) return null
  return state === 'starting' || state === 'loop' || state === 'stopped' || state === 'stopping' ? { state } : null
}
