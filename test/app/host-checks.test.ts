import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { hostChecks } from '../../src/app/host-checks.ts'
import type { BoxOptions } from '../../src/lab/box.ts'
import { startBox } from '../../src/lab/box.ts'
import type { BoxExec } from '../../src/lab/box-exec.ts'
import { demoGate } from '../../src/lab/box-gate.ts'
import { startLab } from '../../src/lab/index.ts'
import { closeLater, never } from '../adapters/tidy.ts'
import { verbsOver } from '../far/verbs-over.ts'

/** A plain account: its shell runs what it is given. */
const plainShell: BoxExec = async (command, stdin) => {
  const shell = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'pipe', 'ignore'] })
  // a command may end without reading what it is given
  shell.stdin.on('error', () => {}).end(stdin)
  const [stdout, code] = await Promise.all([
    text(shell.stdout),
    new Promise<number>((resolve) => shell.once('exit', (status) => resolve(status ?? 1))),
  ])
  return { stdout, end: { how: 'exited', code } }
}

async function checksOf(options: BoxOptions) {
  const box = await startBox({ allow: () => false, forwarding: 'no', ...options })
  closeLater(box)
  const host = {
    name: 'gpu-box-1',
    address: '127.0.0.1',
    port: box.port,
    user: box.user,
    key: { from: 'text', text: box.privateKey, passphrase: null },
    trust: { from: 'pinned', keys: [box.hostKeyLine] },
    jump: null,
    gate: null,
  } as const
  const way = verbsOver([host])
  closeLater(way)
  const checks = hostChecks(host, ['qwen'], way.pool, way.host(host.name))
  return Promise.all(checks.map(async (check) => ({ name: check.name, ...(await check.run(never)) })))
}

test('an installed gate with all else shut is fine', async () => {
  expect(await checksOf({ exec: demoGate })).toEqual([
    expect.objectContaining({ name: 'host gpu-box-1: SSH and host key', state: 'ok' }),
    expect.objectContaining({ state: 'ok', saw: expect.stringMatching(/^gate installed, account pilotflame, Ubuntu/) }),
    {
      name: 'host gpu-box-1: limits of the account',
      state: 'ok',
      saw: 'refused: a shell, a command of our choice, a terminal, file transfer (sftp), other ports (permitopen), unix sockets, listening there (-R), listening on unix sockets there (-R)',
    },
  ])
})

test('the demo’s own box is as the shipped account', async () => {
  const lab = await startLab()
  closeLater(lab)
  const way = verbsOver(lab.hosts)
  closeLater(way)
  const checks = lab.hosts.flatMap((host) => hostChecks(host, [], way.pool, way.host(host.name)))
  const results = await Promise.all(checks.map((check) => check.run(never)))
  expect(results.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok'])
})

test('a plain shell works, and is told what would be better', async () => {
  const [, verbs, doors] = await checksOf({ exec: plainShell })
  expect(verbs).toMatchObject({
    state: 'warning',
    saw: expect.stringMatching(/^gate quick, account \S+, .+; a plain shell, which gives its key whatever/),
    next: expect.stringContaining('deploy/host/setup'),
  })
  expect(doors).toMatchObject({
    state: 'skipped',
    saw: expect.stringMatching(/^not looked at: the gate is not installed/),
  })
})

test.each<[string, BoxOptions, string]>([
  ['every forward', { forwarding: 'yes', allow: () => true }, 'other ports (permitopen)'],
  ['commands besides the gate', { exec: gateAndShell() }, 'a command of our choice'],
])('a key that gives %s is a fault', async (_, options, what) => {
  const [, , doors] = await checksOf({ exec: demoGate, ...options })
  expect(doors).toMatchObject({ state: 'fault', saw: `the key of pilotflame also gives ${what}` })
})

test('login scripts that print are told', async () => {
  const noisy: BoxExec = async (...asked) => {
    const run = await demoGate(...asked)
    return { ...run, stdout: `hello from .bashrc\n${String(run.stdout)}` }
  }
  const [, verbs] = await checksOf({ exec: noisy })
  expect(verbs).toMatchObject({ state: 'warning', saw: expect.stringContaining('its login scripts print text') })
})

test('a host without the gate, and without a shell to send it to, fails in words', async () => {
  const [identity, verbs, doors] = await checksOf({})
  expect([identity?.state, verbs?.state, doors?.state]).toEqual(['ok', 'fault', 'fault'])
  expect(verbs).toMatchObject({ next: expect.stringMatching(/\w/) })
})

function gateAndShell(): BoxExec {
  return (command, stdin, signal) =>
    command.startsWith('expr ') ? plainShell(command, stdin, signal) : demoGate(command, stdin, signal)
}

const facts = (line: RegExp, instead: string): BoxExec => {
  return async (...asked) => {
    const run = await demoGate(...asked)
    return { ...run, stdout: String(run.stdout).replace(line, instead) }
  }
}

test.each([
  ['no systemd', /systemd=255/, 'systemd=none', 'systemd does not run there'],
  ['no sudo line', /sudo=yes/, 'sudo=no', 'none of its sudo lines works'],
  ['no folder for records', /state=\S+/, 'state=none', 'changes cannot be recorded'],
] as const)('an account with %s is told', async (_, line, instead, says) => {
  const [, verbs] = await checksOf({ exec: facts(line, instead) })
  expect(verbs).toMatchObject({
    state: 'warning',
    saw: expect.stringContaining(says),
    next: expect.stringMatching(/\w{5}/),
  })
})

test('a list of units that others may write is a fault', async () => {
  const open: BoxExec = async (command, ...rest) => {
    const run = await demoGate(command, ...rest)
    if (!command.includes(' units ')) return run
    const stdout = String(run.stdout)
      .replace(
        /section unit\.main\n[\s\S]*?\n(?=GATE)/,
        'section refusal\npermission /etc/pilotflame/units must be root’s\n',
      )
      .replace(/end 0/, 'end 77')
    return { stdout, end: { how: 'exited', code: 77 } }
  }
  const [, verbs] = await checksOf({ exec: open })
  expect(verbs).toMatchObject({ state: 'fault', saw: expect.stringContaining('/etc/pilotflame/units') })
})
