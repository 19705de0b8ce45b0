import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Machine } from './gate-machine.ts'
import { noMachine, OPTIONS, openMachine, setup } from './gate-machine.ts'
import { skips } from './gate-world.ts'

const USER = 'pilotflame-test'

describe.skipIf(skips(noMachine))('deploy/host/setup, one account', () => {
  test('a second one is refused by the name of the first, which needs no --user from then on', async () => {
    const machine = await openMachine(noMachine)
    await setup(machine, OPTIONS)
    const before = await machine.files()
    for (const more of [[], ['--dry-run']]) {
      const second = await setup(machine, [...OPTIONS.slice(0, -1), 'pf2', ...more])
      expect([second.code, second.stdout]).toEqual([1, ''])
      expect(second.stderr).toBe(
        `setup: the account ${USER} is set up here, and there can be only one: leave --user out, or run --uninstall first\n`,
      )
    }
    const again = await setup(machine, OPTIONS.slice(0, -2))
    expect([again.code, again.stdout.split('\n')[0]]).toEqual([0, 'Nothing to do: all is as asked for.'])
    expect(await machine.files()).toEqual(before)
  })

  test('--uninstall finds it by its mark, and removes no other', async () => {
    const machine = await openMachine(noMachine)
    const before = await machine.files()
    await setup(machine, OPTIONS)
    const installed = await machine.files()
    const other = await setup(machine, ['--uninstall', '--user', 'pilotflame'])
    expect([other.code, other.stdout, await machine.files()]).toEqual([1, '', installed])
    expect(other.stderr).toBe(
      `setup: the account pilotflame was not made by this script, but ${USER} was: leave --user out\n`,
    )
    const gone = await setup(machine, ['--uninstall'])
    expect([gone.code, gone.stderr, await machine.files()]).toEqual([0, '', before])
    expect((await machine.run(['/usr/bin/getent', 'passwd', USER])).code).toBe(2)
  })
})

const IN_THE_WAY = [
  [
    'a folder of that name in /home',
    `mkdir -p /home/${USER}/.ssh && echo mine >/home/${USER}/.ssh/authorized_keys && chown -R 4321:4321 /home/${USER}`,
    `/home/${USER} is there, but no account ${USER}; move it away,`,
  ],
  ['an empty one', `mkdir -m 700 /home/${USER}`, `/home/${USER} is there, but no account ${USER}; move it away,`],
  ['a link there that leads nowhere', `ln -s /srv/x /home/${USER}`, `/home/${USER} is there, but no account ${USER};`],
  [
    'a group of that name',
    `groupadd ${USER}`,
    `the group ${USER} is there, but no account ${USER}; choose another name`,
  ],
] as const

describe.skipIf(skips(noMachine))('deploy/host/setup, the place of its account', () => {
  test.for(IN_THE_WAY)('%s: refused, and nothing of it is touched', async ([, line, said]) => {
    const machine = await openMachine(noMachine)
    expect((await machine.run(['/bin/sh', '-c', line])).code).toBe(0)
    const before = await machine.files()
    for (const more of [[], ['--dry-run']]) {
      const { code, stdout, stderr } = await setup(machine, [...OPTIONS, ...more])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(`setup: ${said}`)
      expect(stderr).toContain('choose another name with --user\n')
    }
    expect(await machine.files()).toEqual(before)
    expect((await setup(machine, [...OPTIONS.slice(0, -1), 'pf2'])).code).toBe(0)
    expect(await machine.files()).toEqual(expect.arrayContaining([...homeOf(before)]))
  })
})

function homeOf(files: readonly string[]): readonly string[] {
  return files.filter((line) => line.startsWith(`/home/${USER}`))
}

