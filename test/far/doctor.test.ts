import { expect } from 'vitest'
import { hostChecks } from '../../src/app/host-checks.ts'
import { unitCheck } from '../../src/app/unit-check.ts'
import type { HostSettings } from '../../src/domain/target.ts'
import { closeLater, never, valueIn } from '../adapters/tidy.ts'
import { target } from '../commands/house.ts'
import { reloadingSshd } from './box/install.ts'
import { test } from './far-test.ts'
import { verbsOver } from './verbs-over.ts'

async function checksOf(host: HostSettings) {
  const way = verbsOver([host])
  closeLater(way)
  const checks = hostChecks(host, [], way.pool, way.host(host.name))
  const [identity, verbs, doors] = await Promise.all(checks.map((check) => check.run(never)))
  return { identity, verbs, doors }
}

test('the shipped account gives the verbs and nothing else', async ({ gate }) => {
  const { identity, verbs, doors } = await checksOf(gate.installed)
  expect(identity).toMatchObject({ state: 'ok', saw: expect.stringContaining('OpenSSH_') })
  expect(verbs).toMatchObject({
    state: 'ok',
    saw: expect.stringMatching(/^gate installed, account pilotflame, Debian/),
  })
  expect(doors).toEqual({
    state: 'ok',
    saw: 'refused: a shell, a command of our choice, a terminal, file transfer (sftp), other ports (permitopen), unix sockets, listening there (-R), listening on unix sockets there (-R)',
  })
})

test('a plain account is told apart', async ({ gate }) => {
  const { verbs, doors } = await checksOf(gate.quick)
  expect(verbs).toMatchObject({ state: 'warning', saw: expect.stringMatching(/^gate quick, account pilotflame/) })
  expect(doors).toMatchObject({ state: 'skipped' })
})

const GATE = 'command="/usr/local/sbin/pilotflame-gate"'
test.for([
  {
    options: `${GATE}`,
    open: [
      'a terminal',
      'other ports (permitopen)',
      'unix sockets',
      'listening there (-R)',
      'listening on unix sockets there (-R)',
    ],
    locked: ['other ports (permitopen)', 'listening there (-R)'],
  },
  { options: `restrict,pty,${GATE}`, open: ['a terminal'], locked: [] },
  {
    options: `restrict,port-forwarding,${GATE}`,
    open: ['other ports (permitopen)', 'unix sockets', 'listening there (-R)', 'listening on unix sockets there (-R)'],
    locked: ['other ports (permitopen)', 'listening there (-R)'],
  },
  {
    options: `restrict,port-forwarding,permitopen="127.0.0.1:9",${GATE}`,
    open: ['listening there (-R)', 'listening on unix sockets there (-R)'],
    locked: ['listening there (-R)'],
  },
  {
    options: `restrict,port-forwarding,permitopen="127.0.0.1:9",permitlisten="127.0.0.1:1",${GATE}`,
    open: ['listening on unix sockets there (-R)'],
    locked: [],
  },
] as const)('a key with $options gives more than it should', async ({ options, open, locked }, { gate, box }) => {
  await using undo = new AsyncDisposableStack()
  const file = '~pilotflame/.ssh/authorized_keys'
  const kept = await box.exec(`cat ${file}`)
  undo.defer(async () => {
    await box.exec(`cat >${file}`, kept.stdout)
  })
  await box.exec(`sed -i 's#^restrict.*${GATE}[^ ]* #${options} #' ${file}`)
  expect((await checksOf(gate.installed)).doors).toEqual(verdictOf(locked))
  // without the lines that setup wrote for sshd
  const lock = '/etc/ssh/sshd_config.d/50-pilotflame.conf'
  const reload = 'systemctl reload ssh && echo reload sshd'
  undo.defer(async () => {
    expect(await reloadingSshd(box, `mv ${lock}.aside ${lock} && ${reload}`)).toMatchObject({ rc: 0 })
  })
  expect(await reloadingSshd(box, `mv ${lock} ${lock}.aside && ${reload}`)).toMatchObject({ rc: 0 })
  expect((await checksOf(gate.installed)).doors).toEqual(verdictOf(open))
})

function verdictOf(open: readonly string[]) {
  if (open.length === 0) return { state: 'ok', saw: expect.stringMatching(/^refused: a shell, /) }
  return {
    state: 'fault',
    saw: `the key of pilotflame also gives ${open.join(', ')}`,
    next: expect.stringContaining('/etc/ssh/sshd_config.d/50-pilotflame.conf'),
  }
}

test.for([
  ['internal-sftp', 'open'],
  ['/usr/bin/tail -f /etc/passwd', 'shut'],
  // text that comes after the exit status must not end the connection, which the next doors need
  ['(sleep 0.05; echo GATEGATE) & exit 3', 'shut'],
] as const)('file transfer by %s is %s', async ([program, state], { sshd }) => {
  const { host } = await sshd([`Subsystem sftp ${program}`])
  const way = verbsOver([host])
  closeLater(way)
  const { pool } = way
  const connection = valueIn(await pool.connect(host.name, never))
  const doors = Object.fromEntries(valueIn(await pool.doors(host.name, never)).map(({ name, state }) => [name, state]))
  expect(doors).toMatchObject({ shell: 'open', command: 'open', sftp: state, ports: 'open', listening: 'open' })
  const { executed } = connection.exec({ line: 'sleep 0.2; exit 7', stdin: '', deadlineMs: 5000 }, never)
  expect(valueIn(await executed).run.end).toEqual({ how: 'exited', code: 7 })
})

async function unitOf(host: HostSettings, alias: string) {
  const verbs = verbsOver([host])
  closeLater(verbs)
  return unitCheck(target('qwen'), alias, verbs.host(host.name)).run(never)
}

test('the unit of a target is looked at: there, readable, fenced', async ({ gate }) => {
  expect(await unitOf(gate.installed, 'main')).toMatchObject({
    state: 'ok',
    saw: expect.stringMatching(
      /^sglang\.service is active \(running\), its log can be read, changes are fenced \(\d+\.active\)$/,
    ),
  })
  expect(await unitOf(gate.installed, 'nosuch')).toMatchObject({
    state: 'fault',
    saw: expect.stringContaining('nosuch'),
  })
})

test('an account that may not see the journal is told', async ({ gate, box }) => {
  await box.exec('gpasswd -d pilotflame systemd-journal')
  try {
    expect(await unitOf(gate.installed, 'main')).toMatchObject({
      state: 'fault',
      saw: expect.stringContaining('insufficient permissions'),
      next: expect.stringContaining('systemd-journal'),
    })
  } finally {
    await box.exec('gpasswd -a pilotflame systemd-journal')
  }
})
