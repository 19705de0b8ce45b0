import { expect } from 'vitest'
import { install, reloadingSshd } from './box/install.ts'
import { ssh } from './box/ssh-client.ts'
import { test } from './far-test.ts'
import { look, show } from './furnished.ts'

const SETUP = new URL('../../deploy/host/setup', import.meta.url).pathname

test('the key makes no socket where the account may write', async ({ gate, box }) => {
  const lock = '/var/lib/pilotflame/main.lock'
  const options = ['-N', '-o', 'ExitOnForwardFailure=yes', '-R', `${lock}:127.0.0.1:9`]
  expect(await ssh(gate.installed, [], { options })).toMatchObject({
    rc: 255,
    stderr: expect.stringContaining('remote port forwarding failed'),
  })
  expect((await box.exec(`test -S ${lock}`)).rc).toBe(1)
})

test('setup lets sshd read its settings anew, uninstalled too, and systemd its units', async ({ startBox }) => {
  const box = await startBox()
  const { installed } = await install(box)
  const pid = await show(box, 'ssh.service', 'MainPID')
  await box.exec('mkdir -p /etc/pilotflame/variants/main /etc/systemd/system/sglang.service.d')
  const dropIn = '/etc/systemd/system/sglang.service.d/50-pilotflame.conf'
  await box.disk.write(dropIn, '# pilotflame variant big\n[Unit]\nDescription=Big\n')
  await box.exec('systemctl daemon-reload && rmdir /etc/pilotflame/variants/main')
  const invocation = await show(box, 'sglang.service', 'InvocationID')
  expect(await show(box, 'sglang.service', 'Description')).toBe('Big')
  const { rc, stdout, stderr } = await reloadingSshd(box, `sh ${SETUP} --uninstall`)
  expect([rc, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^reload sshd$/m)
  expect(stdout).not.toContain('Next:')
  expect(stdout).toContain(`remove ${dropIn}\nlet systemd read its units anew\n`)
  expect(await show(box, 'sglang.service', 'Description')).toBe('Inference server')
  expect(await show(box, 'sglang.service', 'InvocationID')).toBe(invocation)
  expect(await look(box, 'ls -d /etc/systemd/system/sglang.service.d 2>&1; true')).toContain('No such file')
  expect(await show(box, 'ssh.service', 'MainPID')).toBe(pid)
  expect(await ssh(installed, ['id'])).toMatchObject({ rc: 255 })
})

test('a service that cannot be reloaded is said', async ({ startBox }) => {
  const box = await startBox()
  // both names are of something else than the sshd that runs
  await box.exec('mkdir -p /run/systemd/system/ssh.service.d')
  await box.exec(
    "printf '[Service]\\nExecReload=\\nExecReload=/bin/false\\n' >/run/systemd/system/ssh.service.d/no.conf",
  )
  await box.exec('systemctl daemon-reload')
  const key = (await box.newKey('gate')).publicLine
  const { rc, stdout } = await box.exec(`sh ${SETUP} --key '${key}' --port 1 --unit main=sglang.service`)
  expect([rc, stdout]).toEqual([0, expect.stringContaining('Next: reload sshd, or it goes on with its settings')])
})
