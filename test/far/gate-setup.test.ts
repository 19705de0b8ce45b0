import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { load } from '../config/folder.ts'
import type { Machine } from './gate-machine.ts'
import { KEY, noMachine, OPTIONS, openMachine, setup } from './gate-machine.ts'
import { GATE, shells, skips } from './gate-world.ts'

const USER = 'pilotflame-test'

describe.skipIf(skips(noMachine))('deploy/host/setup', () => {
  test('tells first what it would do, does exactly that, and nothing the second time', async () => {
    const machine = await openMachine(noMachine)
    const before = await machine.files()
    const dry = await setup(machine, [...OPTIONS, '--dry-run'])
    expect([dry.code, dry.stderr, await machine.files()]).toEqual([0, '', before])
    const done = await setup(machine, OPTIONS)
    expect([done.code, done.stderr]).toEqual([0, ''])
    const promised = dry.stdout.split('\n').filter((line) => line.startsWith('would '))
    expect(done.stdout.split('\n').slice(0, promised.length)).toEqual(
      promised.map((line) => line.replace('would ', '')),
    )
    expect(done.stdout).toContain('pilotflame doctor')
    const after = await machine.files()
    const again = await setup(machine, OPTIONS)
    expect([again.code, again.stdout.split('\n')[0]]).toEqual([0, 'Nothing to do: all is as asked for.'])
    expect(await machine.files()).toEqual(after)
    // each file that was promised has the content that was shown
    const shown = dry.stdout.matchAll(/^would write (\S+) \(.*\)\n((?: {4}.*\n)+)/gm)
    for (const [, file = '', text = ''] of shown) {
      expect((await machine.run(['/bin/cat', file])).stdout).toBe(text.replaceAll(/^ {4}/gm, ''))
    }
  })
})

describe.skipIf(skips(noMachine))('deploy/host/setup, what it writes', () => {
  test('every file with the rights that it must have', async () => {
    const machine = await openMachine(noMachine)
    await setup(machine, [...OPTIONS, '--port', '8000', '--from', '192.0.2.7,2001:db8::/64'])
    const rights = (await machine.files()).map((line) => line.split(' ').slice(0, 3).join(' '))
    expect(rights).toEqual(
      expect.arrayContaining([
        '/usr/local/sbin/pilotflame-gate 755 root',
        '/etc/pilotflame 755 root',
        '/etc/pilotflame/units 644 root',
        '/etc/pilotflame/variants 755 root',
        '/etc/sudoers.d/pilotflame 440 root',
        '/etc/ssh/sshd_config.d/50-pilotflame.conf 644 root',
        `/var/lib/pilotflame 700 ${USER}`,
        `/var/lib/pilotflame/ops 700 ${USER}`,
        `/home/${USER} 755 root`,
        `/home/${USER}/.ssh 755 root`,
        `/home/${USER}/.ssh/authorized_keys 644 root`,
      ]),
    )
    const keys = await machine.run(['/bin/cat', `/home/${USER}/.ssh/authorized_keys`])
    expect(keys.stdout).toBe(
      'restrict,port-forwarding,permitopen="127.0.0.1:30000",permitopen="127.0.0.1:8000",permitlisten="127.0.0.1:1",' +
        `command="/usr/local/sbin/pilotflame-gate",from="192.0.2.7,2001:db8::/64" ${KEY}\n`,
    )
    expect((await machine.run(['/bin/cat', '/usr/local/sbin/pilotflame-gate'])).stdout).toBe(
      await readFile(GATE, 'latin1'),
    )
    expect((await machine.run(['/usr/bin/getent', 'shadow', USER])).stdout).toMatch(/^pilotflame-test:\*:/)
    expect((await machine.run(['/usr/bin/getent', 'passwd', USER])).stdout).toMatch(/:\/bin\/sh\n$/)
    expect((await machine.run(['/usr/sbin/visudo', '-c'])).code).toBe(0)
  })
})

