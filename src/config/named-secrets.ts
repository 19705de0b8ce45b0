import { z } from 'zod'
import type { Env } from './environment.ts'
import { readApiKey, readSecret } from './environment.ts'
import type { Problem } from './problem.ts'
import type { Blame } from './shape.ts'

export interface NamedSecrets {
  readonly problems: readonly Problem[]
  readonly agentSocket: string
  /** the value of a variable that the file names; empty where it has a problem */
  secret(name: string): string
}

const word = z.string().optional().catch(undefined)
const section = z
  .record(
    z.string(),
    z.object({ api_key_env: word, key_env: word, key_passphrase_env: word, agent: z.unknown() }).partial().catch({}),
  )
  .catch({})
const Naming = z.object({ hosts: section, targets: section }).catch({ hosts: {}, targets: {} })

/** Reads the variables whose names stand in the file: keys, passphrases, the agent's socket. */
export function namedSecrets(value: unknown, env: Env, cwd: string, blame: Blame): NamedSecrets {
  const { hosts, targets } = Naming.parse(value)
  const values = new Map<string, string>()
  const agentSocket = env['SSH_AUTH_SOCK'] ?? ''

  function check(path: readonly string[], name: string | undefined, readAs = readSecret): readonly Problem[] {
    if (name === undefined || !/^[A-Z][A-Z0-9_]*$/.test(name)) return []
    const read = readAs(name, env, cwd)
    if (read.value !== null) values.set(name, read.value)
    if (read.value !== null || read.problems.length > 0) return read.problems
    return [
      blame(
        path,
        `the variable ${name}, which is not set`,
        `set ${name}, or ${name}_FILE with the path of a file that holds it`,
      ),
    ]
  }

  const problems = [
    ...Object.entries(hosts).flatMap(([name, host]) => [
      ...check(['hosts', name, 'key_env'], host.key_env),
      ...check(['hosts', name, 'key_passphrase_env'], host.key_passphrase_env),
      ...(host.agent === true && agentSocket === ''
        ? [
            blame(
              ['hosts', name, 'agent'],
              'no SSH_AUTH_SOCK in the environment',
              'start ssh-agent and add the key, or write key: PATH',
            ),
          ]
        : []),
    ]),
    ...Object.entries(targets).flatMap(([name, target]) =>
      check(['targets', name, 'api_key_env'], target.api_key_env, readApiKey),
    ),
  ]
  return { problems, agentSocket, secret: (name) => values.get(name) ?? '' }
}
