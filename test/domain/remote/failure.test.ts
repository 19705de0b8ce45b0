import { describe, expect, it, test } from 'vitest'
import { sentence } from '../../../src/domain/failure.ts'
import { runFailure } from '../../../src/domain/remote/failure.ts'
import type { RemoteRun } from '../../../src/domain/remote.ts'
import { sanitise } from '../../../src/domain/sanitise.ts'

const THING = 'host gpu-box-1 (10.0.0.5:22)'

function exited(command: string, code: number, stderr = '', stdout = ''): RemoteRun {
  return { command, end: { how: 'exited', code }, stdout, stderr }
}

function said(run: RemoteRun): string {
  const failure = runFailure(THING, run)
  return failure === null ? '' : sentence(failure)
}

describe('a failure in one sentence names the host, what was seen and what to do', () => {
  test.each<readonly [string, RemoteRun, readonly string[]]>([
    [
      'sudo',
      exited('sudo -n systemctl restart demo', 1, 'sudo: a password is required\n'),
      [THING, '(exit status 1: “sudo: a password is required”)', 'NOPASSWD'],
    ],
    [
      'cut in mid command',
      { command: 'systemctl restart demo', end: { how: 'lost' }, stdout: 'half a li', stderr: '' },
      ['whether it did its work is not known', 'ActiveEnterTimestamp'],
    ],
    [
      'killed, and the kernel tells why',
      {
        command: 'demo-check',
        end: { how: 'signalled', signal: 'SIGKILL' },
        stdout: '',
        stderr: '',
        dmesg: 'demo: started\nOut of memory: Killed process 4711 (demo-check)',
      },
      ['SIGKILL', 'the kernel was out of memory (“Out of memory: Killed process 4711 (demo-check)”)'],
    ],
    [
      'a limit in seconds',
      { command: 'df', end: { how: 'timeout', afterMs: 20_000 }, stdout: '', stderr: '' },
      ['no end within 20 s', 'state D'],
    ],
    [
      'bytes',
      { command: 'cat x', end: { how: 'cut', bytes: 209_715_200 }, stdout: '', stderr: '' },
      ['209,715,200 bytes', 'tail -n 200'],
    ],
    [
      'the program that is not found',
      exited('nvidia-smi', 127, 'bash: line 1: nvidia-smi: command not found\n'),
      ['nvidia-smi is not in the PATH of this session', 'absolute path'],
    ],
  ])('%s', (_, run, parts) => {
    for (const part of parts) expect(said(run)).toContain(part)
  })

  test('and shows nothing of a terminal', () => {
    const text = said(exited('true', 1, '\u001b[31msudo: a password is required\u001b[0m \u202e\r\n'))
    expect(text).toContain('“sudo: a password is required')
    expect(sanitise(text)).toBe(text)
  })
})

describe('no failure', () => {
  const gate = '\nGATE 0123456789abcdef0123456789abcdef begin 1 quick\n'
  it.each([
    ['0', exited('hostname', 0, '', 'gpu1\n')],
    ['a status that nobody explains', exited('demo-check', 7, 'worker 3 is out of step\n')],
    ['a unit that is not active', exited('systemctl is-active demo', 3, '', 'inactive\n')],
    ['a silent 1', exited('demo-check', 1)],
    ['what a log quotes', exited('tail -n 1 x', 0, '', 'sudo: a password is required\n')],
    ['what a long output quotes', exited('demo-check', 1, '', `${'ok\n'.repeat(12)}CT 129 not running\n`)],
    ['a start-up file with a fault', exited('demo-check', 1, '/etc/profile.d/conda.sh: line 3: conda: not found\n')],
    ['an own name that nobody knows', exited('sudo -n demo', 1, 'sudo: unable to resolve host gpu1\n')],
    ['a file that is not there', exited('cat x', 1, 'cat: x: No such file or directory\n')],
    ['a name that is no command', exited('docker pull demo', 1, 'Error: manifest for demo: not found\n')],
    ['a pipe that was closed', exited('journalctl | head -1', 141)],
    ['a container that says all of it', exited('pct exec 129 -- hostname', 0, '', 'gpu1\n')],
    ['the gate that refuses', exited('/bin/sh -s -- x', 126, '', '\nGATE - refused character\n')],
    ['the gate with a status of its own', exited('/bin/sh -s -- x', 127, 'sudo: a password is required\n', gate)],
  ])('%s', (_, run) => {
    expect(runFailure(THING, run)).toBeNull()
  })
})

test.each([
  ['a container, again and again', 'error: '.repeat(50_000)],
  ['a program, again and again', 'sh: 1: '.repeat(50_000)],
  ['one long word', 'a'.repeat(300_000)],
  ['many lines', 'sudo: x\n'.repeat(40_000)],
  ['escapes', '\u001b['.repeat(100_000)],
])('%s takes no time to speak of', (_, text) => {
  const seconds = cpuOf(() => {
    for (const code of [0, 1, 127, 255])
      runFailure(THING, exited(`pct exec 1 -- ssh ${text.slice(0, 4096)}`, code, text, text))
  })
  expect(seconds).toBeLessThan(2)
})

/** Of the processor, not of the clock: a busy machine has nothing to say in this. */
function cpuOf(work: () => void): number {
  const from = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1e6
}
