import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
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
    const cat = async (file: string) => (await machine.run(['/bin/cat', file])).stdout
    expect(await cat(`/home/${USER}/.ssh/authorized_keys`)).toBe(
      `restrict,port-forwarding,permitopen="127.0.0.1:1",permitlisten="127.0.0.1:1",command="/usr/local/sbin/pilotflame-gate" ${key}\n`,
    )
    expect(await cat('/etc/pilotflame/units')).toMatch(/^#.*\nx y@0:1\.service log=\/var\/log\/y\.log\n$/)
    expect(await cat('/etc/sudoers.d/pilotflame')).not.toContain('sglang')
  })

  test('uninstalled, all is as before', async () => {
    const machine = await openMachine(noMachine)
    const before = await machine.files()
    const accounts = ['/bin/cat', '/etc/passwd', '/etc/group', '/etc/shadow', '/etc/gshadow']
    const people = await machine.run(accounts)
    await setup(machine, OPTIONS)
    const dry = await setup(machine, ['--uninstall', '--user', USER, '--dry-run'])
    expect(dry.stdout).toContain('would remove account')
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
    expect(written).toHaveLength(10)
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

const GOOD = { key: KEY, port: '30000', unit: 'main=sglang.service' }

const BAD: readonly (readonly [what: string, options: readonly string[]])[] = [
  ['nothing', []],
  ['no key', ['--port', '1', '--unit', 'a=b.service']],
  ['no port', ['--key', KEY, '--unit', 'a=b.service']],
  ['no unit', ['--key', KEY, '--port', '1']],
  ['an unknown option', ['--ports', '1']],
  ['a bare word', ['main=sglang.service']],
  ['an option without a value', [...given({}), '--port']],
  ['a key with options', given({ key: `command="id" ${KEY}` })],
  ['a key with a quote', given({ key: `${KEY} a"b` })],
  ['two keys in one', given({ key: `${KEY}\n${KEY}` })],
  ['a key of no kind', given({ key: 'ssh-foo AAAA' })],
  ['a key that is cut', given({ key: KEY.slice(0, 40) })],
  ['a private key', given({ key: '-----BEGIN OPENSSH PRIVATE KEY-----' })],
  ...['0', '65536', '08', '-1', '1e3', '22"', '', '*', '22,permitopen="*"'].map(
    (port) => [`port ${port}`, given({ port })] as const,
  ),
  ...[
    'main',
    'main=',
    '=a.service',
    'main=a',
    'main=a.socket',
    '.a=b.service',
    'a b=c.service',
    `${'a'.repeat(65)}=b.service`,
  ].map((unit) => [`unit ${unit}`, given({ unit })] as const),
  ...[
    '-a.service',
    'a;b.service',
    'a*.service',
    'a b.service',
    '../a.service',
    'a\\x2d.service',
    'a.service, ALL',
    '$(id).service',
  ].map((unit) => [`unit main=${unit}`, given({ unit: `main=${unit}` })] as const),
  ['an alias twice', [...given({}), '--unit', 'main=b.service']],
  ['a unit twice', [...given({}), '--unit', 'b=sglang.service']],
  ['a log of no unit', [...given({}), '--log', 'b=/var/log/x']],
  ...['x', '/a/../b', '/a b', '/a;b', '', '/a$b'].map(
    (log) => [`log ${log}`, [...given({}), '--log', `main=${log}`]] as const,
  ),
  ...['root', 'A', 'a b', '', '-x', 'a'.repeat(33)].map(
    (user) => [`user ${user}`, [...given({}), '--user', user]] as const,
  ),
  ...['example.org', '*', '10.0.0.1"', '10.0.0.1 10.0.0.2', '!10.0.0.1'].map(
    (from) => [`from ${from}`, [...given({}), '--from', from]] as const,
  ),
  ['strays of root', [...given({}), '--strays', 'main=root']],
  ['to uninstall an account that is none', ['--uninstall', '--user', 'a;b']],
]

function given(wishes: Partial<typeof GOOD>): readonly string[] {
  const { key, port, unit } = { ...GOOD, ...wishes }
  return ['--key', key, '--port', port, '--unit', unit]
}

describe.skipIf(skips(noMachine))('bad input: one sentence, 64, nothing written', () => {
  test(`${BAD.length} rows`, async () => {
    const machine = await openMachine(noMachine)
    const before = await machine.files()
    for (const [what, options] of BAD) {
      const { code, stdout, stderr } = await setup(machine, options)
      expect({ what, code, stdout }).toEqual({ what, code: 64, stdout: '' })
      expect(stderr).toMatch(/^setup: [^\n"$*\\]{20,300}\n$/)
    }
    expect(await machine.files()).toEqual(before)
  })
})
