import type { Failure, FailureKind } from '../failure.ts'
import type { Found, RemoteError, RemoteRun } from '../remote.ts'
import { count, seconds } from '../report.ts'
import { sshKind } from '../ssh/signs.ts'
import type { Words } from '../ssh/words.ts'
import { sshWords } from '../ssh/words.ts'
import { exitFailure, killed } from './exit.ts'
import { cutOff } from './lost.ts'
import { linesOf, plain, quoted } from './text.ts'

/**
 * What went wrong with a command on a host, whoever reports it; null where it ended with an exit status and nothing
 * contradicts that. A status that is not 0 and that nobody explains is no failure here: its meaning is the command's.
 */
export function runFailure(thing: string, run: RemoteRun): Failure | null {
  const { end } = run
  switch (end.how) {
    case 'exited':
      return exitFailure(thing, run, end.code)
    case 'untold':
      return exitFailure(thing, run, null)
    case 'signalled':
      return { kind: 'signalled', thing, ...killed(`SIG${end.signal.replace(/^SIG/, '')}`, 'no exit status', run) }
    case 'lost':
      return { thing, ...cutOff(run, 'no exit status came') }
    case 'error':
      return { thing, ...errorFound(run, end) }
    case 'timeout':
      return { thing, ...endless(run, end.afterMs) }
    case 'cut':
      return {
        kind: 'output-cut',
        thing,
        observed: `its output was cut by us after ${count(end.bytes)} bytes; what is shown is only its beginning`,
        next: 'ask for less: the last lines (tail -n 200, journalctl -n 200), or a pattern (grep)',
      }
  }
}

function endless({ command, dmesg = '', known = '' }: RemoteRun, afterMs: number): Found {
  const limit = seconds(afterMs)
  if (command === null) return { kind: 'connect-timeout', ...sshWords('connect-timeout', `nothing within ${limit}`) }
  const stuck = linesOf(`${dmesg}\n${known}`).findLast((line) => STORAGE.test(line))
  if (stuck !== undefined && !/\bOK$/.test(stuck)) {
    return {
      kind: 'nfs-stuck',
      observed: `no end within ${limit}: it waits in the kernel for a file server that does not answer (${quoted(stuck)})`,
      next: 'mend the file server or its mount; start no more commands on that path, no signal ends them, and an engine that loads from it hangs as well',
    }
  }
  return {
    kind: 'no-end',
    observed: `no end within ${limit}; the connection holds, and why it takes so long is not known`,
    next: 'see on the host what it waits for (ps -o pid,stat,wchan:30,cmd; dmesg -T | tail): state D is a disk, a file server or a GPU',
  }
}

const STORAGE =
  /\b(?:nfs\d?|cifs|smb|ceph|lustre|rpc)\b.*(?:not responding|timed out|\bOK$|no response)|\b(?:nfs|rpc_wait|cifs)\w*.*\bblocked for more than|stat[e:= ]+D\b.*\bnfs|\b(?:rpc_wait_bit|nfs4?_)\w*/i

/** What the library threw: of the way, the login, the channel, or while the command ran. */
function errorFound(run: RemoteRun, error: RemoteError): Found {
  const message = plain(error.message)
  if (isOfBoot(run.banner ?? '')) return { kind: 'in-transition', ...BOOTING }
  const kind = errorKind(run, error)
  if (kind === 'lost') return cutOff(run, message)
  return { kind, ...sshWords(kind, message) }
}

/** PAM says it where the machine starts or stops; to the client it is a refused login. */
function isOfBoot(banner: string): boolean {
  return /system is (?:booting up|going down)|unprivileged users are not permitted/i.test(banner)
}

const BOOTING: Words = {
  observed: 'the machine is starting or stopping and lets nobody in',
  next: 'wait a minute and ask again; if it stays so, see systemctl list-jobs and /run/nologin there',
}

function errorKind(run: RemoteRun, { message, level = '', code = '', reason }: RemoteError): FailureKind {
  const { command, known = '', jumps = false } = run
  const kind = channelKind(message, reason, command) ?? (wasCut(message, code) && command !== null ? 'lost' : null)
  const said = kind ?? sshKind({ level, code, message, stage: 'dialling' })
  if (said === 'ssh-auth' && OLD_SIGNATURE.test(known)) return 'auth-method'
  return jumps && OF_THE_WAY.has(said) ? 'jump' : said
}

/** A channel that did not open: to a next hop, where the host names what it met there, else a session (trust.md F10). */
function channelKind(message: string, reason: number | undefined, command: string | null): FailureKind | null {
  if (/unable to exec|exec request failed/i.test(message)) return 'exec-refused'
  if (/session open refused|no free channels/i.test(message)) return 'max-sessions'
  if (!/channel open failure|open failed|forwarding failed/i.test(message)) return null
  if (/refused|route|timed out|unreachable|not known|resolve|forwarding/i.test(message)) return 'jump'
  // a session is no forward: nothing but their number is refused to it
  return command === null && (reason === 1 || /prohibited/i.test(message)) ? 'forward-prohibited' : 'max-sessions'
}

function wasCut(message: string, code: string): boolean {
  if (/handshake|keep-?alive|^connect\b/i.test(message)) return false
  return (
    /^(?:ECONNRESET|EPIPE|ECONNABORTED)$/.test(code) ||
    (code === 'ETIMEDOUT' && /^(?:read|write)\b/.test(message)) ||
    /connection (?:lost|reset|closed|ended)|not connected|no response from server|broken pipe|socket (?:hang up|closed)/i.test(
      message,
    )
  )
}

/** What the caller knows of the key, its signature or the log of sshd. */
const OLD_SIGNATURE =
  /^(?!.*host).*(?:key|alg|sig|method|log).*\b(?:ssh-rsa|ssh-dss|rsa-sha1|sha-?1|dsa)\b|signature algorithm|PubkeyAccepted|-cert-v01/im

/** What, behind a jump host, is a matter of the way through it. */
const OF_THE_WAY: ReadonlySet<FailureKind> = new Set([
  'dns',
  'refused',
  'connect-timeout',
  'reset',
  'banned',
  'not-ssh',
  'max-sessions',
  'forward-prohibited',
])
