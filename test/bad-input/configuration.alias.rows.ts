import { folder, SMALL } from '../config/folder.ts'
import type { Row } from './configuration.row.ts'
import { loaded, row } from './configuration.row.ts'

/** Hosts by a name of ~/.ssh/config that cannot be reached as it says. */
export const aliasRows: readonly Row[] = [
  alias('a name that ~/.ssh/config does not know', 'Host gpu-1\n', [
    'the name "gpu1"',
    'did you mean gpu-1?',
    'name one of gpu-1',
  ]),
  alias('a name that only a bare star means', 'Host *\n', ['no Host line', 'add it there']),
  alias('a name that is denied', 'Host gpu* !gpu1\n', ['no Host line']),
  alias('a ProxyCommand', 'Host gpu1\n  ProxyCommand nc %h %p\n', ['ProxyCommand', 'never run', 'write jump:']),
  alias('a ProxyCommand for all', 'Host gpu1\nHost *\n  proxycommand nc\n', ['ProxyCommand of gpu1', 'never run']),
  alias('a HostKeyAlias', 'Host gpu1\n  HostKeyAlias box\n', ['HostKeyAlias', 'host_key:', 'ssh-keygen -F box']),
  alias('known_hosts nowhere', 'Host gpu1\n  UserKnownHostsFile /dev/null\n', [
    'knows nobody',
    'host_key: or known_hosts:',
  ]),
  alias('no known_hosts', 'Host gpu1\n  UserKnownHostsFile none\n', ['knows nobody']),
  alias('a HostName that is an option', 'Host gpu1\n  HostName -oProxyCommand=x\n', ['HostName', 'write address:']),
  alias('a HostName with an unknown token', 'Host gpu1\n  HostName %k.lan\n', ['HostName', 'no host name']),
  alias('a User that is an option', 'Host gpu1\n  User -oX\n', ['User of gpu1', 'write user:']),
  alias('a Port in words', 'Host gpu1\n  Port ssh\n', ['Port of gpu1', 'no port', 'write port:']),
  alias('a Port out of range', 'Host gpu1\n  Port 70000\n', ['no port']),
  alias('an IdentityFile with an unknown token', 'Host gpu1\n  IdentityFile ~/.ssh/%C\n', [
    'IdentityFile',
    '%C',
    'write the path out',
  ]),
  alias('an IdentityFile with a variable that is not set', `Host gpu1\n  IdentityFile \${NOWHERE}/id\n`, [
    'NOWHERE',
    'no value',
  ]),
  alias('a ring of jumps', 'Host gpu1\n  ProxyJump b\nHost b\n  ProxyJump gpu1\n', [
    'the ring gpu1 → b → gpu1',
    'directly',
  ]),
  alias('a hop through itself', 'Host gpu1\nHost *\n  ProxyJump b\n', ['the ring gpu1 → b → b', 'ProxyJump none']),
  alias('a jump that is an option', 'Host gpu1\n  ProxyJump -oX\n', ['a ProxyJump of gpu1', 'write jump:']),
  alias('a jump to nobody', 'Host gpu1\n  ProxyJump a,,b\n', ['a ProxyJump of gpu1']),
  alias('a jump with a port out of range', 'Host gpu1\n  ProxyJump a:70000\n', ['the Port of a', 'no port']),
  alias('a jump whose way is a program', 'Host gpu1\n  ProxyJump b\nHost b\n  ProxyCommand x\n', ['ProxyCommand of b']),
  alias('a jump back to a host of this file', 'Host gpu1\n  ProxyJump way\n', ['the ring box → way → box'], {
    hosts: '{ box: { ssh_config: gpu1, key: k }, way: { address: x, user: u, key: k, jump: box } }',
  }),
  alias('an Include inside a block', 'Host gpu1\n  Include more\n', [
    'Include inside the Host block',
    'above the first Host',
  ]),
  alias('Includes without end', 'Include config\nHost gpu1\n', ['more than 100 files']),
  alias('an Include of a folder', 'Include .\nHost gpu1\n', ['~/.ssh', 'a directory']),
  alias('a quote that does not end', 'Host gpu1\n  IdentityFile "x\n', ['~/.ssh/config', 'cannot be read']),
  alias('a Match line without a value', 'Match user\nHost gpu1\n', ['cannot be read as ssh_config']),
  alias('neither key nor agent', 'Host gpu1\n', ['no IdentityFile', 'no SSH agent', 'write key: PATH'], {
    all: '',
  }),
]

/** A host `box` that is `gpu1` of this ~/.ssh/config. */
function alias(
  name: string,
  config: string,
  says: readonly string[],
  {
    hosts = '{ box: { ssh_config: gpu1 } }',
    all = '  IdentityFile k\n',
  }: { readonly hosts?: string; readonly all?: string } = {},
): Row {
  return row(name, () => {
    const home = folder({ 'pilotflame.yml': `${SMALL}hosts: ${hosts}\n`, '.ssh/config': `${config}\nHost *\n${all}` })
    return loaded(home, { HOME: home })
  }, ['hosts.', 'ssh_config', ...says])
}
