import type { Problem } from './problem.ts'
import type { Blame } from './shape.ts'

type Keys<Name extends string> = { readonly [Key in Name]?: unknown }
type HostKeys = Keys<'address' | 'user' | 'ssh_config' | 'key' | 'key_env' | 'agent' | 'known_hosts' | 'host_key'>
type TargetKeys = Keys<'url' | 'host' | 'ca' | 'proxy' | 'unit'>

/** Choices at a host that were made twice or not at all. */
export function hostChoices(name: string, host: HostKeys, blame: Blame): readonly Problem[] {
  const path = ['hosts', name]
  const { ssh_config: alias, key, known_hosts: files, host_key: pinned } = host
  const ways = [key, host.key_env, host.agent].filter((way) => way !== undefined).length
  // an agent that is to offer this one key only
  const narrowed = ways === 2 && host.agent === true && typeof key === 'string' && key.endsWith('.pub')
  const missing = (['address', 'user'] as const).filter((one) => host[one] === undefined)
  return [
    ...(alias === undefined ? missing.map((one) => blame([...path, one], 'nothing', `write ${WANTED[one]}`)) : []),
    ...(ways === 0 && alias === undefined
      ? [blame(path, 'no way to log in', 'write key: PATH, key_env: NAME or agent: true')]
      : []),
    ...(ways > 1 && !narrowed ? [blame(path, `${ways} ways to log in`, KEEP_ONE)] : []),
    ...(files !== undefined && pinned !== undefined
      ? [blame(path, 'both known_hosts and host_key', 'keep one of them')]
      : []),
  ]
}

const WANTED = {
  address: 'a host name or IP address, or ssh_config: and the name of the host in ~/.ssh/config',
  user: 'the name of the account to log in as, or ssh_config: and the name of the host in ~/.ssh/config',
}
const KEEP_ONE = 'keep one of key, key_env and agent; beside agent, key may name the .pub file of the one key to offer'

/** What does not go together at a target. */
export function targetChoices(name: string, target: TargetKeys, blame: Blame): readonly Problem[] {
  const { url, host, ca, proxy, unit } = target
  const problem = (key: string, found: string, next: string) => blame(['targets', name, key], found, next)
  return [
    ...(proxy !== undefined && host !== undefined
      ? [problem('proxy', 'a proxy besides a host', 'keep one of them: requests through a host go straight from there')]
      : []),
    ...(ca !== undefined && typeof url === 'string' && /^http:/i.test(url)
      ? [problem('ca', 'certificates for a URL without TLS', 'write an https URL, or leave ca out')]
      : []),
    ...(unit !== undefined && host === undefined
      ? [
          problem(
            'unit',
            'a unit, but no host on which it could run',
            'write host: and the name of the host, or leave unit out',
          ),
        ]
      : []),
  ]
}
