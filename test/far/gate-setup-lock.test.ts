import { describe, expect, test } from 'vitest'
import type { Machine } from './gate-machine.ts'
import { noMachine, OPTIONS, openMachine, setup } from './gate-machine.ts'
import { skips } from './gate-world.ts'

const USER = 'pilotflame-test'
const CONFIG = '/etc/ssh/sshd_config'
const LOCK = '/etc/ssh/sshd_config.d/50-pilotflame.conf'
const LINES = `Match User ${USER}
  AllowStreamLocalForwarding no
  AllowAgentForwarding no
  PermitTTY no
  PermitTunnel no
  X11Forwarding no
Match all
`
const SHUT = [
  'allowagentforwarding no',
  'allowstreamlocalforwarding no',
  'permittty no',
  'permittunnel no',
  'x11forwarding no',
]
const RELOAD = 'Next: reload sshd, or it goes on with its settings of before: kill -HUP "$(cat /run/sshd.pid)"\n'

describe.skipIf(skips(noMachine))('what setup writes for sshd', () => {
  test('shuts for the account what the options of a key leave open, and changes nothing for anybody else', async () => {
    const machine = await openMachine(noMachine)
    // later blocks of an administrator still count
    await sh(machine, `echo 'X11Forwarding yes' >>${CONFIG} && printf 'Match User dana\n  PermitTTY no\n' >>${CONFIG}`)
    await sh(machine, `printf 'Match User dana\n  X11Forwarding no\n' >/etc/ssh/sshd_config.d/90-admin.conf`)
    const others = ['root', 'dana', 'pilotflame-test2']
    const before = await Promise.all(others.map((user) => settingsOf(machine, user)))
    const own = await settingsOf(machine, USER)
    const { code, stdout } = await setup(machine, OPTIONS)
    expect([code, stdout]).toEqual([0, expect.stringContaining(RELOAD)])
    expect(await sh(machine, `cat ${LOCK}`)).toMatch(/^# .*\n/)
    expect((await sh(machine, `cat ${LOCK}`)).replace(/^#.*\n/, '')).toBe(LINES)
    expect(await Promise.all(others.map((user) => settingsOf(machine, user)))).toEqual(before)
    const now = await settingsOf(machine, USER)
    expect(now).toEqual(expect.arrayContaining(SHUT))
    // so the port of the model can still be reached
    expect(now).toContain('allowtcpforwarding yes')
    expect(now.filter((line) => !own.includes(line)).every((line) => SHUT.includes(line))).toBe(true)
    const again = await setup(machine, OPTIONS)
    expect(again.stdout).toMatch(/^Nothing to do/)
    expect(again.stdout).not.toContain(RELOAD)
  })

  test('comes before the key, and goes after it', async () => {
    const machine = await openMachine(noMachine)
    const keys = `/home/${USER}/.ssh/authorized_keys`
    const made = (await setup(machine, OPTIONS)).stdout
    expect(made.indexOf(LOCK)).toBeGreaterThan(-1)
    expect(made.indexOf(LOCK)).toBeLessThan(made.indexOf(keys))
    const gone = (await setup(machine, ['--uninstall'])).stdout
    expect(gone.indexOf(LOCK)).toBeGreaterThan(gone.indexOf(keys))
    expect(gone).toContain(RELOAD)
    expect(await settingsOf(machine, USER)).not.toContain('allowstreamlocalforwarding no')
  })

  test('is judged also where sshd has not been started yet', async () => {
    const machine = await openMachine(noMachine)
    await machine.run(['/bin/mount', '-t', 'tmpfs', 'tmpfs', '/run'])
    expect((await machine.run(['/usr/sbin/sshd', '-t'])).code).not.toBe(0)
    const dry = await setup(machine, [...OPTIONS, '--dry-run'])
    expect([dry.code, await sh(machine, 'ls /run')]).toEqual([0, ''])
    const { code, stderr } = await setup(machine, OPTIONS)
    expect([code, stderr]).toEqual([0, ''])
    expect(await settingsOf(machine, USER)).toEqual(expect.arrayContaining(SHUT))
  })
})

describe.skipIf(skips(noMachine))('where sshd does not read the folder', () => {
  const said = `setup: nothing refuses unix sockets (-R) to ${USER}: no sshd here reads /etc/ssh/sshd_config.d. Put these lines into
${CONFIG}, above its first Match or else at its end, reload sshd, and run this again:
#`

  test.each([
    ['the line is gone', `sed -i '/^Include/d' ${CONFIG}`],
    ['the line is a comment', `sed -i 's/^Include/# Include/' ${CONFIG}`],
    ['the folder is gone', 'rm -r /etc/ssh/sshd_config.d'],
  ])('%s: all else is installed, and what is missing is said', async (_what, line) => {
    const machine = await openMachine(noMachine)
    await sh(machine, line)
    const before = await machine.files()
    const dry = await setup(machine, [...OPTIONS, '--dry-run'])
    expect([dry.code, dry.stderr.startsWith(said), await machine.files()]).toEqual([78, true, before])
    const { code, stdout, stderr } = await setup(machine, OPTIONS)
    expect([code, stderr]).toEqual([78, dry.stderr])
    expect(stderr.slice(said.length).replace(/^.*\n/, '')).toBe(LINES)
    expect(stdout).toContain(`write /home/${USER}/.ssh/authorized_keys`)
    expect(stdout).toContain('write /etc/sudoers.d/pilotflame')
    expect(await machine.files()).not.toEqual(expect.arrayContaining([expect.stringContaining(LOCK)]))
    const again = await setup(machine, OPTIONS)
    expect([again.code, again.stderr]).toEqual([78, stderr])
    expect(again.stdout).not.toContain('Nothing to do')
  })

  test('the lines put there by hand are enough, and stay', async () => {
    const machine = await openMachine(noMachine)
    await sh(machine, `sed -i '/^Include/d' ${CONFIG}`)
    const { stderr } = await setup(machine, OPTIONS)
    await machine.run(['/bin/sh', '-c', `cat >>${CONFIG}`], stderr.slice(said.length - 1))
    const before = await sh(machine, `cat ${CONFIG}`)
    const again = await setup(machine, OPTIONS)
    expect([again.code, again.stderr, again.stdout.split('\n')[0]]).toEqual([
      0,
      '',
      'Nothing to do: all is as asked for.',
    ])
    expect((await setup(machine, ['--uninstall'])).stdout).toContain(
      `kept the lines for ${USER} in ${CONFIG}: they were put there by hand\n`,
    )
    expect(await sh(machine, `cat ${CONFIG}`)).toBe(before)
  })

  test('half of them are not', async () => {
    const machine = await openMachine(noMachine)
    await sh(machine, `sed -i '/^Include/d' ${CONFIG} && printf 'Match User ${USER}\n  PermitTTY no\n' >>${CONFIG}`)
    expect((await setup(machine, OPTIONS)).code).toBe(78)
  })

  test('its exit status stands in --help', async () => {
    const machine = await openMachine(noMachine)
    expect((await setup(machine, ['--help'])).stdout).toContain(
      '78 all is in place but the lock in the settings of sshd',
    )
  })
})

describe.skipIf(skips(noMachine))('where sshd has other settings', () => {
  test('a Match that is read before and allows more is said', async () => {
    const machine = await openMachine(noMachine)
    const match = `Match User pilot*\n  AllowStreamLocalForwarding yes\n`
    await machine.run(['/bin/sh', '-c', 'cat >/etc/ssh/sshd_config.d/10-admin.conf'], match)
    const { code, stderr } = await setup(machine, OPTIONS)
    expect([code, stderr]).toEqual([
      78,
      expect.stringMatching(`^setup: a Match that sshd reads before ${LOCK} allows ${USER} what is refused there`),
    ])
    await sh(machine, 'rm /etc/ssh/sshd_config.d/10-admin.conf')
    expect((await setup(machine, OPTIONS)).code).toBe(0)
  })

  test.each([
    [
      'settings that sshd does not accept anyway',
      `echo 'Nonsense yes' >>${CONFIG}`,
      'Bad configuration option: Nonsense',
      false,
    ],
    [
      'a check that refuses what is in place',
      putSshd(`case "$* $(ls ${LOCK})" in '-t ${LOCK}') echo no! >&2; exit 1 ;; esac`),
      'no!',
      true,
    ],
  ])('%s: the lines are not left there', async (_what, line, said, tried) => {
    const machine = await openMachine(noMachine)
    await sh(machine, line)
    const { code, stdout, stderr } = await setup(machine, OPTIONS)
    expect([code, stderr]).toEqual([78, expect.stringContaining(said)])
    expect(stderr).toMatch(
      /^setup: nothing refuses unix sockets \(-R\) to pilotflame-test: sshd does not accept its settings/,
    )
    expect(stdout).toContain(`write /home/${USER}/.ssh/authorized_keys`)
    expect(stdout.includes(`write ${LOCK} `)).toBe(tried)
    expect(stdout).not.toMatch(/reload sshd/)
    expect(await sh(machine, `find ${LOCK}*; true`)).toBe('')
  })

  test('nor are they lost, where an older setup wrote them', async () => {
    const machine = await openMachine(noMachine)
    await setup(machine, OPTIONS)
    await sh(machine, `sed -i 's/^#.*/# older/' ${LOCK}`)
    await sh(machine, putSshd(`if [ "$*" = -t ] && ! grep -q older ${LOCK}; then exit 1; fi`))
    const before = await machine.files()
    const { code, stdout } = await setup(machine, OPTIONS)
    expect([code, stdout]).toEqual([78, expect.stringContaining(`took ${LOCK} back\n`)])
    expect(await machine.files()).toEqual(before)
  })
})

/** A shell line that puts a script before sshd, in this machine only. */
function putSshd(script: string): string {
  return `cp /usr/sbin/sshd /usr/local/sbin/real-sshd
cat >/etc/fake-sshd <<'END'
#!/bin/sh
${script}
exec /usr/local/sbin/real-sshd "$@"
END
chmod 755 /etc/fake-sshd && mount --bind /etc/fake-sshd /usr/sbin/sshd`
}

async function sh(machine: Machine, line: string): Promise<string> {
  const { code, stdout, stderr } = await machine.run(['/bin/sh', '-c', line])
  if (code !== 0) throw new Error(`${line}: ${code} ${stderr}`)
  return stdout
}

/** What counts for a connection of this account. */
async function settingsOf(machine: Machine, user: string): Promise<readonly string[]> {
  return (await sh(machine, `/usr/sbin/sshd -T -C user=${user},host=localhost,addr=192.0.2.7`)).split('\n')
}
