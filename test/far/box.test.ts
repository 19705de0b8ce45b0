import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { sshPool } from '../../src/adapters/ssh.ts'
import { systemClock } from '../../src/app/clock.ts'
import { silent } from '../adapters/http-server.ts'
import type { Box } from './box/box.ts'
import { cgroupOf } from './box/cgroup.ts'
import { ssh } from './box/ssh-client.ts'
import { BOX_PREFIX, sweep } from './box/sweep.ts'
import { MODEL_FILE, modelLine, STARTS } from './box/units.ts'
import { test } from './far-test.ts'

/** Waits until a check holds, however busy the machine is. */
function eventually(check: () => Promise<void>): Promise<void> {
  return vi.waitFor(check, 8000)
}

/** Properties of a unit as systemd gives them. */
async function show(box: Box, unit: string, ...properties: readonly string[]): Promise<Record<string, string>> {
  const { stdout } = await box.exec(`systemctl show -p ${properties.join(',')} ${unit}`)
  const pairs = stdout.split('\n').map((line) => line.split('='))
  return Object.fromEntries(pairs.flatMap(([name, ...value]) => (name ? [[name, value.join('=')]] : [])))
}

test('real systemd is PID 1, with a journal, D-Bus and nothing that this machine has enabled', async ({ box }) => {
  expect(await box.exec('cat /proc/1/comm; systemctl is-system-running; hostname')).toMatchObject({
    stdout: `systemd\nrunning\n${box.name}\n`,
  })
  const { stdout } = await box.exec('systemctl list-units --type=service --state=running --no-legend --plain')
  const running = stdout.split('\n').flatMap((line) => line.split(' ')[0] || [])
  expect(running.filter((unit) => unit !== 'dbus.service')).toEqual([
    'sglang.service',
    'ssh.service',
    'systemd-journald.service',
  ])
  await box.exec('logger -t box-test "a line with <@U1> and 100 %"')
  await eventually(async () => {
    const { stdout: said } = await box.exec('journalctl -t box-test -o cat')
    expect(said).toBe('a line with <@U1> and 100 %\n')
  })
})

test('starting a unit that dies at once succeeds', async ({ box }) => {
  expect(await box.exec('systemctl restart dying')).toMatchObject({ rc: 0 })
  await eventually(async () => {
    expect(await show(box, 'dying', 'ActiveState', 'Result', 'ExecMainStatus')).toEqual({
      ActiveState: 'failed',
      Result: 'exit-code',
      ExecMainStatus: '1',
    })
  })
  await box.exec('systemctl reset-failed dying')
})

// the result of the last run stays, where it was a failure: only the journal tells that there was no other run
test.for([
  ['/bin/false', 'failed', 'exit-code'],
  ['/bin/true', 'inactive', 'start-limit-hit'],
] as const)('the fourth start of %s within a minute fails', async ([program, state, result], { box }) => {
  const ended = () =>
    eventually(async () => expect(await show(box, 'often', 'ActiveState')).toEqual({ ActiveState: state }))
  await box.disk.write('/etc/systemd/system/often.service', OFTEN.replace('PROGRAM', program))
  // what is neither wanted nor failed is forgotten, and its starts with it
  await box.exec('systemctl enable often')
  for (const _ of [1, 2, 3]) {
    expect(await box.exec('systemctl restart often')).toMatchObject({ rc: 0 })
    await ended()
  }
  expect(await box.exec('systemctl restart --no-block often')).toMatchObject({ rc: 0 })
  expect(await box.exec('systemctl restart often')).toMatchObject({ rc: 1 })
  expect(await show(box, 'often', 'ActiveState', 'Result')).toEqual({ ActiveState: 'failed', Result: result })
  const { stdout } = await box.exec('journalctl -u often -o cat -n 3')
  expect(stdout).toContain('Start request repeated too quickly.')
  await box.exec('systemctl reset-failed often')
  expect(await box.exec('systemctl restart often')).toMatchObject({ rc: 0 })
})

const OFTEN = `[Unit]
StartLimitIntervalSec=60
StartLimitBurst=3
[Service]
ExecStart=PROGRAM
[Install]
WantedBy=multi-user.target
`

test('a unit that keeps dying is in auto-restart, one that never gets ready is activating', async ({ box }) => {
  await box.exec('systemctl start --no-block loop hung')
  await eventually(async () => {
    const state = await show(box, 'loop', 'ActiveState', 'SubState', 'NRestarts')
    expect(state).toEqual({
      ActiveState: 'activating',
      SubState: 'auto-restart',
      NRestarts: expect.stringMatching(/^[1-9]/),
    })
  })
  expect(await show(box, 'hung', 'ActiveState', 'SubState')).toEqual({ ActiveState: 'activating', SubState: 'start' })
  expect((await box.exec('systemctl is-active loop hung stopped')).stdout).toBe('activating\nactivating\ninactive\n')
  await box.exec('systemctl stop loop hung')
})

