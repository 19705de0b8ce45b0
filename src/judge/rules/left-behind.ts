import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { GpuProcess } from '../../domain/gpu.ts'
import { counted } from '../../domain/report.ts'
import type { UnitState } from '../../domain/unit.ts'
import { endOf, lookAt } from '../remedies.ts'
import { quotedTold, toldLine } from '../told.ts'

/** A process holds GPU memory although the unit that it belongs to is stopped. By the list of the tool; logs have a rule of their own. */
export const leftBehind: Rule = {
  codes: ['proc.stale-gpu-user'],
  check(evidence) {
    const { unit, gpus, log } = evidence
    if (unit === undefined || log !== undefined || gpus?.place === 'container') return []
    if (!isStopped(unit) || OF_THE_HOST.test(unit.id)) return []
    const left = leftOf(evidence, unit)
    const [first] = left
    if (first !== undefined) return [ofProcess(evidence, unit, first, left.length - 1)]
    const held = unexplained(evidence)
    return held === null ? [] : [ofNobody(unit, held, evidence.gpuProcesses !== undefined)]
  },
}

/** These are no servers of models: one that is stopped leaves nothing behind. */
const OF_THE_HOST = /^(?:nvidia|dcgm|nv-|docker|containerd|ssh|lxc|pve|systemd)/

/** On the way down a process still has its memory, rightly so. */
function isStopped({ activeState }: UnitState): boolean {
  return activeState === 'inactive' || activeState === 'failed'
}

/** Processes of a model server that belong to no other unit; the desktop is none. A cgroup tells for sure. */
function leftOf(
  { gpuProcesses = [] }: Pick<Evidence, 'gpuProcesses'>,
  { controlGroup, user }: UnitState,
): readonly GpuProcess[] {
  return gpuProcesses.filter(({ name, facts, memoryMiB }) => {
    const group = facts?.cgroup ?? null
    if (group !== null && group === controlGroup) return true
    if (group !== null && (ELSEWHERE.test(group) || (LOGIN.test(group) && facts?.owner !== (user ?? 'root'))))
      return false
    return !DESKTOP.test(name ?? '') && (memoryMiB === null || memoryMiB >= LEAST_MIB)
  })
}

/** Of another unit, or of a container. */
const ELSEWHERE = /\.service$|(?:^|\/)(?:docker|libpod|cri-containerd|crio)-[^/]{1,200}\.scope(?:\/|$)/
/** Somebody started it by hand. */
const LOGIN = /(?:^|\/)session-[^/]{1,40}\.scope(?:\/|$)/

const DESKTOP =
  /xorg|xwayland|gnome|kwin|plasma|mutter|firefox|chrom|steam|compiz|nvidia-persistenced|dcgm|nv-hostengine/i
/** A context of CUDA alone takes some hundred MiB; a server holds more. */
const LEAST_MIB = 256

function ofProcess(evidence: Evidence, unit: UnitState, { pid, name, memoryMiB }: GpuProcess, more: number): Finding {
  const held = memoryMiB === null ? 'memory' : `${memoryMiB} MiB`
  const others = more === 0 ? '' : `; ${more} more ${more === 1 ? 'does' : 'do'} so too`
  const where = toldLine(evidence, /\bwhere: |\bpid_namespace/i)
  return {
    code: 'proc.stale-gpu-user',
    verdict: 'misconfigured',
    cause: `Process ${pid}${name === null ? '' : ` (${name})`} still holds ${held} of a GPU although ${nameOf(unit)} is stopped${others}.`,
    because: [
      `GPU process: pid ${pid}${name === null ? '' : `, “${name}”`}, ${held}`,
      `${nameOf(unit)}: ${unit.activeState}${unit.subState === '' ? '' : ` (${unit.subState})`}`,
      ...(where === null ? [] : [quotedTold(where)]),
    ],
    remedy: [
      endOf(String(pid)),
      `Then see that its memory is free (nvidia-smi) before ${nameOf(unit)} is started. If it is yours and does not end: kill -9 ${pid}; in state D it waits for the driver, and only a reboot ends it.`,
    ],
    confidence: 'likely',
    unless: 'it belongs to somebody else or to another unit: its owner, age and parent tell.',
    missing: [lookAt(String(pid))],
    explains: ['mem.static-too-small', 'mem.does-not-fit', 'mem.fraction'],
  }
}

function nameOf({ id }: UnitState): string {
  return id === '' ? 'the unit' : id
}

/** Memory that nobody on the list holds, in MiB: its holder is in another namespace, or hangs. */
function unexplained(evidence: Evidence): number | null {
  const { gpus, gpuProcesses } = evidence
  if (gpus === undefined || (gpuProcesses?.length ?? 0) > 0) return null
  if (gpuProcesses === undefined && mayServe(evidence)) return null
  const used = gpus.cards.map(({ memoryUsedMiB }) => memoryUsedMiB ?? 0)
  const most = Math.max(0, ...used)
  return most >= UNEXPLAINED_MIB ? most : null
}

/** Whether something else may serve there: a card works as far as it was asked, somebody told so, or a model answers. */
function mayServe({ gpus, told = [], smoke }: Evidence): boolean {
  const works = gpus?.cards.some(({ utilization }) => (utilization ?? 0) > IDLE) === true
  return smoke !== undefined || works || told.some((line) => SERVES.test(line))
}

/** percent */
const IDLE = 5
const SERVES =
  /\bactive \(running\)|(?<!not )\b(?:is |are |still )?(?:running|serving|serves)\b|\bready\b|: 200\b|\bUp \d/i

/** The driver itself takes up to some GiB of a large card. */
const UNEXPLAINED_MIB = 4096

function ofNobody(unit: UnitState, held: number, isListed: boolean): Finding {
  const who = isListed
    ? ' and no process is listed: its holder hangs, or belongs to a container'
    : ': a process of it lives on, or one of somebody else holds them'
  return {
    code: 'proc.stale-gpu-user',
    verdict: 'misconfigured',
    cause: `${counted(held, 'MiB').replace('MiBs', 'MiB')} of a GPU are in use although ${nameOf(unit)} is stopped${who}.`,
    because: [
      `in use: ${held} MiB`,
      `${nameOf(unit)}: ${unit.activeState}`,
      ...(isListed ? ['no process is listed'] : []),
    ],
    remedy: [
      'sudo fuser -v /dev/nvidia* lists who has the devices open, also what nvidia-smi does not show; docker ps and pct list show the containers.',
      'Look at owner and age (ps -o pid,ppid,user,lstart,stat,unit,cmd -p PID) before one of them is ended, then look at the memory again.',
    ],
    confidence: 'likely',
    missing: ['sudo fuser -v /dev/nvidia*'],
  }
}
