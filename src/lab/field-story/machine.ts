import type { Death, Machine } from '../box-machine.ts'
import type { Ending } from './run-log.ts'
import { runLog } from './run-log.ts'
import type { Setting } from './setting.ts'
import { FIRST_SETTING } from './setting.ts'
import { toolAnswer } from './tools.ts'

/** A box with two GPUs and one unit, on which a start becomes what its setting and its surroundings make of it. */
export interface FieldBox {
  readonly machine: Machine
  /** what serves on its port; null where nobody listens */
  serving(): Server | null
  /** Changes what the next start finds. */
  set(change: Partial<Setting>): void
  /** whether it was changed since the last start */
  isDue(): boolean
  /** `pkill -9 -f sglang::` ends the schedulers of a server, and not the process that listens. */
  killSchedulers(): void
  /** Ends whatever listens. */
  endServer(): void
}

/** A server that owns the port. */
export interface Server {
  readonly version: Setting['version']
  /** of serve.sh; that of its children follow */
  readonly pid: number
  /** its schedulers live and hold the GPUs' memory */
  readonly works: boolean
}

/** `onChange`: what serves is another one, or in another state. */
export function fieldBox(onChange: () => void): FieldBox {
  let setting = FIRST_SETTING
  let server: Server | null = null
  let last: {
    readonly setting: Setting
    readonly ending: Ending
    readonly pid: number
    readonly holder: number
  } | null = null
  const serve = (next: Server | null) => {
    server = next
    onChange()
  }
  const machine: Machine = {
    host: 'gpu-box-2',
    started(_unit, pid) {
      const ending = endingOf(setting, server)
      last = { setting, ending, pid, holder: server?.pid ?? 0 }
      if (ending === 'serves') serve({ version: setting.version, pid, works: true })
      return DEATHS[ending]
    },
    stopped: () => void (setting.killMode === 'control-group' && serve(null)),
    log: (_unit, since) => (last === null ? [] : runLog({ ...last, since })),
    read: (verb, words) => toolAnswer(verb, words, { setting, server }),
  }
  return {
    machine,
    serving: () => server,
    set(change) {
      setting = { ...setting, ...change }
    },
    isDue: () => last?.setting !== setting,
    killSchedulers: () => void (server !== null && serve({ ...server, works: false })),
    endServer: () => serve(null),
  }
}

/** What a start comes to: arguments are looked at first, then memory is taken, and the port is bound at the very end. */
function endingOf({ version, mamba, memFraction, maxRunning }: Setting, server: Server | null): Ending {
  if (version === '0.5.11' && mamba === 'no_buffer') return 'strategy-refused'
  if (server?.works === true) return 'card-taken'
  if (memFraction < 0.88 || maxRunning > 16) return 'no-room'
  return server === null ? 'serves' : 'port-taken'
}

/** SGLang kills itself with SIGKILL on an exception in a scheduler (sglang.md 4). */
const DEATHS: Readonly<Record<Ending, Death | null>> = {
  'strategy-refused': { how: 'exited', status: 1 },
  'card-taken': { how: 'killed', status: 9 },
  'no-room': { how: 'killed', status: 9 },
  'port-taken': { how: 'exited', status: 1 },
  serves: null,
}
