import type { UnitState } from '../../domain/unit.ts'
import type { Fields } from './record.ts'
import { textOf } from './record.ts'

/** What somebody told of a unit: `demo.service inactive (dead) since 20 min`, `failed (Result: exit-code)`; null without a state. */
export function unitSaid(known: Fields): UnitState | null {
  const said = NAMES.flatMap((name) => textOf(known[name]) ?? [])
  const line = said.find((one) => STATE.test(one)) ?? said.find((one) => STOPPED.test(one))
  const [, activeState = STOPPED.test(line ?? '') ? 'inactive' : undefined, subState] = STATE.exec(line ?? '') ?? []
  if (line === undefined || activeState === undefined) return null
  const id = /\b([\w@.-]{1,100}\.service)\b/.exec(line)?.[1] ?? ''
  const result = /\bResult: ([a-z-]{1,40})/.exec(line)?.[1] ?? null
  const restart = /\bRestart=([a-z-]{1,20})/.exec(line)?.[1] ?? null
  const [, statuses = ''] = /\bSuccessExitStatus=([A-Z\d ]{1,80})/.exec(line) ?? []
  const successStatuses = statuses.split(' ').filter((word) => word !== '')
  return { ...UNKNOWN, id, activeState, subState: subState ?? '', result, restart, successStatuses }
}

const NAMES = [
  'unit',
  'systemctl',
  'unit_state',
  'unit_status',
  'service',
  'service_state',
  'units',
  'server',
  'context',
]
/** In the words of people; `inactive` is systemd's. */
const STOPPED = /\b(?:stopped|dead|crashed|not (?:running|active))\b/
const STATE = /(?<!not )\b(active|inactive|failed|activating|deactivating|reloading)\b(?:\s{0,4}\(([a-z-]{1,40})\))?/

const UNKNOWN: UnitState = {
  id: '',
  loadState: '',
  activeState: '',
  subState: '',
  result: null,
  type: null,
  restart: null,
  mainPid: null,
  mainExit: null,
  nRestarts: null,
  invocation: null,
  controlGroup: null,
  activeEnteredMs: null,
  inactiveLeftMs: null,
  stateChangedMs: null,
  unitFileState: null,
  fragmentPath: null,
  dropIns: [],
  job: null,
  user: null,
  memoryBytes: null,
  startTimeoutMs: null,
  stopTimeoutMs: null,
  startLimitBurst: null,
  successStatuses: [],
}
