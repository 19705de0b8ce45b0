import { chmodSync, existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { SSHConfig } from 'ssh-config'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Loaded } from '../../src/config.ts'
import { loadConfig } from '../../src/config.ts'
import type { HostSettings } from '../../src/domain/target.ts'
import { folder, SMALL } from './folder.ts'

interface Home {
  /** below `hosts:` in pilotflame.yml */
  readonly hosts?: string
  readonly env?: Readonly<Record<string, string>>
  /** other files of the home, by path */
  readonly files?: Readonly<Record<string, string>>
}

/** Loads a pilotflame.yml whose host `box` is `gpu1` of this ~/.ssh/config. */
function load(config: string, { hosts = '  box: { ssh_config: gpu1 }', env = {}, files = {} }: Home = {}) {
  const home = folder({ 'pilotflame.yml': `${SMALL}hosts:\n${hosts}\n`, '.ssh/config': config, ...files })
  return { home, loaded: loadConfig({ file: null, env: { HOME: home, ...env }, cwd: home }) }
}

function hostsIn(loaded: Loaded): readonly HostSettings[] {
  if (loaded.kind !== 'config') throw new Error(loaded.kind === 'problems' ? loaded.text : loaded.kind)
  return loaded.config.hosts
}

const KEY = '  IdentityFile ~/.ssh/id\n'

test('a name brings address, port, user, key and known_hosts', () => {
  const config = `Host other gpu1\n  HostName 10.0.0.5\n  Port 2222\n  User dana\n${KEY}  UserKnownHostsFile ~/.ssh/a "~/b c"\n`
  const { home, loaded } = load(config)
  expect(hostsIn(loaded)).toEqual([
    {
      name: 'box',
      address: '10.0.0.5',
      port: 2222,
      user: 'dana',
      key: { from: 'file', path: join(home, '.ssh/id'), passphrase: null },
      trust: { from: 'files', paths: [join(home, '.ssh/a'), join(home, 'b c')] },
      jump: null,
      gate: null,
    },
  ])
})

test('what it does not say is as ssh has it', () => {
  const { home, loaded } = load('Host gpu1\n', { env: { SSH_AUTH_SOCK: '/run/agent' } })
  expect(hostsIn(loaded)).toMatchObject([
    {
      address: 'gpu1',
      port: 22,
      user: userInfo().username,
      key: { from: 'agent', socket: '/run/agent' },
      trust: { from: 'files', paths: [join(home, '.ssh/known_hosts')] },
    },
  ])
})

test('what stands in pilotflame.yml wins, and what it replaces cannot be wrong', () => {
  const config =
    'Host gpu1\n  HostName -x\n  Port 99999\n  User "a b"\n  IdentityFile %C\n  HostKeyAlias x\n  ProxyCommand nc\n' +
    '  UserKnownHostsFile /dev/null\n'
  const given = 'address: 10.0.0.9, port: 23, user: eve, key: k, host_key: ssh-ed25519 AAAAC3Nz, jump: way, gate: quick'
  const hosts = `  box: { ssh_config: gpu1, ${given} }\n  way: { address: w, user: u, key: k }`
  const { home, loaded } = load(config, { hosts })
  expect(hostsIn(loaded)[0]).toEqual({
    name: 'box',
    address: '10.0.0.9',
    port: 23,
    user: 'eve',
    key: { from: 'file', path: join(home, 'k'), passphrase: null },
    trust: { from: 'pinned', keys: ['ssh-ed25519 AAAAC3Nz'] },
    jump: 'way',
    gate: 'quick',
  })
})

