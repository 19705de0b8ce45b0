import { describe, expect, test } from 'vitest'
import type { Machine } from './gate-machine.ts'
import { KEY, noMachine, OPTIONS, openMachine, setup } from './gate-machine.ts'
import { skips } from './gate-world.ts'

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
    'sglang.service',
    'main=sglang@.service',
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
  ...[
    '999.1.1.1',
    '10.0.0.5/8',
    '10.64.0.0/9',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0',
    '10.0.0.0.0',
    '10.0.0.1.',
    '010.0.0.1',
    '10..0.1',
    '1',
    ',',
    '10.0.0.1,',
    ',10.0.0.1',
    '10.0.0.1,,10.0.0.2',
    '10.0.0.1,10.0.0.5/8',
    '2001:db8::1/32',
    '2001:db8:4000::/33',
    '::/129',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:',
    ':2:3:4:5:6:7:8',
    '1::2:3:4:5:6:7:8',
    '12345::',
    'g::',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
  ].map((from) => [`from ${from}`, [...given({}), '--from', from]] as const),
  ...[
    '10.0.3.12',
    '10.0.3.12:',
    ':22',
    'guest:22',
    '10.0.3.300:22',
    '10.0.3.12:0',
    '10.0.3.12:65536',
    '10.0.3.12:*',
    '*:22',
    '10.0.3.0/24:22',
    'fd00::12:22',
    '[fd00::12]',
    '[10.0.3.12]:22',
    '[fd00::12:22',
    '10.0.3.12:22,10.0.3.13:22',
    '10.0.3.12:22"',
  ].map((way) => [`jump to ${way}`, [...given({}), '--jump-to', way]] as const),
  ['a way through and a port, but no unit', ['--key', KEY, '--jump-to', '10.0.3.12:22', '--port', '1']],
  ['a way through and a unit, but no port', ['--key', KEY, '--jump-to', '10.0.3.12:22', '--unit', 'a=b.service']],
  ['a way through and a log of no unit', ['--key', KEY, '--jump-to', '10.0.3.12:22', '--log', 'a=/b']],
  ['no address to be from', [...given({}), '--from', '']],
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

const SAID: readonly (readonly [what: string, options: readonly string[], said: string])[] = [
  [
    'a comment with other characters',
    given({ key: `${KEY} Me's laptop (work)` }),
    `--key ${KEY.slice(0, 60)}: its comment has a character outside A-Z a-z 0-9 _ . @ : + / = -; the comment may be left out`,
  ],
  ...['~/.ssh/id_ed25519', '/root/bot.pub', './bot', 'bot.pub'].map(
    (key) => [key, given({ key }), `--key ${key.replace('~', '?')} is a file: write --key "$(cat FILE.pub)"`] as const,
  ),
  [
    'a unit without alias',
    given({ unit: 'sglang.service' }),
    '--unit sglang.service: write ALIAS=UNIT, such as --unit main=sglang.service',
  ],
  [
    'a template',
    given({ unit: 'main=sglang@.service' }),
    '--unit main=sglang@.service: this is a template; name the unit made of it, such as sglang@0.service',
  ],
  [
    'an address in its network',
    [...given({}), '--from', '10.0.0.5/8'],
    '--from 10.0.0.5/8: no network of this length begins there; give its first address, or 10.0.0.5 alone',
  ],
]

const FINE =
  '10.0.0.5 10.0.0.0/8 10.128.0.0/9 10.0.0.5/32 0.0.0.0/0 192.0.2.7,2001:db8::/64 :: ::1 1:: ::/0 2001:DB8:8000::/33 1:2:3:4:5:6:7:8'

describe.skipIf(skips(noMachine))('values of setup', () => {
  test.for(SAID)('%s: what to write', async ([, options, said]) => {
    const machine = await openMachine(noMachine)
    expect(await setup(machine, options)).toEqual({ code: 64, stdout: '', stderr: `setup: ${said}\n` })
  })

  test('a good key may end in .pub', async () => {
    const machine = await openMachine(noMachine)
    const { code, stderr } = await setup(machine, [...given({ key: `${KEY} bot.pub` }), '--dry-run'])
    expect([code, stderr]).toEqual([0, ''])
  })
})

describe.skipIf(skips(noMachine))('addresses of --from, judged by sshd', () => {
  test('what setup takes, sshd takes', async () => {
    const machine = await openMachine(noMachine)
    for (const from of FINE.split(' ')) {
      const { code, stdout } = await setup(machine, [...OPTIONS, '--dry-run', '--from', from])
      expect([code, stdout]).toEqual([0, expect.stringContaining(`,from="${from}" `)])
      expect({ from, ...(await judged(machine, from)) }).toMatchObject({ from, code: 0, stderr: '' })
    }
  })

  test('and has no use for an address in its network', async () => {
    const machine = await openMachine(noMachine)
    expect(await judged(machine, '10.0.0.5/8')).toMatchObject({ code: 255 })
    expect(await judged(machine, '2001:db8::1/32')).toMatchObject({ code: 255 })
  })
})

/** The lists of addresses in settings of sshd have the form of those in a key's line. */
function judged(machine: Machine, from: string): ReturnType<Machine['run']> {
  const script = 'cat >/etc/judged && exec /usr/sbin/sshd -T -f /etc/judged -C addr=192.0.2.7,user=root,host=h'
  return machine.run(['/bin/sh', '-c', script], `Match Address ${from}\n  X11Forwarding no\n`)
}
