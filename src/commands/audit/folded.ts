import type { Audit } from '../../domain/store.ts'

/** Newest first: one line for each ask. That it was started is shown only where its end never came. */
export function folded(lines: readonly Audit[]): readonly Audit[] {
  // ends that are newer than the line looked at, and belong to none of those seen yet
  const ends = new Map<string, number>()
  return lines.filter((line) => {
    const key = askOf(line)
    const waiting = ends.get(key) ?? 0
    ends.set(key, Math.max(0, waiting + CHANGE[sortOf(line)]))
    return sortOf(line) !== 'start' || waiting === 0
  })
}

type Sort = 'start' | 'press' | 'end' | 'other'

/** What a line does to the ends that wait for their start. A press has an end of its own, and no other start. */
const CHANGE: Readonly<Record<Sort, -1 | 0 | 1>> = { start: -1, press: -1, end: 1, other: 0 }

function sortOf({ decision, result }: Audit): Sort {
  if (decision === 'allowed' && result === 'started') return 'start'
  if (decision === 'allowed' && PRESSES.includes(result)) return 'press'
  return NO_ENDS.some((one) => one.test(result)) ? 'other' : 'end'
}

const PRESSES: readonly string[] = ['confirmed', 'approved']
/** What came without a start: it was not begun, or it was pressed, or found later. */
const NO_ENDS = [/^(?:busy|stopping|button used|cancelled)$/, /^(?:confirm|cancel): /, /, found after a restart of/]

/** What the start and the end of one ask have in common; a thread may begin in between. */
function askOf({ person, place, command, target }: Audit): string {
  return JSON.stringify([person.team, person.id, place.channel, command, target])
}
