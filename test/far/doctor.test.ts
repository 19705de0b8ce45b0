import { expect } from 'vitest'
import { slots } from '../../src/adapters/limiter.ts'
import { sshPool } from '../../src/adapters/ssh.ts'
import { hostsOf } from '../../src/adapters/ssh-host.ts'
import { systemClock } from '../../src/app/clock.ts'
import { gateScript } from '../../src/app/gate-script.ts'
import { hostChecks } from '../../src/app/host-checks.ts'
import { unitCheck } from '../../src/app/unit-check.ts'
import type { HostSettings } from '../../src/domain/target.ts'
import { silent } from '../adapters/http-server.ts'
import { closeLater, never } from '../adapters/tidy.ts'
import { target } from '../commands/house.ts'
import { test } from './far-test.ts'
import { verbsOver } from './verbs-over.ts'

async function checksOf(host: HostSettings) {
  const pool = sshPool([host], { clock: systemClock, log: silent })
  closeLater(pool)
  const hosts = hostsOf(pool, {
    gate: gateScript(),
    newOp: () => 'ab'.repeat(16),
    slots,
    clock: systemClock,
    log: silent,
  })
  const checks = hostChecks(host, [], pool, hosts(host.name))
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
  [
    `${GATE}`,
    [
      'a terminal',
      'other ports (permitopen)',
      'unix sockets',
      'listening there (-R)',
      'listening on unix sockets there (-R)',
    ],
  ],
  [`restrict,pty,${GATE}`, ['a terminal']],
  [
    `restrict,port-forwarding,${GATE}`,
    ['other ports (permitopen)', 'unix sockets', 'listening there (-R)', 'listening on unix sockets there (-R)'],
  ],
  [
    `restrict,port-forwarding,permitopen="127.0.0.1:9",${GATE}`,
    ['listening there (-R)', 'listening on unix sockets there (-R)'],
  ],
] as const)('a key with %s gives more than it should', async ([options, open], { gate, box }) => {
  const file = '~pilotflame/.ssh/authorized_keys'
  const kept = await box.exec(`cat ${file}`)
  await box.exec(`sed -i 's#^restrict.*${GATE}[^ ]* #${options} #' ${file}`)
  try {
    const { doors } = await checksOf(gate.installed)
    expect(doors).toEqual({
      state: 'fault',
      saw: `the key of pilotflame also gives ${open.join(', ')}`,
      next: expect.stringContaining('restrict,port-forwarding,permitopen='),
    })
  } finally {
    await box.disk.write('/tmp/kept', kept.stdout)
    await box.exec(`cat /tmp/kept > ${file}`)
  }
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
