import type { Rule } from '../../domain/finding.ts'

/** A login shell that takes long: each verb pays it, and a restart is watched by many. */
export const slowShell: Rule = {
  codes: ['ssh.slow-shell'],
  check({ shellMs, machine }) {
    if (shellMs === undefined || machine === undefined) return []
    const limit = machine.delivery === 'quick' ? SENT_MS : SHELL_MS
    if (shellMs <= limit) return []
    return [
      {
        code: 'ssh.slow-shell',
        verdict: 'degraded',
        cause: `The login shell of the account costs ${Math.round(shellMs)} ms before anything runs, and it is paid at every look at the host.`,
        because: [`the fastest of the calls: ${Math.round(shellMs)} ms`, `the limit: ${limit} ms`],
        remedy: [
          'See what its start-up files run (bash -lxc true 2>&1 | tail): conda and nvm initialisation, module load, a look-up over the network.',
          'Begin ~/.bashrc with [[ $- == *i* ]] || return, and keep the rest for terminals; or make an account of its own: deploy/host/setup.',
        ],
        confidence: 'likely',
        unless: 'the machine was that busy at the moment: ask again.',
      },
    ]
  },
}

/** In ms: a plain shell with the installed gate takes some 20. */
const SHELL_MS = 100
/** In ms: where the script is sent with each verb, its transfer and reading count too. */
const SENT_MS = 250
