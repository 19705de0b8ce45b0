import type { GateReply } from '../gate.ts'
import { sectionOf } from '../gate.ts'
import type { GpuEvidence } from '../gpu.ts'
import { failed, ok } from '../outcome.ts'
import type { CardsTold, ToolSaid } from '../telemetry.ts'
import { TELEMETRY_KINDS } from '../telemetry.ts'
import type { Verb } from '../verb.ts'
import { processesOf } from './process-line.ts'
import {
  garbled,
  keyValues,
  linesOf,
  READ_DEADLINE_MS,
  readSection,
  textOrNull,
  unaskedIn,
  wholeNumber,
} from './reading.ts'

/**
 * The cards of the host, who uses them and what units there are, by whatever GPU tool it has. A tool that fails or hangs is
 * an answer too: `telemetry` reads it.
 */
export const cards: Verb<object, CardsTold> = {
  name: 'cards',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words: () => [],
  parse: (reply) =>
    readSection(reply, 'host', (section) => {
      const host = keyValues(section)
      const tool = TELEMETRY_KINDS.find((kind) => kind === host.get('tool'))
      if (tool === undefined) return failed(garbled('section host', 'it names no GPU tool that this program knows'))
      const said = saidIn(reply, 'cards')
      const unasked = unaskedIn(reply)
      if (said === null && unasked === null) return failed(garbled('section cards', 'the gate did not send it'))
      return ok({
        tool,
        cards: said,
        ...(unasked === null ? {} : { unasked }),
        apps: saidIn(reply, 'apps'),
        processes: processesOf(sectionOf(reply, 'processes')),
        units: unitsOf(reply),
        at: timeOf(host.get('time')),
        place: placeOf(textOrNull(host.get('container'))),
      })
    }),
}

function saidIn(reply: GateReply, name: string): ToolSaid | null {
  const section = sectionOf(reply, name)
  return section === null ? null : { text: linesOf(section).join('\n'), rc: section.rc ?? CUT }
}

const CUT = 141

/** Lines `ALIAS UNIT`; of an alias that stands twice the first counts. */
function unitsOf(reply: GateReply): Readonly<Record<string, string>> {
  const units = new Map<string, string>()
  for (const line of linesOf(sectionOf(reply, 'units')).slice(0, MOST_UNITS)) {
    const [, alias, unit] = /^(\S{1,64}) (\S{1,300})$/.exec(line.trim()) ?? []
    if (alias !== undefined && unit !== undefined && !units.has(alias)) units.set(alias, unit)
  }
  return Object.fromEntries(units)
}

const MOST_UNITS = 64

function timeOf(text: string | undefined): number | null {
  const seconds = wholeNumber(text)
  return seconds === null || seconds > LAST_SECOND ? null : seconds * 1000
}

/** of the last day that a Date can hold */
const LAST_SECOND = 8_640_000_000_000

/** WSL counts as a container with systemd; its driver is its own. */
function placeOf(container: string | null): GpuEvidence['place'] {
  return container === null || container === 'none' || container === 'wsl' ? 'host' : 'container'
}
