import type { GpuProcess } from '../../domain/gpu.ts'
import { readToolRun } from '../../judge/gpu/tool-run.ts'
import type { Fields } from './record.ts'
import { textOf } from './record.ts'

/** Who has a GPU in use, as somebody pasted it beside a reading: rows of nvidia-smi, else fuser; null where nobody did. */
export function gpuUsersSaid(known: Fields): readonly GpuProcess[] | null {
  const rows = textIn(known, ROWS)
  const listed = rows === null ? undefined : processesIn(rows)
  if (listed !== undefined) return listed
  const fuser = textIn(known, OPEN)
  const holders = fuser === null ? [] : holdersIn(fuser)
  return holders.length === 0 ? null : holders
}

const ROWS = ['compute_apps', 'query_compute_apps', 'gpu_processes', 'processes', 'apps']
const OPEN = ['fuser', 'lsof_fuser', 'fuser_v']

function textIn(known: Fields, names: readonly string[]): string | null {
  return names.flatMap((name) => textOf(known[name]) ?? [])[0] ?? null
}

function processesIn(stdout: string): readonly GpuProcess[] | undefined {
  const command = /^\s*(?:pid|gpu_\w+),/.test(stdout) ? '' : COLUMNS
  return readToolRun({ command, stdout, stderr: '', rc: null, timedOut: false, place: null }).gpuProcesses
}

const COLUMNS = 'nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv,noheader'

/** `/dev/nvidia0:  demo  8123 F...m python3`; each process once, whatever number of devices it has open. */
function holdersIn(text: string): readonly GpuProcess[] {
  const found = text.split('\n', MOST_LINES).flatMap((line) => {
    const [, pid, name = null] = VERBOSE.exec(line.slice(0, LONGEST)) ?? []
    return pid === undefined ? [] : [{ gpuUuid: null, pid: Number(pid), name, memoryMiB: null, facts: null }]
  })
  return [...new Map(found.map((one) => [one.pid, one])).values()]
}

const MOST_LINES = 200
const LONGEST = 400
const VERBOSE = /^(?:\/dev\/\S{1,40}:)?\s{1,40}\S{1,40}\s{1,20}(\d{1,9})\s{1,10}[A-Za-z.]{4,7}\s{1,10}(\S.{0,100})$/