describe.skipIf(skips(noMachine))('deploy/host/setup later', () => {
  test('a new key, port or unit takes the place of the old one', async () => {
    const machine = await openMachine(noMachine)
    await setup(machine, OPTIONS)
    const key = KEY.replace('63', '64')
    const options = [
      '--key',
      key,
      '--port',
      '1',
      '--unit',
      'x=y@0:1.service',
      '--log',
      'x=/var/log/y.log',
      '--user',
      USER,
    ]
    expect((await setup(machine, options)).code).toBe(0)
    expect(await cat(machine, `/home/${USER}/.ssh/authorized_keys`)).toBe(
      `restrict,port-forwarding,permitopen="127.0.0.1:1",permitlisten="127.0.0.1:1",command="/usr/local/sbin/pilotflame-gate" ${key}\n`,
    )
    expect(await cat(machine, '/etc/pilotflame/units')).toMatch(/^#.*\nx y@0:1\.service log=\/var\/log\/y\.log\n$/)
    expect(await cat(machine, '/etc/sudoers.d/pilotflame')).not.toContain('sglang')
  })

  test('uninstalled, all is as before', async () => {
    const machine = await openMachine(noMachine)
    const before = await machine.files()
    const accounts = ['/bin/cat', '/etc/passwd', '/etc/group', '/etc/shadow', '/etc/gshadow']
    const people = await machine.run(accounts)
    await setup(machine, OPTIONS)
    await setup(machine, OPTIONS)
    // a variant that the bot has selected, of a unit that is then no longer in the list
    await machine.run(['/bin/sh', '-c', select('sglang')])
    const others = ['--unit', 'other=vllm.service', '--port', '8000', '--log', 'other=/var/log/vllm.log']
    await setup(machine, ['--key', KEY, ...others])
    await machine.run(['/bin/sh', '-c', select('vllm')])
    const installed = await machine.files()
    const dry = await setup(machine, ['--uninstall', '--user', USER, '--dry-run'])
    expect(dry.stdout).toContain('would remove account')
    expect(await machine.files()).toEqual(installed)
    const gone = await setup(machine, ['--uninstall', '--user', USER])
    expect([gone.code, gone.stderr]).toEqual([0, ''])
    expect(await machine.files()).toEqual(before)
    expect((await machine.run(accounts)).stdout).toBe(people.stdout)
    expect((await setup(machine, ['--uninstall', '--user', USER])).stdout).toBe(
      'Nothing to do: nothing of it is there.\n',
    )
  })
})

describe.skipIf(skips(noMachine))('deploy/host/setup among others', () => {
  test('what is there beside its own files is never touched', async () => {
    const machine = await openMachine(noMachine)
    expect((await machine.run(['/bin/sh', '-c', FURNISH])).stderr).toBe('')
    const before = await machine.files()
    for (const options of [OPTIONS, OPTIONS, ['--key', KEY, '--port', '1', '--unit', 'x=sglang.service']]) {
      expect((await setup(machine, options)).code).toBe(0)
      const now = new Set(await machine.files())
      // useradd writes these, and only these, in place
      const accounts = /^\/etc\/(?:passwd|shadow|group|gshadow) /
      expect(before.filter((line) => !now.has(line) && !accounts.test(line))).toEqual([])
    }
    await machine.run(['/bin/sh', '-c', select('vllm')])
    const gone = await setup(machine, ['--uninstall'])
    expect([gone.code, gone.stderr]).toEqual([0, ''])
    expect(gone.stdout).toContain('remove /etc/systemd/system/vllm.service.d/50-pilotflame.conf\n')
    expect(await machine.files()).toEqual(before)
  })

  test('what others put there stays', async () => {
    const machine = await openMachine(noMachine)
    await setup(machine, OPTIONS)
    await machine.run(['/bin/mkdir', '/etc/pilotflame/variants/main'])
    await machine.run(['/usr/sbin/useradd', 'somebody'])
    const gone = await setup(machine, ['--uninstall', '--user', USER])
    expect(gone.stdout).toContain('kept /etc/pilotflame/variants/: it holds files that this script did not make\n')
    expect((await machine.files()).some((line) => line.startsWith('/etc/pilotflame/variants/main '))).toBe(true)
    const foreign = await setup(machine, [...OPTIONS.slice(0, -1), 'somebody'])
    expect([foreign.code, foreign.stderr]).toEqual([
      1,
      expect.stringMatching(/^setup: the account somebody is there and was not made by/),
    ])
    await setup(machine, ['--uninstall', '--user', 'somebody'])
    expect((await machine.run(['/usr/bin/getent', 'passwd', 'somebody'])).code).toBe(0)
  })
})

describe.skipIf(skips(noMachine))('deploy/host/setup on a machine with something behind it', () => {
  test('an account that only carries: its key opens the way to there, and there is nothing for sudo', async () => {
    const machine = await openMachine(noMachine)
    await setup(machine, OPTIONS)
    const ways = ['--jump-to', '10.0.3.12:22', '--jump-to', '[fd00::12]:2222']
    const { code, stdout, stderr } = await setup(machine, ['--key', KEY, ...ways])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('remove /etc/sudoers.d/pilotflame\n')
    expect(stdout).not.toContain('targets:')
    expect(await cat(machine, `/home/${USER}/.ssh/authorized_keys`)).toBe(
      'restrict,port-forwarding,permitopen="10.0.3.12:22",permitopen="[fd00::12]:2222",permitlisten="127.0.0.1:1",' +
        `command="/usr/local/sbin/pilotflame-gate" ${KEY}\n`,
    )
    expect(await cat(machine, '/etc/pilotflame/units')).toMatch(/^#.*\n$/)
    expect((await machine.files()).some((line) => line.startsWith('/etc/sudoers.d/pilotflame'))).toBe(false)
    expect((await setup(machine, ['--key', KEY, ...ways])).stdout).toMatch(/^Nothing to do: all is as asked for\.\n/)
  })

  test('beside a model of its own', async () => {
    const machine = await openMachine(noMachine)
    expect((await setup(machine, [...OPTIONS, '--jump-to', '10.0.3.12:22'])).code).toBe(0)
    expect(await cat(machine, `/home/${USER}/.ssh/authorized_keys`)).toContain(
      ',permitopen="127.0.0.1:30000",permitopen="10.0.3.12:22",permitlisten=',
    )
    expect(await cat(machine, '/etc/sudoers.d/pilotflame')).toContain('restart sglang.service\n')
  })
})

describe.skipIf(skips(noMachine))('deploy/host/setup, what it gives for pilotflame.yml', () => {
  test('loads as it stands, and holds the keys that this host has', async () => {
    const machine = await openMachine(noMachine)
    const yaml = settingsIn((await setup(machine, OPTIONS)).stdout)
    expect(yaml).toMatch(/^ {4}unit: main$/m)
    const loaded = load(yaml)
    expect(loaded.kind === 'problems' ? loaded.text : loaded.kind).toBe('config')
    const keys = await machine.run(['/bin/sh', '-c', 'cat /etc/ssh/ssh_host_*_key.pub'])
    const own = keys.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ').slice(0, 2).join(' '))
    expect([...yaml.matchAll(/^ {6}- (.*)$/gm)].map(([, key]) => key).toSorted()).toEqual(own.toSorted())
  })

  test('with several units it does not guess whose port it is', async () => {
    const machine = await openMachine(noMachine)
    const yaml = settingsIn((await setup(machine, [...OPTIONS, '--unit', 'second=vllm.service'])).stdout)
    expect(yaml).toContain('    # unit: main second   # the one of these that serves port 30000\n')
    const ports = settingsIn((await setup(machine, [...OPTIONS, '--port', '30001'])).stdout)
    expect([...ports.matchAll(/^ {4}(# )?unit: main/gm)].map(([, hidden]) => hidden)).toEqual(['# ', '# '])
    expect(load(ports).kind).toBe('config')
  })

  test('a host without readable keys is to be known by known_hosts', async () => {
    const machine = await openMachine(noMachine)
    await machine.run(['/bin/sh', '-c', 'rm /etc/ssh/ssh_host_*'])
    const yaml = settingsIn((await setup(machine, OPTIONS)).stdout)
    expect(yaml).not.toContain('host_key')
    expect(load(yaml).kind).toBe('config')
  })
})

describe.skipIf(skips(noMachine))('deploy/host/setup as a script', () => {
  test.each(shells.filter(({ why }) => why === null))('the same plan under $name', async ({ shell: { command } }) => {
    const machine = await openMachine(noMachine)
    const script = new URL('../../deploy/host/setup', import.meta.url).pathname
    const plans = await Promise.all([
      machine.run([script, ...OPTIONS, '--dry-run']),
      machine.run([...command, script, ...OPTIONS, '--dry-run']),
    ])
    expect(plans[1]).toEqual(plans[0])
  })

  test('README tells to write by hand what it writes', async () => {
    const machine = await openMachine(noMachine)
    const options = ['--key', KEY, '--port', '30000', '--unit', 'main=sglang.service', '--dry-run', '--user', 'by-hand']
    const plan = (await setup(machine, options)).stdout.replaceAll('by-hand', 'pilotflame')
    const written = plan.match(/^ {4}(?!#).*$/gm)?.map((line) => line.trim().replace(KEY, 'ssh-ed25519 AAAA...')) ?? []
    const readme = await readFile(new URL('../../deploy/host/README.md', import.meta.url), 'utf8')
    expect(written).toHaveLength(17)
    for (const line of written) expect(readme).toContain(line)
  })

  test.each(['is_alias', 'is_count', 'is_number', 'is_unit', 'is_path'])('%s is the one of the gate', async (name) => {
    const texts = await Promise.all(
      [GATE, GATE.replace(/pilotflame-gate$/, 'setup')].map((file) => readFile(file, 'utf8')),
    )
    const [gate, own] = texts.map((text) => new RegExp(`^${name}\\(\\) \\{(?:.*\\}|[^]*?\\n\\})`, 'm').exec(text)?.[0])
    expect(own).toBe(gate)
    expect(own).toContain(name)
  })
})

/** What the gate leaves when it selects a variant of a unit. */
function select(unit: string): string {
  const folder = `/etc/systemd/system/${unit}.service.d`
  return `mkdir -p ${folder} && printf '# pilotflame variant big\\n[Service]\\n' >${folder}/50-pilotflame.conf`
}

/** Files of other people where setup works, some under a name that it uses itself. */
const FURNISH = `set -e
cd /etc/systemd/system
mkdir sglang.service.d vllm.service.d sglang.service.d/50-pilotflame.conf.d
echo '[Service]' | tee sglang.service.d/50-pilotflame.conf sglang.service.d/10-admin.conf vllm.service.d/10-admin.conf >/dev/null
printf '[Service]\\n# pilotflame variant big\\n' >50-pilotflame.conf
useradd --create-home dana && mkdir -m 700 /home/dana/.ssh && echo '${KEY}' >/home/dana/.ssh/authorized_keys
chown -R dana:dana /home/dana/.ssh && mkdir -m 750 /home/shared
echo 'dana ALL=(root) NOPASSWD: /bin/true' >/etc/sudoers.d/dana && chmod 440 /etc/sudoers.d/dana
printf 'Match User dana\\n  AllowTcpForwarding no\\n' | tee /etc/ssh/sshd_config.d/60-admin.conf >/etc/ssh/sshd_config.d/10-admin.conf
mkdir -p /var/lib/other /usr/local/sbin && echo tool >/usr/local/sbin/other && echo data >/var/lib/other/data`

async function cat(machine: Machine, file: string): Promise<string> {
  return (await machine.run(['/bin/cat', file])).stdout
}

/** The part of what it prints that is YAML. */
function settingsIn(stdout: string): string {
  return /^# for pilotflame\.yml.*\n((?:.+\n)+)/m.exec(stdout)?.[1] ?? ''
}
