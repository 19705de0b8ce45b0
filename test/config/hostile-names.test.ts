import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { folder, load, SMALL } from './folder.ts'

/** Names that a program, a shell or an eye could take for something else (trust.md T12). */
const NAMES = [
  '-oProxyCommand=touch /tmp/x',
  '-oProxyCommand=id',
  '-oLocalCommand=id',
  '-F/tmp/x',
  '-i',
  '-',
  '--',
  '--help',
  '-p22',
  '-J a',
  ' -oX=y',
  '\t-oX=y',
  'a -oX=y',
  'a\t-oX=y',
  'a\n-oX=y',
  'a\r-oX=y',
  'a\u0000b',
  '$(id)',
  'a$(id)',
  '`id`',
  '$IFS',
  `\${HOME}`,
  ';id',
  'a;id',
  'a&id',
  'a|id',
  'a>x',
  'a<x',
  '(id)',
  '{a,b}',
  '[a-z]',
  '*',
  'a*',
  '?',
  '!a',
  '!a,*',
  '#a',
  'a#b c',
  "'a'",
  '"a"',
  'a\\b',
  '../a',
  '/etc/passwd',
  'a/b',
  '~root',
  '@a',
  'a@b',
  '=a',
  '%h',
  '',
  '\u202egnp.a',
  'а',
  'ｇｐｕ',
  'gpu１',
  'a\u00adb',
  'a'.repeat(300),
] as const

const shown = (name: string) => JSON.stringify(name).slice(0, 40)

test('there are 50 of them', () => expect(NAMES.length).toBeGreaterThanOrEqual(50))

const PLACES = [
  ['address', (name: string) => `hosts: { a: { address: ${name}, user: u, key: k } }`],
  ['user', (name: string) => `hosts: { a: { address: x, user: ${name}, key: k } }`],
  ['jump', (name: string) => `hosts: { gpu1: ${HOST}, a: { address: x, user: u, key: k, jump: ${name} } }`],
  ['the name of a host', (name: string) => `hosts: { ${name}: ${HOST} }`],
  ['unit', (name: string) => `hosts: { a: ${HOST} }\ntargets: { b: { url: "http://x", host: a, unit: ${name} } }`],
] as const
const HOST = '{ address: x, user: u, key: k }'

test.for(PLACES)('%s: every one is refused', ([, text]) => {
  const kindWith = (name: string) => {
    const file = text(JSON.stringify(name))
    return load(file.includes('targets') ? file : `${file}\n${SMALL}`).kind
  }
  expect(NAMES.filter((name) => kindWith(name) !== 'problems').map(shown)).toEqual([])
  expect(kindWith('gpu1')).toBe('config')
})

test('ssh_config: every one is refused, whatever ~/.ssh/config knows', () => {
  const kindWith = (name: string) => kindOf('Host *a* gpu1\n  HostName h\n  User u\n  IdentityFile k\n', name)
  expect(NAMES.filter((name) => kindWith(name) !== 'problems').map(shown)).toEqual([])
  expect(kindWith('gpu1')).toBe('config')
})

test.for(['HostName', 'User', 'ProxyJump', 'Port'])('%s of ~/.ssh/config: every one is refused', (directive) => {
  // ssh_config itself has no line breaks in a value and drops blanks around it; an empty value is no value
  const names = NAMES.map((name) => name.trim()).filter(
    (name) => name !== '' && !/[\r\n#"\\]/.test(name) && !OF_SSH.has(name),
  )
  expect(names.length).toBeGreaterThan(40)
  const taken = names.filter(
    (name) => kindOf(`Host gpu1\n  ${directive} ${name}\nHost *\n  User u\n  IdentityFile k\n`) !== 'problems',
  )
  expect(taken.map(shown)).toEqual([])
})

test('without them the same file is fine', () => {
  expect(kindOf('Host gpu1\n  HostName h\n  ProxyJump a\n  Port 2\nHost *\n  User u\n  IdentityFile k\n')).toBe(
    'config',
  )
})

/** What has a meaning of its own in that file: a token, a user with a host, the sign between a word and its value. */
const OF_SSH: ReadonlySet<string> = new Set(['%h', 'a@b', '=a'])

function kindOf(config: string, name = 'gpu1') {
  const pilotflame = `${SMALL}hosts: { box: { ssh_config: ${JSON.stringify(name)} } }\n`
  const home = folder({ 'pilotflame.yml': pilotflame, '.ssh/config': config })
  return loadConfig({ file: null, env: { HOME: home }, cwd: home }).kind
}
