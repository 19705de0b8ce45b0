import type { Evidence } from '../../domain/finding.ts'
import type { GateSection } from '../../domain/gate.ts'
import { hostHealth } from '../../domain/verbs/host-health.ts'
import { recordOf, textOf } from './record.ts'

/** What the gate's verb `host-health` printed, section by section: `{"machine": "kernel=…", "disk": "…"}`; nothing without it. */
export function healthSaid(said: unknown): Pick<Evidence, 'machine'> {
  const sections = Object.entries(recordOf(said) ?? {}).flatMap(([name, value]): readonly GateSection[] => {
    const text = textOf(value)
    return text === undefined ? [] : [{ name, rc: 0, text, truncated: false }]
  })
  const read = hostHealth.parse({ rc: 0, delivery: 'installed', sections, noise: '' }, {})
  return read.ok ? { machine: read.value } : {}
}
