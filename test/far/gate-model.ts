import { existsSync } from 'node:fs'
import type { Judgement } from './gate-oracle.ts'

/** What a gate that keeps to its protocol does in the fuzzed world: its statuses, and its calls of tools with an effect. */
export interface Expected {
  readonly rc: readonly number[]
  readonly calls: readonly string[]
  /** whether it may write its records */
  readonly writes: boolean
  /** whether it asks for a lock, and writes nothing */
  readonly locks?: boolean
}

/** The units of the fuzzed world. `main` is stopped, has the variant `fast` and no group; `file` logs to a file. */
export const UNITS: Readonly<Record<string, string>> = { main: 'sglang.service', file: 'files.service' }

/** Goes along with the gate call by call, since a change alters what the next one meets. */
export function gateModel(): (judgement: Judgement) => Expected {
  const generations = new Map<string, number>()
  const operations = new Map<string, string>()

  function change({ verb, op, words: [alias = '', fence = '', name = ''] }: Judgement): Expected {
    const unit = UNITS[alias] ?? ''
    const before = operations.get(op)
    if (before === VOID) return { rc: [76], calls: [], writes: true }
    if (before !== undefined) return { rc: [before === `${verb} ${alias}` ? 0 : 64], calls: [], writes: true }
    const generation = generations.get(alias) ?? 0
    const asked = [show(unit, ',ExecStart')]
    const refused = refusals(verb, alias, name, suits(verb, fence, generation))
    if (refused.length > 0) return { rc: refused, calls: asked, writes: true }
    generations.set(alias, generation + 1)
    operations.set(op, `${verb} ${alias}`)
    return { rc: [0], calls: [...asked, ACTS[verb]?.(unit) ?? 'none'], writes: true }
  }

  /** What never came cannot come any more. */
  function opstat(target: string): Expected {
    const known = operations.has(target)
    if (!known) operations.set(target, VOID)
    return { rc: [0], calls: [], writes: !known }
  }

  return (judgement) => {
    const { verb, words, rc } = judgement
    if (rc !== 0) return read([rc])
    const [alias] = words
    if (verb === 'opstat') return opstat(alias ?? '')
    const needsUnit = !['listeners', 'process'].includes(verb) && alias !== undefined
    if (needsUnit && !Object.hasOwn(UNITS, alias)) return read([67])
    return READS[verb]?.(words) ?? change(judgement)
  }
}

const VOID = 'void'

/** All units are stopped. */
function suits(verb: string, fence: string, generation: number): boolean {
  const [planned, seen = ''] = fence.split('.')
  const any = verb !== 'start' && verb !== 'restart'
  return planned === String(generation) && (any || ['stopped', 'starting', 'loop'].includes(seen))
}

function refusals(verb: string, alias: string, variant: string, fits: boolean): readonly number[] {
  if (!fits) return [76]
  // none of the processes of this machine is of the unit
  if (verb === 'kill') return [66, 76, 77]
  const there = variant === 'none' || (alias === 'main' && variant === 'fast')
  return verb !== 'variant' || there ? [] : [66]
}

const ACTS: Readonly<Record<string, (unit: string) => string>> = {
  start: (unit) => `systemctl --no-block start ${unit}`,
  stop: (unit) => `systemctl --no-block stop ${unit}`,
  restart: (unit) => `systemctl --no-block restart ${unit}`,
  'reset-failed': (unit) => `systemctl reset-failed ${unit}`,
  variant: () => 'systemctl daemon-reload',
}

function read(rc: readonly number[], ...calls: readonly string[]): Expected {
  return { rc, calls, writes: false }
}

const unitOf = (alias: string | undefined) => UNITS[alias ?? ''] ?? ''

const READS: Readonly<Record<string, (words: readonly string[]) => Expected>> = {
  ping: () => read([0], ...(existsSync('/run/systemd/system') ? ['systemctl --version'] : [])),
  gpu: () => read([0], GPU_ROWS),
  'gpu-processes': () => read([0], APP_ROWS),
  cards: () => ({ ...read([0], GPU_ROWS, APP_ROWS), locks: true }),
  'dmesg-gpu': () => read([0], 'dmesg --time-format iso'),
  pci: () => read([0, 66]),
  'host-health': () => ({ ...read([0], ...HEALTH), locks: true }),
  units: () => read([0], ...Object.values(UNITS).map((unit) => show(unit, ''))),
  unit: ([alias]) => read([0], show(unitOf(alias), '')),
  tree: ([alias]) => read([0], show(unitOf(alias), ',ExecStart')),
  // no process names a model
  'model-files': ([alias]) => read([66], show(unitOf(alias), ',ExecStart')),
  versions: ([alias]) => read([0], show(unitOf(alias), ',ExecStart')),
  disk: ([alias]) => {
    const asked = alias === undefined ? [] : [show(unitOf(alias), ',ExecStart')]
    return read([0], ...asked, DF)
  },
  listeners: () => read([0], 'ss -H -l -t -n -p'),
  process: () => read([0, 66]),
  log: ([alias, , lines, ...more]) => logOf(alias, lines, wishes(more)),
  follow: ([alias, , , ...more]) => followOf(alias, wishes(more)),
}

