import type { Failure } from '../failure.ts'
import type { GateReply, GateSection } from '../gate.ts'
import { sectionOf } from '../gate.ts'
import type { Unasked } from '../gpu.ts'
import type { Outcome } from '../outcome.ts'
import { failed } from '../outcome.ts'

/** For a read, with the way there and back; the gate gives each tool at most 20 s. */
export const READ_DEADLINE_MS = 25_000

/** No list of a verb is longer. */
export const MOST_ENTRIES = 5_000

/** Reads the section of a reply that a verb cannot do without. */
export function readSection<Result>(
  reply: GateReply,
  name: string,
  read: (section: GateSection) => Outcome<Result>,
): Outcome<Result> {
  const section = sectionOf(reply, name)
  return section === null ? failed(garbled(`section ${name}`, 'the gate did not send it')) : read(section)
}

/** What the gate sent in its own name cannot be read. */
export function garbled(thing: string, observed: string): Failure {
  return {
    kind: 'gate-garbled',
    thing,
    observed,
    next: 'install the gate that came with this version (deploy/host/setup)',
  }
}

/** The lines of a section that are not blank; one that was cut in the middle is left out. */
export function linesOf(section: GateSection | null): readonly string[] {
  if (section === null) return []
  const lines = section.text.split('\n')
  const whole = section.truncated || section.rc === null ? lines.slice(0, -1) : lines
  return whole.filter((line) => line.trim() !== '').slice(0, MOST_ENTRIES)
}

/** `key=value` lines; of a key that stands twice the first counts. */
export function keyValues(section: GateSection | null): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const line of linesOf(section)) {
    const at = line.indexOf('=')
    const key = line.slice(0, at)
    if (at > 0 && !values.has(key)) values.set(key, line.slice(at + 1).trim())
  }
  return values
}

/** A number of decimal digits that is exact in JavaScript, else null. */
export function wholeNumber(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return null
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : null
}

/** A number with or without decimals, else null. */
export function decimal(text: string): number | null {
  return /^-?\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Number(text) : null
}

/** Text, or null for an empty one and for `-`. */
export function textOrNull(text: string | undefined): string | null {
  return text === undefined || text === '' || text === '-' ? null : text
}

/** Why the gate did not start its GPU tool: one of these sections stands in the place of an answer. */
export function unaskedIn(reply: GateReply): Unasked | null {
  return UNASKED.find((name) => sectionOf(reply, name) !== null) ?? null
}

const UNASKED: readonly Unasked[] = ['held', 'in-use']
