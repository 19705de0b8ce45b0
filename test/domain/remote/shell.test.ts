import { describe, expect, test } from 'vitest'
import { readReply } from '../../../src/domain/gate/reply.ts'
import { shellFailure } from '../../../src/domain/remote/shell.ts'
import type { RemoteEnd, RemoteRun } from '../../../src/domain/remote.ts'

const THING = 'host gpu-box-1 (10.0.0.5:22)'
const OP = '0123456789abcdef0123456789abcdef'
const FISH = "fish: Unsupported use of '='. In fish, please use 'set LIMIT 262145'.\nLIMIT=262145\n^~~~~~~~~~~^\n"
const refused = (delivery: string, why: string) => `\nGATE - begin 1 ${delivery}\n\nGATE - refused ${why}\n`
const NO_VERB = 'no verb: this account runs the verbs of Pilotflame only'
const begun = `\nGATE ${OP} begin 1 quick\n`

function told(end: RemoteEnd | number, stdout = '', stderr = '', command = `/bin/sh -s -- ping ${OP}`) {
  const how = typeof end === 'number' ? ({ how: 'exited', code: end } as const) : end
  const run: RemoteRun = { command, end: how, stdout, stderr }
  const reply = readReply(stdout, OP, THING)
  if (reply.ok) throw new Error('a whole answer')
  return shellFailure(THING, run, reply.failure)
}

const late = { how: 'timeout', afterMs: 10_000 } as const

describe('a start-up file', () => {
  test.each([
    ['that waits', told(late), 'no-end', /^the login works, and the account's shell gave no answer within 10 s$/],
    ['that waits after a greeting', told(late, 'Loading…\n'), 'no-end', /within 10 s; the last .*: “Loading…”$/],
    ['that execs zsh', told(126, refused('quick', NO_VERB)), 'gate-missing', /puts another shell in the place/],
    ['that execs zsh and greets', told(126, `hi\n${refused('quick', NO_VERB)}`), 'gate-missing', /another shell/],
    ['that execs fish', told(127, '', FISH), 'gate-missing', /another shell .*\(“fish: Unsupported use/],
    ['that exits', told(0), 'gate-missing', /printed nothing at all: its shell ended .*\(exit status 0\)$/],
    [
      'that exits otherwise',
      told(3, '\n', 'oops\n'),
      'gate-missing',
      /nothing at all, and on standard error: “oops”: its/,
    ],
  ])('%s is named', (_, failure, kind, observed) => {
    expect(failure).toMatchObject({ kind, thing: THING, observed: expect.stringMatching(observed) })
    expect(failure.next).toContain('~/.bashrc')
  })

  test.each([
    ['the answer had begun', told(late, begun), 'no-end', /the connection holds/],
    ['the gate refused another thing', told(126, refused('quick', 'more than 16 words')), 'gate-refused', /16 words/],
    ['a forced command got no line', told(126, refused('installed', NO_VERB)), 'gate-refused', /no verb/],
    [
      'an account says why',
      told(1, 'This account is currently not available.\n'),
      'exec-refused',
      /does not run the command/,
    ],
    ['something was printed', told(0, 'Select a menu\n'), 'gate-missing', /but: Select a menu/],
    [
      'a shell is not found',
      told(127, '', 'bash: line 1: /bin/sh: No such file or directory\n'),
      'path',
      /not in the PATH/,
    ],
    ['a signal', told({ how: 'signalled', signal: 'KILL' }), 'signalled', /SIGKILL/],
    ['the way broke', told({ how: 'lost' }), 'lost', /cut while it ran/],
    ['the answer stops', told(0, begun), 'gate-garbled', /stops in the middle/],
    ['fish is the command', told(127, '', FISH, 'fish -c id'), 'gate-missing', /nothing at all/],
  ])('is not blamed where %s', (_, failure, kind, observed) => {
    expect(failure).toMatchObject({ kind, observed: expect.stringMatching(observed) })
    expect(failure.observed).not.toMatch(/start-up|the login works, and the account's shell/)
  })
})

/** As bash, dash, busybox, mksh, zsh and fish say it. */
const GONE = [
  'bash: line 1: /usr/local/sbin/pilotflame-gate: No such file or directory',
  'sh: 1: /usr/local/sbin/pilotflame-gate: not found',
  'sh: /usr/local/sbin/pilotflame-gate: not found',
  'mksh: /usr/local/sbin/pilotflame-gate: inaccessible or not found',
  'zsh:1: no such file or directory: /usr/local/sbin/pilotflame-gate',
  'fish: Unknown command: /usr/local/sbin/pilotflame-gate',
]
const NOT_RUN = [
  'bash: line 1: /usr/local/sbin/pilotflame-gate: Permission denied',
  'sh: 1: /usr/local/sbin/pilotflame-gate: Permission denied',
  "mksh: /usr/local/sbin/pilotflame-gate: can't execute: Permission denied",
  'zsh:1: permission denied: /usr/local/sbin/pilotflame-gate',
  "fish: Unknown command. '/usr/local/sbin/pilotflame-gate' exists but is not an executable file.",
]

describe('a forced command that is the gate', () => {
  test.each(GONE)('is missing: %s', (line) => {
    const failure = told(127, '', `${line}\n`)
    expect(failure.observed).toContain('the gate is missing (exit status 127')
    expect(failure.next).toContain('run deploy/host/setup there again')
  })

  test.each(NOT_RUN)('may not be run: %s', (line) => {
    const failure = told(126, '', `${line}\n`)
    expect(failure.observed).toContain('the gate may not be run (exit status 126')
    expect(failure.next).toContain('mode 755')
  })

  test.each([
    'sh: 1: /usr/local/sbin/another-gate: not found',
    'sh: 1: /srv/pilotflame-gateway: Permission denied',
    'cat: pilotflame-gate: No such file or directory',
  ])('is another matter: %s', (line) => {
    expect(told(1, '', `${line}\n`).observed).not.toContain('the gate is missing')
    expect(told(1, '', `${line}\n`).observed).not.toContain('the gate may not be run')
  })
})