describe('the key', () => {
  const env = { SSH_AUTH_SOCK: '/run/agent' }
  test.for([
    ['the first that exists', 'IdentityFile ~/.ssh/none\n IdentityFile ~/.ssh/id', { from: 'file', path: '.ssh/id' }],
    ['the first, where none exists', 'IdentityFile none1\n IdentityFile none2', { from: 'file', path: 'none1' }],
    [
      'tokens',
      'User u\n Port 23\n IdentityFile %d/.ssh/%h_%n_%p_%r_%%',
      { from: 'file', path: '.ssh/gpu1_gpu1_23_u_%' },
    ],
    ['variables', `IdentityFile \${WHERE}/id`, { from: 'file', path: 'keys/id' }],
    ['a public key', 'IdentityFile ~/.ssh/id.pub', { from: 'agent', socket: '/run/agent', only: '.ssh/id.pub' }],
    ['a public half alone', 'IdentityFile ~/.ssh/half', { from: 'agent', socket: '/run/agent', only: '.ssh/half.pub' }],
    ['no file at all', 'IdentityFile none', { from: 'agent', socket: '/run/agent' }],
    ['another agent', 'IdentityAgent ~/agent', { from: 'agent', socket: 'agent' }],
    ['the agent of a variable', 'IdentityAgent $OTHER', { from: 'agent', socket: '/run/other' }],
    ['the usual agent', 'IdentityAgent SSH_AUTH_SOCK', { from: 'agent', socket: '/run/agent' }],
    ['no agent', 'IdentityAgent none', { from: 'file', path: '.ssh/id_rsa' }],
  ] as const)('%s', ([, lines, key]) => {
    const files = { '.ssh/id': '', '.ssh/id.pub': '', '.ssh/half.pub': '', '.ssh/id_rsa': '' }
    const { home, loaded } = load(`Host gpu1\n ${lines}\n`, {
      env: { ...env, OTHER: '/run/other', WHERE: 'keys' },
      files,
    })
    const [host] = hostsIn(loaded)
    const short = JSON.stringify(host?.key).replaceAll(`${home}/`, '')
    expect(JSON.parse(short)).toEqual({ ...key, ...(key.from === 'file' ? { passphrase: null } : {}) })
  })

  test('the passphrase of pilotflame.yml opens it', () => {
    const hosts = '  box: { ssh_config: gpu1, key_passphrase_env: PASS }'
    const { loaded } = load(`Host gpu1\n${KEY}`, { hosts, env: { PASS: 'open sesame' } })
    expect(hostsIn(loaded)).toMatchObject([{ key: { from: 'file', passphrase: 'open sesame' } }])
    expect(loaded).toMatchObject({ config: { secrets: ['open sesame'] } })
  })
})

describe('ProxyJump', () => {
  const jumps = (config: string, hosts?: string) =>
    hostsIn(load(config, hosts === undefined ? {} : { hosts }).loaded).map(({ name, address, port, user, jump }) => {
      return [name, `${user}@${address}:${port}`, jump]
    })
  const all = `Host *\n  User u\n${KEY}`

  test('several hops, with aliases, users and ports: each through the one before it', () => {
    const config = `Host gpu1\n ProxyJump a,eve@10.0.0.2:23,[fe80::2]:24\nHost a\n HostName a.lan\n Port 25\n${all}`
    const last = 'a,eve@10.0.0.2:23,[fe80::2]:24'
    expect(jumps(config)).toEqual([
      ['box', 'u@gpu1:22', last],
      ['a', 'u@a.lan:25', null],
      ['a,eve@10.0.0.2:23', 'eve@10.0.0.2:23', 'a'],
      [last, 'u@fe80::2:24', 'a,eve@10.0.0.2:23'],
    ])
  })

  test('a hop has hops of its own; those after it go through it whatever their lines say', () => {
    const config = `Host gpu1\n ProxyJump b,c\nHost b\n ProxyJump ssh://d:26\nHost c\n ProxyJump elsewhere\n${all}`
    expect(jumps(config)).toEqual([
      ['box', 'u@gpu1:22', 'b,c'],
      ['ssh://d:26', 'u@d:26', null],
      ['b', 'u@b:22', 'ssh://d:26'],
      ['b,c', 'u@c:22', 'b'],
    ])
  })

  test('a hop that is named like a host of pilotflame.yml is that host; two hosts share their hops', () => {
    const hosts =
      '  box: { ssh_config: gpu1 }\n  two: { ssh_config: gpu2 }\n  bastion: { address: b.lan, user: eve, key: k }'
    const config = `Host gpu*\n ProxyJump bastion,x\n${all}`
    expect(jumps(config, hosts)).toEqual([
      ['box', 'u@gpu1:22', 'bastion,x'],
      ['two', 'u@gpu2:22', 'bastion,x'],
      ['bastion', 'eve@b.lan:22', null],
      ['bastion,x', 'u@x:22', 'bastion'],
    ])
  })

  test('none is none', () => expect(jumps(`Host gpu1\n ProxyJump none\n${all}`)).toEqual([['box', 'u@gpu1:22', null]]))
})

