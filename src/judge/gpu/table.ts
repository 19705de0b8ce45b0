import type { Gpu, GpuProcess } from '../../domain/gpu.ts'
import { isPlaceholder } from '../../domain/verbs/gpu-row.ts'
import { wholeNumber } from '../../domain/verbs/reading.ts'
import type { Said } from './card.ts'
import { cardOf, measured } from './card.ts'
import type { Reader } from './reader.ts'
import { parted } from './reader.ts'

/** The table that nvidia-smi prints without options, and a part of it: two lines a card, then the processes. */
export const readTable: Reader = (lines) => {
  const { taken: processes, rest: others } = parted(lines, processIn)
  const listed = processes.length > 0 || others.some((line) => NONE.test(line))
  const { cards, rest } = cardsIn(others)
  if (cards.length === 0 && !listed) return { rest: lines }
  return { ...(cards.length === 0 ? {} : { cards }), ...(listed ? { processes } : {}), rest }
}

function cardsIn(lines: readonly string[]): { readonly cards: readonly Gpu[]; readonly rest: readonly string[] } {
  const versions = lines.map(versionsIn).find((one) => one !== null)
  const cards: Gpu[] = []
  const rest: string[] = []
  let head: Head | null = null
  for (const line of lines) {
    const upper = headIn(line)
    const lower = upper === null ? readingsIn(line) : null
    if (lower !== null)
      cards.push(cardOf({ ...versions?.driver, ...head?.said, ...lower }, { ...versions?.others, ...head?.others }))
    else if (upper === null && (!FRAME.test(line) || LOST.test(line))) rest.push(line)
    head = lower === null ? (upper ?? head) : null
  }
  return { cards, rest }
}

const FRAME = /^\s*(?:[+|][-+=| ]|\||[A-Z][a-z]{2} [A-Z][a-z]{2} .*\d{4}\s*$)/
const LOST = /GPU is lost/i
const NONE = /^\|\s+No running processes found/

interface Versions {
  readonly driver: Said
  readonly others: Readonly<Record<string, string>>
}

function versionsIn(line: string): Versions | null {
  const [, driver] = /\bDriver Version: (\d[\d.]{2,20})/.exec(line) ?? []
  const [, cuda] = /\bCUDA Version: (\d[\d.]{1,10})/.exec(line) ?? []
  if (driver === undefined) return null
  return { driver: { driver }, others: cuda === undefined ? {} : { 'CUDA Version': cuda } }
}

function cellsOf(line: string): readonly string[] {
  return line
    .split('|', 10)
    .slice(1, -1)
    .map((cell) => cell.trim())
}

interface Head {
  readonly said: Said
  readonly others: Readonly<Record<string, string>>
}

/** `|  14  NVIDIA RTX 4000 Ada Gene...    On  |   00000000:CC:00.0 Off |                  Off |` */
function headIn(line: string): Head | null {
  const [model = '', bus = '', errors = ''] = cellsOf(line)
  const [, index, name] =
    /^(\d{1,4}) {1,4}(\S.{0,60}?)(?: {1,40}(?:On|Off|N\/A|ERR!|WDDM|TCC|MCDM))?$/.exec(model) ?? []
  const [, slot] = /^([0-9A-F]{4,8}:[0-9A-F]{2}:[0-9A-F]{2}\.\d)\b/i.exec(bus) ?? []
  if (index === undefined || name === undefined || slot === undefined) return null
  return {
    said: { index, name, slot },
    others: /^(?:ERR!|\d{1,9})$/.test(errors) ? { 'Volatile Uncorr. ECC': errors } : {},
  }
}

/** `|ERR!   68C    P2             99W /  130W |       1MiB /  20475MiB |     93%      Default |` */
function readingsIn(line: string): Said | null {
  const [state = '', memory = '', use = ''] = cellsOf(line)
  const [, fan, temperature, pstate, powerW, powerLimitW] =
    /^(\d{1,3}%|N\/A|ERR!|\[.{1,30}\]) +(\S{1,8}) +(\S{1,8}) +(\S{1,12}) *\/ *(\S{1,12})$/.exec(state) ?? []
  if (fan === undefined || temperature === undefined || pstate === undefined) return null
  if (powerW === undefined || powerLimitW === undefined) return null
  const [memoryUsedMiB = memory, memoryTotalMiB = memory] = memory.split('/').map((cell) => cell.trim())
  const [utilization = ''] = use.split(/ +/)
  return { fan, temperature, pstate, powerW, powerLimitW, memoryUsedMiB, memoryTotalMiB, utilization }
}

/** `|    0   N/A  N/A            4242      C   sglang::scheduler_TP0                 43010MiB |` */
function processIn(line: string): GpuProcess | null {
  const [, pid, name = '', memory = ''] =
    /^\| +\d{1,4} +(?:(?:N\/A|\d{1,4}) +(?:N\/A|\d{1,4}) +)?(\d{1,10}) +(?:C|G|M|C\+G|M\+C|M\+C\+G) +(\S.{0,200}?) +(\d{1,8}MiB|N\/A) *\|$/.exec(
      line,
    ) ?? []
  const number = wholeNumber(pid)
  if (number === null) return null
  return {
    gpuUuid: null,
    pid: number,
    name: isPlaceholder(name) ? null : name,
    memoryMiB: measured(memory),
    facts: null,
  }
}
