import type { FailureKind } from '../failure.ts'
import type { Found, RemoteRun } from '../remote.ts'
import { changedKey } from '../ssh/changed-key.ts'
import { spokenKind } from '../ssh/signs.ts'
import { sshWords } from '../ssh/words.ts'
import { cutOff } from './lost.ts'
import { complaints, linesOf } from './text.ts'

/**
 * What the OpenSSH client says where it ends with its own status, 255, or nobody told the status: of the way to the host, whatever the command was;
 * and of the next host, where the command itself is such a client.
 */
export function clientFailure(run: RemoteRun, code: number | null): Found | null {
  if (code !== 255 && code !== null) return null
  const lines = linesOf(run.stderr).slice(-MOST)
  const line = lines.find((one) => lineKind(one) !== null)
  const kind = line === undefined ? null : lineKind(line)
  if (line !== undefined && kind !== null)
    return kind === 'lost' ? cutOff(run, line) : { kind, ...(changedKey(kind, lines) ?? sshWords(kind, line)) }
  return NESTED.test(run.command ?? '') ? nested(run) : null
}

const MOST = 400
const NESTED = /\b(?:ssh|scp|sftp|rsync|git)\b/

function nested(run: RemoteRun): Found | null {
  for (const line of complaints(run.stderr)) {
    const kind = spokenKind(line)
    if (kind !== null) return { kind, ...sshWords(kind, line) }
  }
  return null
}

/** Of a whole line, so that what a program says of itself never counts. */
function lineKind(line: string): FailureKind | null {
  return LINES.find(([, form]) => form.test(line))?.[0] ?? (OWN.test(line) ? spokenKind(line) : null)
}

/** Lines whose words `spokenKind` reads. */
const OWN =
  /^(?:ssh: (?:connect to|could not)|kex_exchange_identification:|ssh_exchange_identification:|unable to negotiate with|host key verification failed|no \S+ host key is known|the authenticity of host|received disconnect from|disconnect(?:ed)? from|timeout, server|load key |sign_and_send_pubkey:|@ +WARNING: REMOTE HOST IDENTIFICATION|connection timed out during banner exchange|banner exchange:|@?no matching )/i

const LINES: readonly (readonly [kind: FailureKind, form: RegExp])[] = [
  [
    'ssh-config',
    /^(?:bad owner or permissions on \S|can't open user config file \S|\S+: terminating, \d+ bad configuration options?|(?:command-line|\/\S{0,200}ssh\S{0,200}?):? line \d+: (?:bad |missing |unsupported |invalid |garbage |no |keyword |extra ))/i,
  ],
  ['ssh-auth', /^(?:\S+@\S+: )?permission denied(?: \([a-z,-]+\)\.?|, please try again\.)$/i],
  ['ssh-auth', /^(?:received disconnect from|disconnect(?:ed|ing)).{0,120}too many authentication failures/i],
  ['connect-timeout', /^(?:connection to \S+ port \d+ timed out|connection timed out during banner exchange)/i],
  ['reset', /^connection (?:closed|reset) by \S+ port \d+/i],
  ['lost', /^connection to \S+ closed by remote host|^(?:client_loop|packet_write_wait): .{0,80}broken pipe/i],
  ['jump', /^(?:stdio forwarding failed|channel \d+: open failed: connect failed)/i],
]
