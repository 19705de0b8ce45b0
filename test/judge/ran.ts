import type { Evidence } from '../../src/domain/finding.ts'
import type { GpuEvidence } from '../../src/domain/gpu.ts'
import type { UnitState } from '../../src/domain/unit.ts'
import { readToolRun } from '../../src/judge/gpu/tool-run.ts'

interface More extends Partial<Evidence> {
  readonly stderr?: string
  readonly rc?: number | null
  readonly timedOut?: boolean
  readonly place?: GpuEvidence['place']
}

/** Evidence of one GPU tool that printed this; lines of the kernel are added to those that it printed. */
export function ran(command: string, stdout: string, more: More = {}): Evidence {
  const { stderr = '', rc = 0, timedOut = false, place = null, kernel = [], told = [], ...others } = more
  const read = readToolRun({ command, stdout, stderr, rc, timedOut, place })
  const lines = [...kernel, ...(read.kernel ?? [])]
  return {
    target: { name: 'host', url: '', host: null },
    ...read,
    ...(lines.length === 0 ? {} : { kernel: lines }),
    told: [`command: ${command}`, ...told],
    ...others,
  }
}

export const QUERY =
  'nvidia-smi --query-gpu=index,name,memory.used,memory.total,utilization.gpu,temperature.gpu,power.draw,fan.speed --format=csv,noheader,nounits'

/** Rows of `QUERY`, one for each text: the cells behind the name. */
export function rows(...cells: readonly string[]): string {
  return cells.map((cell, index) => `${index}, NVIDIA RTX A6000, ${cell}\n`).join('')
}

export const WELL = '12, 49140, 0, 35, 18.10, 30'

export const APPS = 'nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv,noheader,nounits'

export const NO_DRIVER =
  "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n"

/** A line of the driver in the kernel's log. */
export function xid(number: number, words = 'pid=4242, name=python3, Ch 00000008'): string {
  return `NVRM: Xid (PCI:0000:81:00): ${number}, ${words}`
}

export function unitOf(activeState: string, change: Partial<UnitState> = {}): UnitState {
  return {
    id: 'llm.service',
    loadState: 'loaded',
    activeState,
    subState: activeState === 'active' ? 'running' : 'dead',
    result: 'success',
    type: 'simple',
    restart: 'no',
    mainPid: null,
    mainExit: null,
    nRestarts: 0,
    invocation: null,
    controlGroup: null,
    activeEnteredMs: null,
    inactiveLeftMs: null,
    stateChangedMs: null,
    unitFileState: 'enabled',
    fragmentPath: null,
    dropIns: [],
    job: null,
    user: null,
    memoryBytes: null,
    startTimeoutMs: null,
    stopTimeoutMs: null,
    startLimitBurst: null,
    successStatuses: [],
    ...change,
  }
}