test('a unit that is not there', async ({ box }) => {
  expect(await box.exec('systemctl restart nobody')).toMatchObject({ rc: 5, stdout: '' })
  expect(await show(box, 'nobody', 'LoadState')).toEqual({ LoadState: 'not-found' })
})

test('a stop ends the process, a start is another one with another invocation', async ({ box }) => {
  const before = await show(box, 'sglang', 'MainPID', 'InvocationID')
  expect(Number(before['MainPID'])).toBeGreaterThan(1)
  await box.exec('systemctl stop sglang')
  expect(await box.exec(`test -e /proc/${before['MainPID']}`)).toMatchObject({ rc: 1 })
  expect(await show(box, 'sglang', 'ActiveState', 'MainPID')).toEqual({ ActiveState: 'inactive', MainPID: '0' })
  await box.exec('systemctl start sglang')
  const after = await show(box, 'sglang', 'MainPID', 'InvocationID')
  expect(after['MainPID']).not.toBe(before['MainPID'])
  expect(after['InvocationID']).not.toBe(before['InvocationID'])
  const { stdout } = await box.exec(`journalctl -o cat _SYSTEMD_INVOCATION_ID=${after['InvocationID']}`)
  expect(stdout).not.toBe('')
})

test('each start of slow leaves a time stamp', async ({ box }) => {
  const starts = async () => (await box.exec(`cat ${STARTS}`)).stdout.split('\n').filter(Boolean)
  await box.exec('systemctl start slow')
  await eventually(async () => expect(await starts()).toHaveLength(1))
  await box.exec('systemctl restart --no-block slow; systemctl restart slow')
  await eventually(async () => expect(await starts()).toHaveLength(2))
  await box.exec('systemctl stop slow')
})

test('its inference server is the real engine, and a file names its model', async ({ box, serve }) => {
  expect(serve).toBeTypeOf('function')
  const health = `http://127.0.0.1:${box.enginePort}/health`
  const healthy = () => eventually(async () => expect((await fetch(health)).status).toBe(200))
  await healthy()
  await box.disk.write(MODEL_FILE, modelLine('overthink'))
  await box.exec('systemctl restart sglang')
  await healthy()
  const { stdout } = await box.exec('tr "\\0" " " </proc/$(systemctl show -P MainPID sglang)/cmdline')
  expect(stdout).toMatch(/llama-server .*-m \S+\/overthink\.gguf /)
})

test('an account that is not root logs in, reads the journal, and changes nothing', async ({ box }) => {
  const operator = box.host('operator')
  const lines = ['id -un', 'systemctl is-active sglang', 'journalctl -u sglang -o cat -n 1 | wc -l']
  expect(await ssh(operator, [lines.join('; ')])).toMatchObject({ rc: 0, stdout: 'operator\nactive\n1\n' })
  expect(await ssh(operator, ['systemctl restart sglang'])).toMatchObject({
    rc: 4,
    stderr: expect.stringContaining('Access denied'),
  })
  expect(await ssh(operator, ['sudo -n true'])).toMatchObject({ rc: 1, stderr: expect.stringContaining('password') })
  expect(await ssh(operator, ['cat /etc/shadow'])).toMatchObject({ rc: 1, stdout: '' })
})

test('sudo works for an account that has the line for it, and for that line only', async ({ box }) => {
  const line = 'operator ALL=(root) NOPASSWD: /usr/bin/systemctl --no-block restart sglang.service\n'
  await box.disk.write('/etc/sudoers.d/operator', line, { mode: 0o440 })
  const operator = box.host('operator')
  const before = await show(box, 'sglang', 'InvocationID')
  expect(await ssh(operator, ['sudo -n systemctl --no-block restart sglang.service'])).toMatchObject({ rc: 0 })
  await eventually(async () => expect(await show(box, 'sglang', 'InvocationID')).not.toEqual(before))
  expect(await ssh(operator, ['sudo -n systemctl --no-block restart ssh.service'])).toMatchObject({ rc: 1 })
  await box.exec('rm /etc/sudoers.d/operator')
})

test('no key but its own opens an account, and none opens root', async ({ box }) => {
  const denied = { rc: 255, stderr: expect.stringContaining('Permission denied') }
  const operator = box.host('operator')
  expect(await ssh(box.host('operator', await box.newKey('stranger')), ['true'])).toMatchObject(denied)
  expect(await ssh({ ...operator, user: 'root' }, ['true'])).toMatchObject(denied)
})

