import { z } from 'zod'
import type { Gpu, GpuProcess } from '../domain/gpu.ts'
import type { Telemetry } from '../domain/telemetry.ts'
import { wholeNumber } from '../domain/verbs/reading.ts'
import { measured } from '../judge/gpu/card.ts'
import { namedIn } from '../judge/gpu/json-text.ts'
import { hostCards, partedLines } from './host-cards.ts'
import { documentsIn } from './json-documents.ts'
import type { Names } from './named-card.ts'
import { namedCard } from './named-card.ts'

/** rocm-smi: one JSON object with `card0`, `card1`, … for the cards, one with `PID4711` for the processes on them. */
export const rocmSmi: Telemetry = {
  kind: 'rocm-smi',
  read(told) {
    const cards = answerIn(told.cards?.text ?? '')
    const apps = answerIn(told.apps?.text ?? '')
    const gpus = cards.values.flatMap(cardsIn)
    return hostCards(told, {
      cards: gpus,
      processes: processesIn(apps, gpus),
      notes: [...cards.rest, ...apps.rest.filter((line) => !NONE.test(line))],
      chatter: [...cards.chatter, ...apps.chatter],
    })
  },
}

interface Answer {
  readonly values: readonly unknown[]
  readonly rest: readonly string[]
  readonly chatter: readonly string[]
}

function answerIn(text: string): Answer {
  const { chatter, said } = partedLines(text)
  return { ...documentsIn(said), chatter }
}

/** It says that it lists nothing; for the cards that would be a complaint. */
const NONE = /No JSON data to report|No KFD PIDs currently running/i

const object = z.record(z.string(), z.unknown())

/** What it says of the whole host stands beside the cards. */
function cardsIn(value: unknown): readonly Gpu[] {
  const read = object.safeParse(value)
  if (!read.success) return []
  const ofHost = namedIn(read.data['system'])
  return Object.entries(read.data).flatMap(([name, card]) => {
    const index = wholeNumber(/^card(\d{1,4})$/.exec(name)?.[1])
    return index === null ? [] : [{ ...namedCard([...namedIn(card), ...ofHost], NAMES), index }]
  })
}

const NAMES: Names = [
  ['uuid', ['Unique ID']],
  ['slot', ['PCI Bus']],
  ['name', ['Card Series', 'Card series', 'Device Name', 'Card Model', 'Card model']],
  ['driver', ['Driver version']],
  ['memoryTotalMiB', ['VRAM Total Memory (B)']],
  ['memoryUsedMiB', ['VRAM Total Used Memory (B)']],
  ['utilization', ['GPU use (%)']],
  // the large chips have no sensor at the edge
  ['temperature', ['Temperature (Sensor edge) (C)', 'Temperature (Sensor junction) (C)']],
  ['powerW', ['Current Socket Graphics Package Power (W)', 'Average Graphics Package Power (W)']],
  ['powerLimitW', ['Max Graphics Package Power (W)']],
  ['fan', ['Fan speed (%)', 'Fan Speed (%)']],
]

/** Null where it said something else than a list, or that there is none. */
function processesIn({ values, rest }: Answer, cards: readonly Gpu[]): readonly GpuProcess[] | null {
  if (values.length === 0 && !rest.some((line) => NONE.test(line))) return null
  // it does not tell on which card
  const gpuUuid = cards.length === 1 ? (cards[0]?.uuid ?? null) : null
  return values.flatMap((value) => {
    const listed = object.safeParse(object.safeParse(value).data?.['system'])
    return Object.entries(listed.data ?? {}).flatMap(([name, told]) => {
      const pid = wholeNumber(/^PID(\d{1,10})$/.exec(name)?.[1])
      const row = typeof told === 'string' ? ROW.exec(told) : null
      const [, command = '', bytes = ''] = row ?? []
      if (pid === null || row === null) return []
      const memoryMiB = measured(`${bytes} B`)
      return [{ gpuUuid, pid, name: command === 'unknown' ? null : command, memoryMiB, facts: null }]
    })
  })
}

/** `llama-server, 1, 2353860608, 11011, 0`: name in lower case, number of cards, bytes of VRAM, SDMA use, occupancy */
const ROW = /^(.{1,200}?), (?:\d{1,4}|unknown), (\d{1,15}|unknown), (?:\d{1,15}|unknown)(?:, \S{1,15})?$/i
