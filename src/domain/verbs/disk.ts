import type { GateSection } from '../gate.ts'
import { failed, ok } from '../outcome.ts'
import type { Verb } from '../verb.ts'
import { linesOf, READ_DEADLINE_MS, readSection, wholeNumber } from './reading.ts'
import { toolFailure } from './tool-failure.ts'

/** Free space where the host, its logs and, with a unit, its model live. */
export const disk: Verb<DiskArgs, DiskReading> = {
  name: 'disk',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words: (args) => (args.unit === undefined ? [] : [args.unit]),
  parse: (reply) =>
    readSection(reply, 'disk', (section) => {
      const reading = { places: placesIn(section) }
      // df ends with 1 where one of the places is missing
      const isAnswer = reading.places.length > 0 && (section.rc === 0 || section.rc === 1)
      return isAnswer ? ok(reading) : failed(toolFailure('df', section), reading)
    }),
}

export interface DiskArgs {
  readonly unit?: string
}

export interface DiskReading {
  readonly places: readonly DiskPlace[]
}

export interface DiskPlace {
  readonly device: string
  readonly mount: string
  readonly sizeKiB: number
  readonly usedKiB: number
  /** for users who are not root */
  readonly freeKiB: number
}

/** What df printed, each mount once. */
export function placesIn(section: GateSection | null): readonly DiskPlace[] {
  const rows = linesOf(section).flatMap((line) => readRow(line) ?? [])
  return [...new Map(rows.map((row) => [row.mount, row])).values()]
}

/** Reads `DEVICE SIZE USED FREE 27% MOUNT`; device and mount may have blanks in them. */
function readRow(line: string): DiskPlace | null {
  const words = line.trim().split(/ +/)
  const percent = words.findIndex((word, at) => at >= 4 && /^\d{1,3}%$/.test(word))
  if (percent < 0) return null
  const [sizeKiB = null, usedKiB = null, freeKiB = null] = words.slice(percent - 3, percent).map(wholeNumber)
  const mount = words.slice(percent + 1).join(' ')
  if (sizeKiB === null || usedKiB === null || freeKiB === null || !mount.startsWith('/')) return null
  return { device: words.slice(0, percent - 3).join(' '), mount, sizeKiB, usedKiB, freeKiB }
}
