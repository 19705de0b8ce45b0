import type { Changed } from '../../domain/command.ts'
import type { FailureKind } from '../../domain/failure.ts'
import { sentence } from '../../domain/failure.ts'
import type { Ran } from '../../domain/host.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Report } from '../../domain/report.ts'
import { refusal } from '../../domain/report.ts'
import type { Act } from '../../domain/verbs/change.ts'

/** What came of asking a host for a change. `done` tells it where systemd took it. Everything unsure is unknown. */
export function requested(title: string, ran: Outcome<Ran<Act>>, done: (act: Act) => Report): Changed {
  if (ran.ok && ran.value.value.state !== 'issued') return { state: 'done', report: done(ran.value.value) }
  if (ran.ok)
    return { state: 'unknown', report: refusal(`${title} was begun before, and its end is not known.`, 'failed') }
  const without = WITHOUT_EFFECT.some((kind) => kind === ran.failure.kind)
  const words = without
    ? `${title}: not done. ${sentence(ran.failure)}`
    : `The answer was lost. ${sentence(ran.failure)}`
  return { state: without ? 'failed' : 'unknown', report: refusal(words, 'failed') }
}

/** It never came to the host's gate, or the gate refused it before it recorded anything. */
const WITHOUT_EFFECT: readonly FailureKind[] = [
  ...(['dns', 'refused', 'connect-timeout', 'not-ssh', 'banned', 'kex', 'jump', 'auth-method', 'ssh-auth'] as const),
  ...(['hostkey-unknown', 'hostkey-changed', 'hostkey-revoked', 'hostkey-file', 'agent', 'config', 'busy'] as const),
  ...(['key-missing', 'key-permissions', 'key-format', 'key-passphrase', 'max-sessions', 'exec-refused'] as const),
  ...(['gate-missing', 'gate-refused', 'no-such-unit', 'not-there'] as const),
  ...(['fence-busy', 'fence-stale', 'in-transition', 'no-state'] as const),
]