const DF = `df -P -k ${['/', '/var/log', '/tmp', '/dev/shm'].filter((place) => existsSync(place)).join(' ')}`

function logOf(alias: string | undefined, lines: string | undefined, asked: ReadonlyMap<string, string>): Expected {
  const packed = asked.get('grep')
  if (packed !== undefined && !isLine(packed)) return read([64])
  // the file itself is not there
  if (alias === 'file') return read([['since', 'invocation', 'after'].some((key) => asked.has(key)) ? 64 : 66])
  if (asked.has('offset')) return read([64])
  const since = asked.has('since') ? [`--since=@${asked.get('since')}`] : []
  const words = ['journalctl -n', packed === undefined ? lines : '50000', ...since, ...journalWords(alias, asked)]
  return read([0], words.join(' '))
}

function followOf(alias: string | undefined, asked: ReadonlyMap<string, string>): Expected {
  // its tail is no recorder, and the file is not there
  if (alias === 'file') return read([asked.size > 0 ? 64 : 66])
  const from = asked.has('after') ? '--no-tail' : '-n 0'
  return read([0], ['journalctl -f', from, ...journalWords(alias, asked)].join(' '))
}

function journalWords(alias: string | undefined, asked: ReadonlyMap<string, string>): readonly string[] {
  const cursor = asked
    .get('after')
    ?.split('.')
    .map((part, at) => `${'sibmtx'[at]}=${part}`)
  const run = asked.get('invocation')
  return [
    `--no-pager -o json --output-fields=MESSAGE,PRIORITY,_PID,_SYSTEMD_INVOCATION_ID -u ${unitOf(alias)}`,
    ...(cursor === undefined ? [] : [`--after-cursor=${cursor.join(';')}`]),
    ...(run === undefined ? [] : [`_SYSTEMD_INVOCATION_ID=${run} + INVOCATION_ID=${run}`]),
  ]
}

/** `since 1 grep QQ` as pairs */
function wishes(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? '']] : [])))
}

/** A shell drops NULs, and line ends at the end. */
function isLine(packed: string): boolean {
  const text = Buffer.from(packed, 'base64url').toString('latin1').replaceAll('\0', '').replace(/\n+$/, '')
  return text !== '' && !text.includes('\n')
}

function show(unit: string, more: string): string {
  return `systemctl show --no-pager --property=${PROPERTIES}${more} -- ${unit}`
}

const PROPERTIES =
  'Id,LoadState,ActiveState,SubState,Result,Type,Restart,MainPID,ExecMainCode,ExecMainStatus,NRestarts,InvocationID,' +
  'ControlGroup,ActiveEnterTimestampMonotonic,InactiveExitTimestampMonotonic,StateChangeTimestampMonotonic,' +
  'UnitFileState,FragmentPath,DropInPaths,Job,User,MemoryCurrent,TimeoutStartUSec,TimeoutStopUSec,StartLimitBurst,SuccessExitStatus'

const GPU =
  'index,uuid,pci.bus_id,name,driver_version,memory.total,memory.used,utilization.gpu,temperature.gpu,power.draw,' +
  'power.limit,fan.speed,pstate'

const STATE =
  'index,uuid,pci.bus_id,name,driver_version,pstate,temperature.gpu,utilization.gpu,persistence_mode,' +
  'pcie.link.gen.current,pcie.link.gen.max,pcie.link.width.current,pcie.link.width.max,' +
  'ecc.errors.uncorrected.volatile.total,retired_pages.pending,remapped_rows.pending,remapped_rows.failure,' +
  'clocks_event_reasons.active,temperature.gpu.tlimit,fabric.state,fabric.status,gpu_recovery_action'

/** What `host-health` asks in a world whose tools say nothing, and whose list names no model. */
const HEALTH = [
  'systemctl show --no-pager --property=Id,LoadState,ActiveState -- nvidia-fabricmanager.service nvidia-persistenced.service',
  DF,
  `nvidia-smi --query-gpu=${STATE} --format=csv,noheader,nounits`,
  'nvidia-smi nvlink --status',
]

const GPU_ROWS = `nvidia-smi --query-gpu=${GPU} --format=csv,noheader,nounits`

const APP_ROWS =
  'nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_gpu_memory --format=csv,noheader,nounits'
