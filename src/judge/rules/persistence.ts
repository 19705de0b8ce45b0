import type { Rule } from '../../domain/finding.ts'
import { counted } from '../../domain/report.ts'
import { factsOf } from '../gpu/facts.ts'

/** Cards that their driver puts down whenever nobody uses them. Told only where the health of a machine is looked at. */
export const persistence: Rule = {
  codes: ['driver.persistence-off'],
  check(evidence) {
    const { machine } = evidence
    // Windows keeps its own driver awake
    if (machine === undefined || machine.container === 'wsl') return []
    const off = factsOf(evidence, /^persistence[ _]mode$/i).filter(({ value }) => /^(?:disabled|off)$/i.test(value))
    if (off.length === 0) return []
    const service = machine.services?.find(({ name }) => name.startsWith('nvidia-persistenced'))
    return [
      {
        code: 'driver.persistence-off',
        verdict: 'degraded',
        cause: `Persistence mode is off on ${counted(off.length, 'GPU')}: while nothing uses a card its driver shuts it down, so every start of a server and every nvidia-smi waits for it, and its error counters begin anew.`,
        because: [
          ...off.slice(0, 4).map(({ quote }) => quote),
          ...(service === undefined ? [] : [`${service.name}: ${service.loadState}, ${service.activeState}`]),
        ],
        remedy: [
          machine.container === null
            ? 'sudo systemctl enable --now nvidia-persistenced (a package of the driver brings it; sudo nvidia-smi -pm 1 does the same until the next boot).'
            : 'On the host of this container: sudo systemctl enable --now nvidia-persistenced; in the container it cannot be set.',
        ],
        confidence: 'certain',
      },
    ]
  },
}