describe.skipIf(skips(noMachine))('deploy/host/setup, the mark of its account', () => {
  test('two that an older setup left: none is added, both go', async () => {
    const machine = await openMachine(noMachine)
    const before = await machine.files()
    await setup(machine, OPTIONS)
    await machine.run(['/usr/sbin/useradd', '--system', '--no-create-home', '--comment', 'Pilotflame gate', 'pf2'])
    const more = await setup(machine, OPTIONS.slice(0, -2))
    expect([more.code, more.stderr]).toEqual([
      1,
      `setup: the accounts ${USER} pf2 are set up here, and there can be only one: run --uninstall first\n`,
    ])
    expect((await setup(machine, ['--uninstall'])).stdout).toContain('remove account pf2\n')
    expect(await machine.files()).toEqual(before)
  })

  test('the mark on the account of a person makes it none of ours', async () => {
    const machine = await openMachine(noMachine)
    await machine.run(['/usr/sbin/useradd', '--create-home', '--comment', 'Pilotflame gate', 'dana'])
    expect((await setup(machine, ['--uninstall'])).stdout).toBe('Nothing to do: nothing of it is there.\n')
    const taken = await setup(machine, [...OPTIONS.slice(0, -1), 'dana'])
    expect([taken.code, taken.stderr]).toEqual([
      1,
      expect.stringMatching(/^setup: the account dana is there and was not/),
    ])
    expect((await setup(machine, OPTIONS)).code).toBe(0)
  })
})

describe.skipIf(skips(noMachine))('deploy/host/setup --uninstall while the bot is connected', () => {
  test('removes all but the account, the key first, and names what holds it', async () => {
    const machine = await openMachine(noMachine)
    await setup(machine, OPTIONS)
    const { pid } = await openSession(machine)
    const said = new RegExp(
      String.raw`^setup: the bot is still connected as ${USER} \(processes .*\b${pid}\b.*\): ` +
        String.raw`stop it or end its session \(kill .*\b${pid}\b.*\), then run this again\n$`,
    )
    const dry = await setup(machine, ['--uninstall', '--dry-run'])
    expect([dry.code, dry.stderr]).toEqual([75, expect.stringMatching(said)])
    const first = await setup(machine, ['--uninstall'])
    expect([first.code, first.stderr]).toEqual([75, expect.stringMatching(said)])
    expect(first.stdout).toBe(dry.stdout.replaceAll(/^would /gm, ''))
    expect(first.stdout.split('\n')[0]).toBe(`remove /home/${USER}/.ssh/authorized_keys`)
    expect((await machine.run(['/usr/bin/test', '-e', `/proc/${pid}`])).code).toBe(0)
  })

  test('and finishes once it is not', async () => {
    const machine = await openMachine(noMachine)
    const before = await machine.files()
    await setup(machine, OPTIONS)
    const session = await openSession(machine)
    expect((await setup(machine, ['--uninstall'])).code).toBe(75)
    expect((await setup(machine, ['--uninstall'])).code).toBe(75)
    await session.end()
    const last = await setup(machine, ['--uninstall'])
    expect([last.code, last.stderr, last.stdout]).toEqual([0, '', `remove account ${USER}\n`])
    expect(await machine.files()).toEqual(before)
  })

  test('its exit status stands in --help', async () => {
    const machine = await openMachine(noMachine)
    expect((await setup(machine, ['--help'])).stdout).toContain('75 all is removed but the account')
  })
})

/** A process of the account, such as sshd has for each connection. */
async function openSession(machine: Machine) {
  const become = `setpriv --reuid=${USER} --regid=${USER} --clear-groups`
  const { stdout } = await machine.run(['/bin/sh', '-c', `${become} sleep 60 </dev/null >/dev/null 2>&1 & echo $!`])
  const pid = Number(stdout)
  // of a process that has ended and waits to be reaped, this place cannot be seen
  const see = (...tests: readonly string[]) =>
    machine.run(['/usr/bin/find', `/proc/${pid}`, `/proc/${pid}/root/`, '-maxdepth', '0', ...tests])
  const kill = () => machine.run(['/bin/kill', '-KILL', String(pid)])
  onTestFinished(async () => {
    await kill()
  })
  await vi.waitFor(async () => expect((await see('-user', USER)).stdout).not.toBe(''))
  return {
    pid,
    async end() {
      await kill()
      await vi.waitFor(async () => expect((await see()).code).toBe(1))
    },
  }
}
