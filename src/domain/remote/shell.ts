import type { Failure } from '../failure.ts'
import type { RemoteRun } from '../remote.ts'
import { seconds } from '../report.ts'
import { runFailure } from './failure.ts'
import { linesOf, quoted } from './text.ts'

/**
 * Why an account gave no answer of the gate that we asked for. `unread`: what is wrong with what it printed. Besides what
 * may befall any command, a start-up file of its shell may wait, end the shell, or put another one in its place.
 */
export function shellFailure(thing: string, run: RemoteRun, unread: Failure): Failure {
  const { end, stdout } = run
  if (end.how === 'timeout' && unread.kind === 'gate-missing') return { thing, ...waiting(end.afterMs, stdout) }
  return runFailure(thing, run) ?? startUp(thing, run, unread) ?? unread
}

function startUp(thing: string, { command, end, stdout, stderr }: RemoteRun, unread: Failure): Failure | null {
  if (end.how !== 'exited') return null
  if (
    unread.kind === 'gate-refused' &&
    /^GATE - begin 1 quick$/m.test(stdout) &&
    /^GATE - refused no verb/m.test(stdout)
  )
    return { thing, ...replaced('it read the gate and never saw the command line') }
  const [foreign] = linesOf(stderr).filter((line) => FISH.test(line))
  if (unread.kind === 'gate-missing' && foreign !== undefined && POSIX.test(command ?? ''))
    return { thing, ...replaced(quoted(foreign)) }
  return unread.kind === 'gate-missing' && linesOf(stdout).length === 0 ? { thing, ...mute(end.code, stderr) } : null
}

type Said = Omit<Failure, 'thing'>

const START_UP = 'its start-up files there (~/.bashrc, ~/.profile, ~/.zshenv, /etc/profile.d)'

function waiting(afterMs: number, stdout: string): Said {
  const last = linesOf(stdout).at(-1)
  const after = last === undefined ? '' : `; the last that its start-up files said: ${quoted(last)}`
  return {
    kind: 'no-end',
    observed: `the login works, and the account's shell gave no answer within ${seconds(afterMs)}${after}`,
    next: `look at ${START_UP}: something in them waits (sleep, a question, a mount, a download); else whether the machine is overloaded`,
  }
}

/** A shell that is put in the place of the first one gets no command line, and reads the gate as its own script. */
function replaced(how: string): Said {
  return {
    kind: 'gate-missing',
    observed: `a start-up file of the account puts another shell in the place of its shell, before the command runs (${how})`,
    next: `look for exec in ${START_UP}, and let it happen only for people: [[ $- == *i* ]] && exec zsh`,
  }
}

function mute(code: number, stderr: string): Said {
  const said = linesOf(stderr).at(-1)
  const beside = said === undefined ? '' : `, and on standard error: ${quoted(said)}`
  return {
    kind: 'gate-missing',
    observed: `the account printed nothing at all${beside}: its shell ended before the command ran (exit status ${code})`,
    next:
      `look for exit, exec or something that reads standard input in ${START_UP}, then at its login shell ` +
      '(getent passwd USER); or make the gate its forced command (deploy/host/setup)',
  }
}

/** fish, which reads no POSIX script. */
const FISH = /^fish: |^- \(line \d+\): /
const POSIX = /^\/bin\/sh /
