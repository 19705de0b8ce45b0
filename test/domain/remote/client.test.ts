import { describe, expect, test } from 'vitest'
import { runFailure } from '../../../src/domain/remote/failure.ts'

function kindOf(stderr: string, code = 255, command: string | null = 'systemctl is-active main') {
  const failure = runFailure('the host', { command, end: { how: 'exited', code }, stdout: '', stderr: `${stderr}\n` })
  return failure?.kind ?? null
}

const LINES = [
  ['Permission denied (publickey).', 'ssh-auth'],
  ['ops@10.0.0.5: Permission denied (publickey,password).', 'ssh-auth'],
  ['ops@gpu1: Permission denied (publickey,keyboard-interactive).', 'ssh-auth'],
  ['Permission denied, please try again.', 'ssh-auth'],
  ['Received disconnect from 10.0.0.5 port 22:2: Too many authentication failures', 'ssh-auth'],
  ['Host key verification failed.', 'hostkey-changed'],
  ['No ED25519 host key is known for gpu1 and you have requested strict checking.', 'hostkey-unknown'],
  ['@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @', 'hostkey-changed'],
  ['ssh: connect to host gpu1 port 22: Connection refused', 'refused'],
  ['ssh: connect to host gpu1 port 22: Connection timed out', 'connect-timeout'],
  ['ssh: connect to host gpu1 port 22: No route to host', 'connect-timeout'],
  ['ssh: Could not resolve hostname gpu1: Name or service not known', 'dns'],
  ['kex_exchange_identification: Connection closed by remote host', 'banned'],
  ['kex_exchange_identification: read: Connection reset by peer\nConnection reset by 10.0.0.5 port 22', 'banned'],
  ['Connection closed by 10.0.0.5 port 22', 'reset'],
  ['Connection closed by UNKNOWN port 65535', 'reset'],
  ['Connection reset by 10.0.0.5 port 22', 'reset'],
  ['Connection timed out during banner exchange\nConnection to 10.0.0.5 port 22 timed out', 'connect-timeout'],
  ['Unable to negotiate with 10.0.0.5 port 22: no matching cipher found. Their offer: aes128-cbc', 'kex'],
  ['Unable to negotiate with 10.0.0.5 port 22: no matching host key type found. Their offer: ssh-rsa', 'kex'],
  ['Timeout, server gpu1 not responding.', 'keepalive'],
  ['Connection to gpu1 closed by remote host.', 'lost'],
  ['client_loop: send disconnect: Broken pipe', 'lost'],
] as const

describe('exit status 255 with a line of the OpenSSH client', () => {
  test.each(LINES)('%s: %s, whatever the command was', (line, kind) => {
    for (const command of ['systemctl is-active main', 'nvidia-smi', 'ssh gpu2 id'])
      expect(kindOf(line, 255, command)).toBe(kind)
    // nothing was begun that could be lost
    expect(kindOf(line, 255, null)).toBe(kind === 'lost' ? 'reset' : kind)
    expect(kindOf(`Warning: Permanently added 'gpu1' (ED25519) to the list of known hosts.\n${line}`)).toBe(kind)
  })

  test.each(LINES)('%s is no word of ssh where the status is another', (line) => {
    expect(['permission', 'nfs-stale', null]).toContain(kindOf(line, 1))
  })

  test.each([
    'cat: /etc/shadow: Permission denied',
    'Permission denied',
    'mkdir: cannot create directory: Permission denied (os error 13)',
    'curl: (7) Failed to connect to 127.0.0.1 port 30000: Connection refused',
    'psql: error: connection to server at "db" timed out',
    'demo: Connection closed by 10.0.0.5 port 22',
    'demo: no matching cipher',
    'demo: Host key verification failed.',
  ])('%s is not one', (line) => {
    expect(['permission', null]).toContain(kindOf(line))
  })
})

test('a connection that broke in mid command leaves open what it did', () => {
  const run = { command: 'systemctl restart main', end: { how: 'exited', code: 255 }, stdout: '' } as const
  const failure = runFailure('the host', { ...run, stderr: 'Connection to gpu1 closed by remote host.\n' })
  expect(failure?.observed).toContain('whether it did its work is not known')
})
