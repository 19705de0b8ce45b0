import { z } from 'zod'
import type { Gpu, GpuProcess } from '../domain/gpu.ts'
import type { Telemetry } from '../domain/telemetry.ts'
import { measured } from '../judge/gpu/card.ts'
import { namedIn } from '../judge/gpu/json-text.ts'
import type { Named } from '../judge/gpu/names.ts'
import { INSIDE } from '../judge/gpu/names.ts'
import { hostCards, partedLines } from './host-cards.ts'
import { documentsIn } from './json-documents.ts'
import type { Names } from './named-card.ts'
import { namedCard } from './named-card.ts'

/**
 * amd-smi: the JSON of `metric` and `static` for the cards, of `process` for the processes on them. A list of cards to
 * release 6.3, `{"gpu_data": […]}` since; what it complains of is JSON as well, with status 0.
 */
export const amdSmi: Telemetry = {
  kind: 'amd-smi',
  read(told) {
    const cards = answerIn(told.cards?.text ?? '')
    const apps = answerIn(told.apps?.text ?? '')
    const gpus = cardsIn(cards.entries)
    return hostCards(told, {
      cards: gpus,
      processes: processesIn(apps.entries, gpus),
      notes: [...cards.notes, ...apps.notes],
      chatter: [...cards.chatter, ...apps.chatter],
    })
  },
}

interface Answer {
  /** of each card and document one; what it holds depends on the question */
  readonly entries: readonly Entry[]
  readonly notes: readonly string[]
  readonly chatter: readonly string[]
}

const entry = z.looseObject({ gpu: z.number().int().min(0).max(9999) })
type Entry = z.infer<typeof entry>

const entries = z.array(z.unknown()).transform((all) =>
  all.flatMap((one) => {
    const read = entry.safeParse(one)
    return read.success ? [read.data] : []
  }),
)
const answer = z.union([entries, z.looseObject({ gpu_data: entries }).transform((wrapped) => wrapped.gpu_data)])
const complaint = z.looseObject({ error: z.string(), code: z.number().nullish() })

function answerIn(text: string): Answer {
  const { chatter, said } = partedLines(text)
  const { values, rest } = documentsIn(said)
  return {
    entries: values.flatMap((value) => answer.safeParse(value).data ?? []),
    notes: [...values.flatMap(complaintIn), ...rest],
    chatter,
  }
}

function complaintIn(value: unknown): readonly string[] {
  const read = complaint.safeParse(value)
  if (!read.success) return []
  const { error, code } = read.data
  return [code == null ? error : `${error} (error code ${code})`]
}

/** What all documents say of a card, by its number. */
function cardsIn(all: readonly Entry[]): readonly Gpu[] {
  const byGpu = new Map<number, Named[]>()
  for (const one of all) byGpu.set(one.gpu, [...(byGpu.get(one.gpu) ?? []), ...valuesIn(one)])
  const cards = [...byGpu].map(([index, named]) => ({ ...namedCard(named, NAMES), index }))
  // partitions of one chip share its number
  const serials = cards.map(({ uuid }) => uuid)
  return cards.map((card) => ({
    ...card,
    uuid: card.uuid === null || serials.indexOf(card.uuid) !== serials.lastIndexOf(card.uuid) ? card.slot : card.uuid,
  }))
}

/** Its values by the way to them: `usage.gfx_activity` */
function valuesIn(value: unknown): readonly Named[] {
  return namedIn(value).map(([path, text]) => [path.replaceAll(INSIDE, '.'), text])
}

/** The number of the chip is what ROCR_VISIBLE_DEVICES takes, too. */
const NAMES: Names = [
  ['uuid', ['uuid', 'asic.asic_serial']],
  ['slot', ['bus.bdf', 'bdf']],
  ['name', ['asic.market_name', 'board.product_name']],
  ['driver', ['driver.version', 'driver.driver_version']],
  ['memoryTotalMiB', ['mem_usage.total_vram', 'vram.size']],
  ['memoryUsedMiB', ['mem_usage.used_vram']],
  ['utilization', ['usage.gfx_activity']],
  // the large chips have no sensor at the edge
  ['temperature', ['temperature.edge', 'temperature.hotspot']],
  ['powerW', ['power.socket_power', 'power.current_socket_power', 'power.average_socket_power']],
  ['powerLimitW', ['limit.socket_power', 'limit.ppt0.socket_power_limit', 'limit.max_power']],
]

/** each is compared with all others */
const MOST_ROWS = 1000

const listed = z.looseObject({ process_list: z.array(z.looseObject({ process_info: z.unknown() })) })
const process = z.looseObject({ pid: z.coerce.number().int().positive(), name: z.string().nullish() })

/** Null where there was no list at all. A card without processes has one that says so in words. */
function processesIn(told: readonly Entry[], cards: readonly Gpu[]): readonly GpuProcess[] | null {
  const lists = told.flatMap((one) => {
    const read = listed.safeParse(one)
    return read.success ? [{ gpu: one.gpu, list: read.data.process_list }] : []
  })
  if (lists.length === 0) return null
  const all = lists.flatMap(({ gpu, list }) => list.flatMap(({ process_info }) => rowIn(gpu, process_info, cards)))
  const rows = all.slice(0, MOST_ROWS)
  const once = rows.filter((row, at) => !rows.slice(0, at).some((other) => isSame(other, row)))
  return once.map((row) => placed(row, rows))
}

function rowIn(gpu: number, info: unknown, cards: readonly Gpu[]): readonly GpuProcess[] {
  const read = process.safeParse(info)
  if (!read.success) return []
  const named = new Map(valuesIn(info))
  const memory = named.get('memory_usage.vram_mem') ?? named.get('mem_usage') ?? ''
  const { pid, name } = read.data
  return [
    {
      gpuUuid: cards.find(({ index }) => index === gpu)?.uuid ?? null,
      pid,
      name: name == null || name === 'N/A' ? null : name,
      // a number without a unit is of bytes
      memoryMiB: measured(/^\d+$/.test(memory) ? `${memory} B` : memory),
      facts: null,
    },
  ]
}

/** Some releases list a process under every card with all that it has together: to the byte the same each time. */
function isSame(one: GpuProcess, other: GpuProcess): boolean {
  return one.memoryMiB !== null && one.pid === other.pid && one.memoryMiB === other.memoryMiB
}

/** Of what stands under several cards nobody knows where it lies. */
function placed(row: GpuProcess, rows: readonly GpuProcess[]): GpuProcess {
  const others = rows.filter((other) => isSame(other, row))
  return others.every(({ gpuUuid }) => gpuUuid === row.gpuUuid) ? row : { ...row, gpuUuid: null }
}
