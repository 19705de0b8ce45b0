import type { Telemetry, ToolSaid } from '../domain/telemetry.ts'
import { isHeader } from '../judge/gpu/rows.ts'
import type { ToolEvidence } from '../judge/gpu/tool-run.ts'
import { hostCards, pasted } from './host-cards.ts'

/** nvidia-smi: rows of a query for the cards, and of one for the processes on them. */
export const nvidiaSmi: Telemetry = {
  kind: 'nvidia-smi',
  read(told) {
    const read = (command: string, said: ToolSaid | null): ToolEvidence =>
      said === null ? {} : pasted(command, said, told.place)
    const cards = read(CARDS, told.cards)
    const apps = read(APPS, told.apps)
    return hostCards(told, {
      cards: cards.gpus?.cards ?? [],
      processes: apps.gpuProcesses ?? null,
      notes: [...(cards.gpus?.notes ?? []), ...(apps.gpus?.notes ?? [])].filter((line) => !isHeader(line)),
      chatter: [...(cards.gpus?.chatter ?? []), ...(apps.gpus?.chatter ?? [])],
    })
  },
}

/** What the gate asks it, by which its rows are understood. */
const CARDS =
  'nvidia-smi --query-gpu=index,uuid,pci.bus_id,name,driver_version,memory.total,memory.used,utilization.gpu,temperature.gpu,power.draw,power.limit,fan.speed,pstate'
const APPS = 'nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_gpu_memory'
