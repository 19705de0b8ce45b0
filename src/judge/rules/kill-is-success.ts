import type { Rule } from '../../domain/finding.ts'

/**
 * A unit that takes SIGKILL for a good end. SGLang ends itself by SIGKILL after any exception (sglang.md 4), so that a
 * crash counts as a success and `Restart=on-failure` never restarts it.
 */
export const killIsSuccess: Rule = {
  codes: ['unit.kill-is-success'],
  check({ unit }) {
    const isTaken = unit?.successStatuses.some((word) => word === 'KILL' || word === 'SIGKILL') === true
    if (unit === undefined || !isTaken || !ON_FAILURE.has(unit.restart ?? 'no')) return []
    const name = unit.id === '' ? 'The unit' : unit.id
    return [
      {
        code: 'unit.kill-is-success',
        verdict: 'misconfigured',
        cause: `${name} counts SIGKILL as a success, so a crash does not bring it back: SGLang kills itself that way after every exception, and the kernel does when memory runs out.`,
        because: [`SuccessExitStatus=${unit.successStatuses.join(' ')}`, `Restart=${unit.restart ?? 'no'}`],
        remedy: [
          `sudo systemctl edit ${unit.id === '' ? 'UNIT' : unit.id}: in [Service] an empty SuccessExitStatus= takes it out; then sudo systemctl daemon-reload. What runs is not touched.`,
          'A stop that ends by SIGKILL shows as failed then, which does no harm: a stop that was asked for restarts nothing.',
        ],
        confidence: 'certain',
      },
    ]
  },
}

/** Those that restart after a failure only. `always` does not ask, `no` never does. */
const ON_FAILURE: ReadonlySet<string> = new Set(['on-failure', 'on-abnormal', 'on-abort', 'on-watchdog'])
