import type { SshPool } from '../adapters/ssh-pool.ts'
import type { Check } from '../domain/check.ts'
import type { Config } from '../domain/config.ts'
import type { Host } from '../domain/host.ts'
import { counted } from '../domain/report.ts'
import type { HostSettings, Target } from '../domain/target.ts'
import { fault, hostChecks } from './host-checks.ts'
import type { Reacher } from './reach.ts'
import { unitCheck } from './unit-check.ts'

/** What `doctor` looks at besides Slack: the configuration, each host, each target. */
export function houseChecks(config: Config, { ssh, hosts, reaching }: Ways): readonly Check[] {
  return [
    configurationCheck(config),
    ...config.hosts.flatMap((host) => hostChecks(host, usersOf(host, config), ssh, hosts(host.name))),
    ...config.targets.flatMap((target) => targetChecks(target, { ssh, hosts, reaching })),
  ]
}

/** How the things that are checked are reached. */
interface Ways {
  readonly ssh: SshPool
  readonly hosts: (name: string) => Host
  readonly reaching: Reacher
}

function configurationCheck({ hosts, targets, channels }: Config): Check {
  return {
    name: 'configuration',
    async run() {
      const saw = [
        counted(hosts.length, 'host'),
        counted(targets.length, 'target'),
        counted(channels.length, 'channel'),
      ].join(', ')
      return targets.length > 0
        ? { state: 'ok', saw }
        : {
            state: 'fault',
            saw,
            next: 'begin with the example (cp pilotflame.example.yml pilotflame.yml), and name a target in it',
          }
    },
  }
}

/** The targets that are reached through a host, also as a jump. */
function usersOf({ name }: HostSettings, { hosts, targets }: Config): readonly string[] {
  const through = [name, ...hosts.filter((one) => one.jump === name).map((one) => one.name)]
  return targets.filter(({ host }) => host !== null && through.includes(host)).map((one) => one.name)
}

function targetChecks(target: Target, ways: Ways): readonly Check[] {
  const { host, unit } = target
  const check = targetCheck(target, ways)
  return host === null || unit === null ? [check] : [check, unitCheck(target, unit, ways.hosts(host))]
}

function targetCheck(target: Target, { ssh, reaching }: Ways): Check {
  const place = target.host === null ? target.url : `${target.url} through ${target.host}`
  return {
    name: `target ${target.name} (${place})`,
    about: [target.name],
    async run(signal) {
      // a host that hangs would be told as a server that does
      const way = target.host === null ? null : await ssh.check(target.host, signal)
      if (way !== null && !way.ok) return fault(`target ${target.name}`, way.failure)
      const reached = await reaching.reach(target, signal)
      if (!reached.ok) return fault(`target ${target.name}`, reached.failure)
      const told = await reached.value.engine.info(reached.value.api, signal)
      if (!told.ok) return fault(`target ${target.name}`, told.failure)
      const { kind, version, loaded, models } = told.value
      return {
        state: 'ok',
        saw: `${kind} ${version ?? '(version not told)'}, model ${loaded ?? models[0] ?? 'not told'}`,
      }
    },
  }
}
