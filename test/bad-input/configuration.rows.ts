import { join } from 'node:path'
import { failureOf } from '../../src/config/problem.ts'
import type { Loaded } from '../../src/config.ts'
import { loadConfig } from '../../src/config.ts'
import { folder, load, SMALL } from '../config/folder.ts'
import type { BadInput } from './row.ts'

/** What the answer must name: what was found, and what to write. */
type Row = BadInput & { readonly says: readonly string[] }

const HOST = '{ address: 10.0.0.5, user: me, key: k }'

/** Broken files and environments; the sentence must hold the words beside each. */
export const configurationRows: readonly Row[] = [
  file('YAML that ends in the middle', 'targets: {qwen: {url: "http://', [
    'pilotflame.yml:1:',
    'broken YAML',
    'correct the line',
  ]),
  file('a tab as indentation', 'targets:\n\tqwen: 1\n', ['pilotflame.yml:2:1', 'a tab', 'spaces']),
  file('the same key twice', `${SMALL}${SMALL}`, ['pilotflame.yml:4:1', 'the same key twice', 'keep one']),
  file('two documents', `${SMALL}---\n${SMALL}`, ['broken YAML', 'multiple documents']),
  file('an alias without anchor', 'targets: *all\n', ['alias', 'write the values out']),
  file('a key that would be an object’s prototype', `${SMALL}  __proto__: {}\n`, ['__proto__', 'another name']),
  file('a list instead of a map', '- targets\n', ['found a list']),
  file('an empty file', '', ['no target', 'add one']),
  file('an unknown key', `${SMALL}    modle: x\n`, [
    'pilotflame.yml:4:5 targets.qwen.modle',
    'an unknown key',
    'did you mean model?',
  ]),
  file('no URL', 'targets: { qwen: {} }\n', ['targets.qwen.url', 'nothing', 'write a URL']),
  file('a URL without scheme', 'targets: { qwen: { url: "localhost:30000" } }\n', [
    'no http',
    'write http://localhost:30000',
  ]),
  file('a URL with a password', 'targets: { qwen: { url: "http://me:pw@x" } }\n', [
    'a user or password',
    'leave them out',
  ]),
  file('a cloud’s metadata address', 'targets: { qwen: { url: "http://169.254.169.254" } }\n', ['link-local']),
  file('an unknown engine', `${SMALL}    engine: sglan\n`, ['"sglan"', 'write one of sglang']),
  file('a budget in words', `${SMALL}    max_tokens: lots\n`, ['"lots"', 'write a whole number']),
  file('a time without unit', `${SMALL}    patience: 60\n`, ['the number 60', 'such as 60s']),
  file('a port out of range', `${SMALL}hosts: { a: { address: x, user: u, key: k, port: 70000 } }\n`, [
    '70000',
    '1 to 65535',
  ]),
  file('an option instead of a user', `${SMALL}hosts: { a: { address: x, user: -oProxyCommand=x, key: k } }\n`, [
    '"-oProxyCommand=x"',
  ]),
  file('an option instead of a name', `${SMALL}hosts: { -oX: ${HOST} }\n`, ['"-oX"', 'use letters']),
  file('a port inside the address', `${SMALL}hosts: { a: { address: "x:22", user: u, key: k } }\n`, [
    '"x:22"',
    'without user and port',
  ]),
  file('no way to log in', `${SMALL}hosts: { a: { address: x, user: u } }\n`, ['no way to log in', 'agent: true']),
  file('two ways to log in', `${SMALL}hosts: { a: { address: x, user: u, key: k, key_env: K } }\n`, [
    '2 ways',
    'keep one',
  ]),
  file('an agent that is not there', `${SMALL}hosts: { a: { address: x, user: u, agent: true } }\n`, [
    'SSH_AUTH_SOCK',
    'ssh-agent',
  ]),
  file(
    'a fingerprint instead of a key',
    `${SMALL}hosts: { a: { address: x, user: u, key: k, host_key: "SHA256:x" } }\n`,
    ['ssh-ed25519 AAAA'],
  ),
  file('a host that does not exist', `${SMALL}    host: gpu1\nhosts: { gpu-1: ${HOST} }\n`, [
    '"gpu1"',
    'did you mean gpu-1?',
  ]),
  file('a jump to itself', `${SMALL}hosts: { a: { address: x, user: u, key: k, jump: a } }\n`, ['the ring a → a']),
  file('a channel by name', `${SMALL}slack: { channels: { general: } }\n`, ['"general"', 'C0123ABCD']),
  file('a channel with an unknown target', `${SMALL}slack: { channels: { C0123ABCD: { target: qwem } } }\n`, [
    '"qwem"',
    'did you mean qwen?',
  ]),
  file('a person by name', `${SMALL}roles: { admins: [dana] }\n`, ['roles.admins.0', '"dana"', 'whoami']),
  file('a secret in the file', `${SMALL}    api_key: hunter2\n`, ['a secret in the file', 'api_key_env']),
  file('a variable that is not set', `${SMALL}    api_key_env: QWEN_KEY\n`, [
    'QWEN_KEY, which is not set',
    'QWEN_KEY_FILE',
  ]),
  environment('tokens exchanged', { SLACK_BOT_TOKEN: 'xapp-1', SLACK_APP_TOKEN: 'xapp-1' }, [
    'begins with xapp-',
    'begins with xoxb-',
  ]),
  environment('one token alone', { SLACK_BOT_TOKEN: 'xoxb-1' }, [
    'SLACK_APP_TOKEN',
    'nothing',
    'or unset SLACK_BOT_TOKEN',
  ]),
  environment('a secret given twice', { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_BOT_TOKEN_FILE: 'x' }, ['both', 'keep one']),
  environment('a secret file that is not there', { SLACK_BOT_TOKEN_FILE: 'x' }, [
    'SLACK_BOT_TOKEN_FILE',
    '"x"',
    'correct the path',
  ]),
  row('a key that is no header', () => load(`${SMALL}    api_key_env: QWEN_KEY\n`, { QWEN_KEY: 'one\ntwo' }), [
    'QWEN_KEY',
    'special characters',
    'one word',
  ]),
  environment('a port in words', { PILOTFLAME_PORT: 'http' }, ['"http"', 'from 0 (any free one) to 65535']),
  environment('a secret file that is a folder', { SLACK_BOT_TOKEN_FILE: '.' }, ['a directory', 'name a file']),
  row('a file that is a folder', () => loaded(folder({ 'pilotflame.yml/x': '' })), ['a directory', 'name a file']),
  row('a file without end', () => load(`# ${'x'.repeat(300_000)}`), ['300002 bytes', '256 KiB']),
  row('tokens, but no file', () => loaded(folder({}), { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' }), [
    'cp pilotflame.example.yml',
  ]),
  row('a named file that is not there', () => loaded(folder({}), { PILOTFLAME_CONFIG: join('etc', 'x.yml') }), [
    'etc/x.yml',
    'no such file',
  ]),
]

function file(name: string, text: string, says: readonly string[]): Row {
  return row(name, () => load(text), says)
}

function environment(name: string, env: Readonly<Record<string, string>>, says: readonly string[]): Row {
  return row(name, () => load(SMALL, env), says)
}

function row(name: string, read: () => Loaded, says: readonly string[]): Row {
  return {
    name,
    says,
    async run() {
      const outcome = read()
      const [first] = outcome.kind === 'problems' ? outcome.problems : []
      return first === undefined ? { thing: '', observed: `taken as ${outcome.kind}`, next: '' } : failureOf(first)
    },
  }
}

function loaded(cwd: string, env: Readonly<Record<string, string>> = {}): Loaded {
  return loadConfig({ file: null, env, cwd })
}