describe('no line of it starts a program', () => {
  test.for([
    ['Match exec', 'Match exec "touch RAN"\n  User eve\n'],
    ['Match with a name and exec', 'Match originalhost gpu1 exec "touch RAN"\n  User eve\n'],
    ['Match exec in other letters', 'mAtCh eXeC "touch RAN"\n  User eve\n'],
    ['Match exec with =', 'Match exec="touch RAN"\n  User eve\n'],
    ['Match exec twice', 'Match exec "touch RAN" exec "touch RAN"\n  User eve\n'],
    ['Match with a denied exec', 'Match !exec "touch RAN"\n  User eve\n'],
    ['Match exec in an included file', 'Include inc\n'],
    ['Match final exec', 'Match final exec "touch RAN"\n  User eve\n'],
    ['KnownHostsCommand', 'KnownHostsCommand /bin/touch RAN\n'],
    ['LocalCommand', 'PermitLocalCommand yes\nLocalCommand touch RAN\n'],
    ['RemoteCommand', 'RemoteCommand touch RAN\n'],
    ['PKCS11Provider', 'PKCS11Provider RAN\n'],
    ['a name service for canonical names', 'Host gpu1\n CanonicalizeHostname yes\n CanonicalDomains a.lan b.lan\n'],
    ['the same in other letters', 'Host gpu1\n canonicalizehostname yes\n CANONICALDOMAINS a.lan b.lan\n'],
  ] as const)('%s', ([, lines]) => {
    const ran = trap()
    const files = { '.ssh/inc': `Match exec "touch ${ran}"\n  User eve\n` }
    const { loaded } = load(`${lines.replaceAll('RAN', ran)}Host gpu1\n  User dana\n${KEY}`, { files })
    expect(hostsIn(loaded)).toMatchObject([{ address: 'gpu1', user: 'dana' }])
    expect(existsSync(ran)).toBe(false)
  })

  test.for(['Match exec "touch RAN"', 'Host gpu1\n CanonicalizeHostname yes\n CanonicalDomains a.lan b.lan'])(
    'the library alone would: %s',
    (lines) => {
      const ran = trap()
      SSHConfig.parse(lines.replace('RAN', ran)).compute('gpu1', { ignoreCase: true })
      expect(existsSync(ran)).toBe(true)
    },
  )

  test('ProxyCommand is refused', () => {
    const ran = trap()
    const { loaded } = load(`Host gpu1\n  ProxyCommand touch ${ran}\n${KEY}`)
    expect(loaded).toMatchObject({ problems: [{ key: 'hosts.box.ssh_config', line: 5 }] })
    expect(existsSync(ran)).toBe(false)
  })
})

/** A file that must not come to be; a name service that makes it stands in wait. */
function trap(): string {
  const ran = join(folder({ here: '' }), 'ran')
  const bin = folder({ nslookup: `#!/bin/sh\ntouch ${ran}\n` })
  chmodSync(join(bin, 'nslookup'), 0o755)
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  return ran
}

test('other Match blocks count', () => {
  const config = `Match originalhost gpu1\n Port 23\nMatch host gpu1.lan user dana\n Port 24\nHost gpu1\n HostName gpu1.lan\n User dana\n${KEY}Match host gpu1.lan user dana\n AddressFamily inet\n IdentityFile x\nMatch all\n Port 25\n`
  const { loaded } = load(config)
  expect(hostsIn(loaded)).toMatchObject([{ address: 'gpu1.lan', port: 23, user: 'dana' }])
})

test('Include above the first Host line: patterns, folders, files within files', () => {
  const files = {
    '.ssh/conf.d/b': 'Host gpu1\n  User bob\n',
    '.ssh/conf.d/a': 'Include ~/more\nHost gpu1\n  User ann\n',
    more: 'Host gpu1\n  Port 2200\n',
  }
  const { loaded } = load(`Include none conf.d/*\nHost gpu1\n  User last\n  Port 1\n  HostName h\n${KEY}`, { files })
  expect(hostsIn(loaded)).toMatchObject([{ user: 'ann', port: 2200, address: 'h' }])
})

test.each([0o620, 0o602, 0o666])('a file that others may write (%o) is refused, as ssh does', (mode) => {
  const home = folder({
    'pilotflame.yml': `${SMALL}hosts:\n  box: { ssh_config: gpu1 }\n`,
    '.ssh/config': `Host gpu1\n${KEY}`,
  })
  chmodSync(join(home, '.ssh/config'), mode)
  const loaded = loadConfig({ file: null, env: { HOME: home }, cwd: home })
  expect(loaded).toMatchObject({
    problems: [
      { key: 'hosts.box.ssh_config', found: expect.stringContaining('~/.ssh/config, which others may write') },
    ],
  })
})

test('the machine’s own known_hosts count too, where keys may be revoked for everybody', () => {
  const config = `Host gpu1\n${KEY}  GlobalKnownHostsFile /srv/all ~/more\n`
  const { home, loaded } = load(config)
  expect(hostsIn(loaded)[0]?.trust).toEqual({
    from: 'files',
    paths: [join(home, '.ssh/known_hosts'), '/srv/all', join(home, 'more')],
  })
  const none = load(`Host gpu1\n${KEY}  GlobalKnownHostsFile none\n`)
  expect(hostsIn(none.loaded)[0]?.trust).toEqual({ from: 'files', paths: [join(none.home, '.ssh/known_hosts')] })
})

test('RevokedHostKeys is refused rather than passed over', () => {
  const { loaded } = load(`Host gpu1\n${KEY}  RevokedHostKeys ~/.ssh/revoked\n`)
  expect(loaded).toMatchObject({
    problems: [{ key: 'hosts.box.ssh_config', found: expect.stringContaining('the RevokedHostKeys of gpu1') }],
  })
  expect(hostsIn(load(`Host gpu1\n${KEY}  RevokedHostKeys none\n`).loaded)).toHaveLength(1)
})
