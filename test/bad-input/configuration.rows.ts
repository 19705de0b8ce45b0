import { join } from 'node:path'
import { CERTIFICATE, folder, load, SMALL } from '../config/folder.ts'
import { aliasRows } from './configuration.alias.rows.ts'
import type { Row } from './configuration.row.ts'
import { loaded, row } from './configuration.row.ts'

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
  file('no address', `${SMALL}hosts: { a: { user: u, key: k } }\n`, ['hosts.a.address', 'nothing', 'ssh_config:']),
  file('no user', `${SMALL}hosts: { a: { address: x, key: k } }\n`, ['hosts.a.user', 'nothing', 'ssh_config:']),
  file('an address of nothing', `${SMALL}hosts: { a: { address: , user: u, key: k } }\n`, [
    'pilotflame.yml:4:15 hosts.a.address',
    'nothing',
    'write a host name',
  ]),
  file('an agent besides a private key', `${SMALL}hosts: { a: { address: x, user: u, agent: true, key: k } }\n`, [
    '2 ways to log in',
    'the .pub file of the one key',
  ]),
  file(
    'a public key of which no agent can know',
    `${SMALL}hosts: { a: { address: x, user: u, key_env: K, key: k.pub } }\n`,
    ['2 ways', 'beside agent'],
  ),
  file('a gate by another name', `${SMALL}hosts: { a: { address: x, user: u, key: k, gate: forced } }\n`, [
    'pilotflame.yml:4:44 hosts.a.gate',
    '"forced"',
    'installed or quick',
  ]),
  file('a gate that is said twice', `${SMALL}hosts: { a: { address: x, user: u, key: k, gate: [quick] } }\n`, [
    'a list',
    'installed or quick',
  ]),
  file('a path as ssh_config', `${SMALL}hosts: { a: { ssh_config: ~/.ssh/config } }\n`, [
    'hosts.a.ssh_config',
    '"~/.ssh/config"',
    'the name of the host in ~/.ssh/config',
  ]),
  file('an option as ssh_config', `${SMALL}hosts: { a: { ssh_config: -oProxyCommand=x } }\n`, ['"-oProxyCommand=x"']),
  file('a pattern as ssh_config', `${SMALL}hosts: { a: { ssh_config: "gpu*" } }\n`, ['"gpu*"', 'the name of the host']),
  file('ssh_config without such a file', `${SMALL}hosts: { a: { ssh_config: gpu1 } }\n`, [
    'pilotflame.yml:4:15 hosts.a.ssh_config',
    'no ~/.ssh/config',
    'write address, user and key',
  ]),
  file('a unit without a host', `${SMALL}    unit: qwen\n`, ['targets.qwen.unit', 'no host', 'leave unit out']),
  file('a unit that is an option', `${SMALL}    unit: --now\n`, ['"--now"', 'the gate on the host']),
  file('a unit with a path', `${SMALL}    unit: ../sshd\n`, ['"../sshd"']),
  file('a proxy besides a host', `${SMALL}    host: a\n    proxy: http://p:3128\nhosts: { a: ${HOST} }\n`, [
    'pilotflame.yml:5:5 targets.qwen.proxy',
    'a proxy besides a host',
    'keep one',
  ]),
  file('a proxy with a password', `${SMALL}    proxy: http://me:hunter2@p:3128\n`, [
    'targets.qwen.proxy',
    'a user or password',
    'by its address',
  ]),
  file('a proxy without scheme', `${SMALL}    proxy: p:3128\n`, ['no URL of a proxy', 'http://proxy.example:3128']),
  file('a proxy of SOCKS', `${SMALL}    proxy: socks5://p:1080\n`, ['no URL of a proxy']),
  file('a proxy with a path', `${SMALL}    proxy: http://p:3128/pac\n`, ['more than its address']),
  file('a proxy by TLS', `${SMALL}    proxy: https://p:3128\n`, ['spoken to by TLS', 'plain port']),
  file('a proxy at a metadata address', `${SMALL}    proxy: http://169.254.169.254\n`, ['link-local']),
  file('a proxy that is a number', `${SMALL}    proxy: 3128\n`, ['the number 3128', 'the URL of a proxy']),
  file('certificates for plain HTTP', `${SMALL}    ca: ca.pem\n`, ['targets.qwen.ca', 'without TLS', 'leave ca out'], {
    'ca.pem': CERTIFICATE,
  }),
  tls('certificates that are not there', 'none.pem', [
    'pilotflame.yml:4:5 targets.qwen.ca',
    '"none.pem"',
    'correct the path',
  ]),
  tls('a folder of certificates', '.', ['a directory', 'name a file']),
  tls('certificates in DER', 'ca.der', ['no certificate', 'openssl x509']),
  tls('an empty file of certificates', 'empty', ['no certificate', '-----BEGIN CERTIFICATE-----']),
  tls('a certificate that is cut', 'cut.pem', ['certificate 1 cannot be read']),
  tls('a second certificate that is cut', 'second.pem', ['certificate 2 cannot be read']),
  tls('a private key among certificates', 'key.pem', ['a private key stands', 'the certificate alone']),
  tls('a certificate itself', '"-----BEGIN CERTIFICATE-----"', ['the path of a PEM file']),
  ...aliasRows,
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

type Files = Readonly<Record<string, string>>

function file(name: string, text: string, says: readonly string[], files: Files = {}): Row {
  return row(name, () => loaded(folder({ 'pilotflame.yml': text, ...files }), { HOME: '/home/dana' }), says)
}

/** A target whose certificates are in this file. */
function tls(name: string, ca: string, says: readonly string[]): Row {
  const files = {
    'ca.der': Buffer.from(CERTIFICATE.replace(/-+[A-Z ]+-+|\n/g, ''), 'base64').toString('latin1'),
    empty: '\n',
    'cut.pem': CERTIFICATE.replace(/\n.{20}/, '\n'),
    'second.pem': CERTIFICATE + CERTIFICATE.replace(/\n.{20}/, '\n'),
    'key.pem': `-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----\n${CERTIFICATE}`,
  }
  return file(name, `targets:\n  qwen:\n    url: https://127.0.0.1:1\n    ca: ${ca}\n`, says, files)
}

function environment(name: string, env: Readonly<Record<string, string>>, says: readonly string[]): Row {
  return row(name, () => load(SMALL, env), says)
}
