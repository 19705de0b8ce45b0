import { cards } from './cards.ts'
import { kill, resetFailed, restart, start, stop, variant } from './change.ts'
import { disk } from './disk.ts'
import { dmesgGpu } from './dmesg-gpu.ts'
import { follow } from './follow.ts'
import { gpu } from './gpu.ts'
import { gpuProcesses } from './gpu-processes.ts'
import { hostHealth } from './host-health.ts'
import { listeners } from './listeners.ts'
import { log } from './log.ts'
import { modelFiles } from './model-files.ts'
import { opstat } from './opstat.ts'
import { pci } from './pci.ts'
import { ping } from './ping.ts'
import { process } from './process.ts'
import { tree } from './tree.ts'
import { unit } from './unit.ts'
import { units } from './units.ts'
import { versions } from './versions.ts'

/** Everything that may be done on a host. The gate there knows the same. */
export const verbs = [
  ping,
  gpu,
  gpuProcesses,
  cards,
  dmesgGpu,
  pci,
  hostHealth,
  units,
  unit,
  log,
  follow,
  listeners,
  process,
  tree,
  modelFiles,
  disk,
  versions,
  start,
  stop,
  restart,
  resetFailed,
  kill,
  variant,
  opstat,
] as const

export {
  cards,
  disk,
  dmesgGpu,
  follow,
  gpu,
  gpuProcesses,
  hostHealth,
  kill,
  listeners,
  log,
  modelFiles,
  opstat,
  pci,
  ping,
  process,
  resetFailed,
  restart,
  start,
  stop,
  tree,
  unit,
  units,
  variant,
  versions,
}
