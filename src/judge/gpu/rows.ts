import type { Gpu, GpuField, GpuProcess } from '../../domain/gpu.ts'
import { isPlaceholder } from '../../domain/verbs/gpu-row.ts'
import { wholeNumber } from '../../domain/verbs/reading.ts'
import { cardOf, measured } from './card.ts'
import type { Reader } from './reader.ts'
import { parted } from './reader.ts'

/** Rows of nvidia-smi --query-gpu, of any list of fields, with or without header and units. */
export const readRows: Reader = (lines, command) => {
  const fields = fieldsAsked(command, /--query-gpu[= ]["']?([\w.,]+)/) ?? headerIn(lines, /^(?:name|index|uuid|\w+\.)/)
  if (fields === null || fields.includes('pid')) return { rest: lines }
  const { taken, rest } = parted(lines, (line) => cardIn(line, fields))
  return taken.length === 0 ? { rest: lines } : { cards: taken, rest }
}

/** Rows of nvidia-smi --query-compute-apps. None is an answer too, where the tool said nothing else. */
export const readProcessRows: Reader = (lines, command) => {
  const asked = fieldsAsked(command, /--query-(?:compute-apps|accounted-apps)[= ]["']?([\w.,]+)/)
  const fields = asked ?? headerIn(lines, /^(?:pid|gpu_uuid|gpu_name)$/)
  if (fields === null || !fields.includes('pid')) return { rest: lines }
  const { taken, rest } = parted(lines, (line) => processIn(line, fields))
  const others = rest.filter((line) => !NONE.test(line))
  const isAnswer = taken.length > 0 || others.every((line) => isHeader(line))
  return { ...(isAnswer ? { processes: taken } : {}), rest: others }
}

const NONE = /^\W*no running processes/i

function fieldsAsked(command: string, option: RegExp): readonly string[] | null {
  return option.exec(command)?.[1]?.split(',').filter(Boolean) ?? null
}

/** The names of the columns, where the output begins with them: `index, name, memory.used [MiB]`. */
function headerIn(lines: readonly string[], first: RegExp): readonly string[] | null {
  const header = lines.find((line) => isHeader(line) && first.test(line.trim()))
  return header === undefined ? null : cellsOf(header).map((cell) => cell.replace(/ \[.*\]$/, ''))
}

/** Whether a line names columns of a query. */
export function isHeader(line: string): boolean {
  const cells = cellsOf(line)
  return (
    cells.length <= MOST_CELLS && cells.every((cell) => COLUMN.test(cell)) && cells.some((cell) => KNOWN.test(cell))
  )
}

const COLUMN = /^[a-z_0-9]{1,60}(?:\.[a-z_0-9]{1,60}){0,6}(?: \[[A-Za-z%]{1,4}\])?$/
const KNOWN =
  /^(?:index|name|uuid|pid|process_name|gpu_uuid|gpu_name|gpu_serial|gpu_bus_id|memory\.|utilization\.|temperature\.|power\.|used_|compute_cap|compute_mode|driver_version|pci\.|fan\.speed|clocks\.|pstate|serial|vbios_version|persistence_mode|ecc\.|mig\.|remapped_rows\.|timestamp|count)\b/
const MOST_CELLS = 100

function cellsOf(line: string): readonly string[] {
  return line.split(',', MOST_CELLS + 1).map((cell) => cell.trim())
}

function cardIn(line: string, fields: readonly string[]): Gpu | null {
  const cells = cellsOf(line)
  if (cells.length !== fields.length || isHeader(line) || !isRow(cells, fields)) return null
  const said: Partial<Record<GpuField, string>> = {}
  const others: Record<string, string> = {}
  for (const [at, name] of fields.entries()) {
    const cell = cells[at] ?? ''
    const field = COLUMNS[name.replace(/^gpu_/, '')]
    if (cell === '') continue
    if (field === undefined) others[name] = cell
    else said[field] ??= cell
  }
  return cardOf(said, others)
}

/** A complaint with as many commas is no row. */
function isRow(cells: readonly string[], fields: readonly string[]): boolean {
  const index = fields.indexOf('index')
  if (index >= 0) return /^\d{1,4}$/.test(cells[index] ?? '') || isPlaceholder(cells[index] ?? '')
  if (cells.some((cell) => cell.length > LONGEST_CELL)) return false
  return cells.some((cell) => measured(cell) !== null || VALUE.test(cell)) || !PROSE.test(cells.join(' '))
}

const LONGEST_CELL = 120
const VALUE = /^(?:\[.*\]|N\/A|ERR!|(?:GPU|MIG)-\S+|P\d{1,2}|(?:Not )?Active|Enabled|Disabled|Yes|No)$/
const PROSE =
  /fail|error|unable|couldn|could not|cannot|not found|no devices|not (?:a )?(?:valid|known|recogni)|invalid|unrecogni|unknown|insufficient|permission|denied|usage:|lost|:\s|\w \w.*\.$/i

const COLUMNS: Readonly<Record<string, GpuField>> = {
  index: 'index',
  uuid: 'uuid',
  'pci.bus_id': 'slot',
  bus_id: 'slot',
  name: 'name',
  driver_version: 'driver',
  'memory.total': 'memoryTotalMiB',
  'memory.used': 'memoryUsedMiB',
  'utilization.gpu': 'utilization',
  'temperature.gpu': 'temperature',
  'power.draw': 'powerW',
  'power.draw.instant': 'powerW',
  'power.draw.average': 'powerW',
  'power.limit': 'powerLimitW',
  'enforced.power.limit': 'powerLimitW',
  'fan.speed': 'fan',
  pstate: 'pstate',
}

/** A process may have commas in its name, whatever stands before and behind it. */
function processIn(line: string, fields: readonly string[]): GpuProcess | null {
  const cells = cellsOf(line)
  const surplus = cells.length - fields.length
  const named = fields.findIndex((field) => field === 'process_name' || field === 'name')
  if (surplus < 0 || (surplus > 0 && named < 0)) return null
  const cell = (at: number): string => cells[at > named && named >= 0 ? at + surplus : at] ?? ''
  const of = (...names: readonly string[]): string => cell(fields.findIndex((field) => names.includes(field)))
  const pid = wholeNumber(of('pid'))
  if (pid === null) return null
  const name = named < 0 ? '' : cells.slice(named, named + surplus + 1).join(', ')
  return {
    gpuUuid: fields.includes('gpu_uuid') && !isPlaceholder(of('gpu_uuid')) ? of('gpu_uuid') : null,
    pid,
    name: isPlaceholder(name) ? null : name,
    memoryMiB: measured(of('used_memory', 'used_gpu_memory')),
    facts: null,
  }
}
