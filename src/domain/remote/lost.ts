import type { Found, RemoteRun } from '../remote.ts'
import { sshWords } from '../ssh/words.ts'

/** The connection went away: before a command was begun, or in the middle of one. `how`: what was seen of it. */
export function cutOff({ command }: RemoteRun, how: string): Found {
  if (command === null) return { kind: 'reset', ...sshWords('reset', how) }
  return {
    kind: 'lost',
    observed: `the connection was cut while it ran (${how}); whether it did its work is not known`,
    next:
      'connect again and look before anything is repeated: of a restart, the state and start time of the unit ' +
      '(systemctl show -p ActiveState,ActiveEnterTimestamp UNIT); a command that only reads may simply be repeated',
  }
}
