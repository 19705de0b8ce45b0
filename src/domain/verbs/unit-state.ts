import type { GateSection } from '../gate.ts'
import type { Outcome } from '../outcome.ts'
import { failed, ok } from '../outcome.ts'
import type { MainExit, UnitState } from '../unit.ts'
import { keyValues, wholeNumber } from './reading.ts'
import { timeSpanMs } from './time-span.ts'
import { toolFailure } from './tool-failure.ts'

/** Reads what `systemctl show` printed. An unknown unit is a state too: `not-found`. */
export function readUnitState(section: GateSection): Outcome<UnitState> {
  const values = keyValues(section)
  const id = values.get('Id') ?? ''
  const [loadState, activeState, subState] = ['LoadState', 'ActiveState', 'SubState'].map((key) => values.get(key))
  if (section.rc !== 0 || id === '' || !loadState || !activeState || !subState) {
    return failed(toolFailure('systemctl show', section))
  }
  return ok({ id, loadState, activeState, subState, ...detailsOf(values) })
}

type Details = Omit<UnitState, 'id' | 'loadState' | 'activeState' | 'subState'>

function detailsOf(values: ReadonlyMap<string, string>): Details {
  const text = (key: string) => values.get(key) || null
  const whole = (key: string) => wholeNumber(values.get(key))
  return {
    result: text('Result'),
    type: text('Type'),
    restart: text('Restart'),
    mainPid: unlessZero(whole('MainPID')),
    mainExit: mainExit(whole('ExecMainCode'), whole('ExecMainStatus')),
    nRestarts: whole('NRestarts'),
    invocation: invocationOf(values.get('InvocationID')),
    controlGroup: text('ControlGroup'),
    activeEnteredMs: sinceBootMs(whole('ActiveEnterTimestampMonotonic')),
    inactiveLeftMs: sinceBootMs(whole('InactiveExitTimestampMonotonic')),
    stateChangedMs: sinceBootMs(whole('StateChangeTimestampMonotonic')),
    unitFileState: text('UnitFileState'),
    fragmentPath: text('FragmentPath'),
    dropIns: (values.get('DropInPaths') ?? '').split(' ').filter((path) => path !== ''),
    job: unlessZero(whole('Job')),
    user: text('User'),
    // `[not set]`, or 2^64 - 1
    memoryBytes: whole('MemoryCurrent'),
    startTimeoutMs: timeSpanMs(values.get('TimeoutStartUSec') ?? ''),
    stopTimeoutMs: timeSpanMs(values.get('TimeoutStopUSec') ?? ''),
    startLimitBurst: whole('StartLimitBurst'),
    successStatuses: (values.get('SuccessExitStatus') ?? '').split(' ').filter((word) => word !== ''),
  }
}

/** CLD_EXITED, CLD_KILLED and CLD_DUMPED of waitid(2); 0 while it runs. */
function mainExit(code: number | null, status: number | null): MainExit | null {
  const how = ([null, 'exited', 'killed', 'dumped'] as const)[code ?? 0] ?? null
  return how === null || status === null ? null : { how, status }
}

function unlessZero(number: number | null): number | null {
  return number === 0 ? null : number
}

/** systemd counts µs; 0 is never. */
function sinceBootMs(microseconds: number | null): number | null {
  return microseconds === null || microseconds === 0 ? null : Math.floor(microseconds / 1000)
}

function invocationOf(text: string | undefined): string | null {
  return text !== undefined && /^[0-9a-f]{32}$/.test(text) ? text : null
}