test('a reboot keeps the disk and nothing else', async ({ startBox }) => {
  const box = await startBox()
  const facts = 'cat /proc/sys/kernel/random/boot_id'
  const before = { pid: box.pid(), unit: await show(box, 'sglang', 'InvocationID'), boot: await box.exec(facts) }
  await box.exec('echo 7 >/var/lib/generation; echo 7 >/run/generation; systemctl start stopped')
  await box.reboot()
  expect(await box.exec('cat /var/lib/generation; ls /run/generation')).toMatchObject({ rc: 2, stdout: '7\n' })
  expect(box.pid()).not.toBe(before.pid)
  expect(await show(box, 'sglang', 'InvocationID')).not.toEqual(before.unit)
  expect(await show(box, 'stopped', 'ActiveState')).toEqual({ ActiveState: 'inactive' })
  // what a real reboot changes and this one cannot: the kernel is the one of this machine
  expect(await box.exec(facts)).toEqual(before.boot)
  expect(await ssh(box.host('operator'), ['id -un'])).toMatchObject({ stdout: 'operator\n' })
})

test('two boxes have nothing to do with each other, and leave nothing', async ({ startBox }) => {
  const [one, two] = await Promise.all([startBox(), startBox({ network: 'own' })])
  const cable = two.host('operator').address.replace(/2$/, '1')
  expect(addressesHere()).toContain(cable)
  const before = await show(two, 'sglang', 'MainPID', 'InvocationID')
  await one.exec('systemctl stop sglang; echo one >/etc/motd')
  expect(await show(two, 'sglang', 'MainPID', 'InvocationID')).toEqual(before)
  expect(await two.exec('cat /etc/motd')).not.toMatchObject({ stdout: 'one\n' })
  expect((await traces(one.name)).length).toBeGreaterThan(2)
  await one.stop()
  expect(await traces(one.name)).toEqual([])
  expect(await two.exec('systemctl is-active sglang')).toMatchObject({ rc: 0 })
  await two.stop()
  expect(await traces(two.name)).toEqual([])
  expect(addressesHere()).not.toContain(cable)
})

test('what a killed run has left is swept, and nothing that lives', async ({ startBox }) => {
  const living = await startBox()
  const killed = await boxOfKilledRun()
  // the kernel takes the processes down with the run, and with them the mounts
  await eventually(async () => expect(await traces(killed)).toEqual([await cgroupOf(killed), join(tmpdir(), killed)]))
  const reused = await mkdtemp(join(tmpdir(), BOX_PREFIX))
  await writeFile(join(reused, 'owner'), `${process.pid} 1`)
  await sweep()
  expect(await traces(killed)).toEqual([])
  expect(existsSync(reused)).toBe(false)
  expect(await living.exec('systemctl is-active sglang')).toMatchObject({ rc: 0 })
})

/** The name of a box whose test run has been killed while the box ran. */
async function boxOfKilledRun(): Promise<string> {
  const start = `const { startBox } = await import('${new URL('./box/box.ts', import.meta.url).href}')
    console.log((await startBox()).name)`
  const run = spawn(process.execPath, ['--input-type=module', '-e', start], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [name] = await once(run.stdout, 'data')
  run.kill('SIGKILL')
  await once(run, 'exit')
  return String(name).trim()
}

test('a container behind a jump host is reached through it', async ({ pair }) => {
  const pool = sshPool([pair.jump, pair.inner], { clock: systemClock, log: silent })
  expect(pair.inner).toMatchObject({ port: 22, jump: pair.jump.name })
  expect(await pool.check(pair.inner.name, AbortSignal.timeout(5000))).toMatchObject({ ok: true })
  expect(pair.jumpLog()).toContain('Accepted publickey')
  const { stdout } = await pair.box.exec('journalctl -u ssh -o cat')
  expect(stdout).toContain('Accepted publickey for operator')
  await pool.close()
})

function addressesHere(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address))
}

/** Processes, mounts and folders of a box that this machine still has. */
async function traces(box: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const alive = await Promise.all(pids.map(async (pid) => ((await holds(pid, box)) ? [`/proc/${pid}`] : [])))
  const folders = [await cgroupOf(box), join(tmpdir(), box)]
  return [...alive.flat(), ...folders.filter((path) => existsSync(path))]
}

/** Whether a process belongs to a box, or sees a mount of it. One that is dead and only waits to be noticed does not count. */
async function holds(pid: string, box: string): Promise<boolean> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
  const [status, ...files] = await Promise.all(['status', 'cgroup', 'mounts', 'cmdline'].map(read))
  return status !== undefined && !status.includes('State:\tZ') && files.some((text) => text.includes(box))
}
