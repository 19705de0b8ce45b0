import type { FailureKind } from '../failure.ts'
import type { Words } from './words.ts'
import { sshWords } from './words.ts'

/** What the warning of the OpenSSH client tells of a host key that changed; null where these lines are no such warning. */
export function changedKey(kind: FailureKind, lines: readonly string[]): Words | null {
  if (kind !== 'hostkey-changed' || !lines.some((line) => WARNING.test(line))) return null
  const [, type, fingerprint] = SENT.exec(lines.join(' ')) ?? []
  const [, file, at] = lines.map((line) => HELD.exec(line)).find((held) => held !== null) ?? []
  const told = [
    ...(fingerprint === undefined ? [] : [`it sent the ${type} key ${fingerprint}`]),
    ...(file === undefined ? [] : [`line ${at} of ${file} holds another one`]),
  ]
  const { next } = sshWords(kind, '')
  const host = keyOwner(lines)
  const forget =
    file === undefined || host === null ? '' : `; ssh forgets the old one by ssh-keygen -f ${file} -R ${host}`
  return {
    observed: ['its host key has changed', ...told].join(told.length === 2 ? '; ' : ': '),
    next: `${next}${forget}`,
  }
}

/** The host of which the client speaks: `gpu1`, `10.0.0.5`; null where no line names it. */
export function keyOwner(lines: readonly string[]): string | null {
  return lines.map((line) => OWNER.exec(line)?.groups?.['host']).find((host) => host !== undefined) ?? null
}

const WARNING = /REMOTE HOST IDENTIFICATION HAS CHANGED|^(?:\S{1,20} )?host key for \S{1,255} has changed\b/i
const SENT = /\bfingerprint for the (\S{1,20}) key sent by the remote host is (SHA256:[\w+/]{43})/
/** Only what a plain path is made of: it stands in a command. */
const HELD = /^Offending (?:\S{1,20} )?key in ([\w./-]{1,300}):(\d{1,9})$/
/** Only what a name or an address is made of, for the same reason; with a port it is `[gpu1]:2222`, which a shell would read. */
const OWNER =
  /^(?:\S{1,20} )?host key for (?<host>[\w.:-]{1,255}) has changed\b|^No \S{1,20} host key is known for (?<host>[\w.:-]{1,255}) and\b/i
